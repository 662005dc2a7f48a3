/** Field selectors (`metadata.name=a,status.phase!=Failed`): only `=`, `==` and `!=`. */
import { badRequest } from './status.ts';

export interface FieldRequirement {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

/** Splits the text; throws 400. */
export function parseFieldSelector(text: string): FieldRequirement[] {
  const requirements: FieldRequirement[] = [];
  for (const term of splitTerms(text)) {
    if (term === '') continue;
    const match = /^((?:[^\\=!]|\\.|!(?!=))*?)(!=|==|=)([\s\S]*)$/.exec(term);
    if (match === null) throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
    const [, field = '', operator, value = ''] = match;
    requirements.push({ field, equal: operator !== '!=', value: unescape(value) });
  }
  return requirements;
}

function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let term = '';
  for (let i = 0; i < text.length; i += 1) {
    const c = text[i] ?? '';
    if (c === '\\') {
      term += c + (text[i + 1] ?? '');
      i += 1;
    } else if (c === ',') {
      terms.push(term);
      term = '';
    } else term += c;
  }
  return [...terms, term];
}

/** A backslash makes the next `\\`, `,` or `=` a plain character; on its own it means nothing. */
function unescape(value: string): string {
  const wrong = /\\(?![\\,=])[^]?/.exec(value.replace(/\\[\\,=]/g, ''));
  if (wrong !== null) throw badRequest(`invalid field selector: invalid escape sequence: ${wrong[0]}`);
  const plain = /[=,]/.exec(value.replace(/\\./g, ''));
  if (plain !== null)
    throw badRequest(`invalid field selector: unescaped character in value: ${plain[0].charCodeAt(0)}`);
  return value.replace(/\\([\\,=])/g, '$1');
}

/** Checks that every field may be selected, with `known` in the order of the message. */
export function fieldMatcher<T>(
  requirements: readonly FieldRequirement[],
  known: readonly string[],
  read: (object: T, field: string) => string,
): (object: T) => boolean {
  for (const { field } of requirements) {
    if (!known.includes(field)) throw badRequest(unknownFieldMessage(field, known));
  }
  return (object) =>
    requirements.every(({ field, equal, value }) => (read(object, field) === value) === equal);
}

function unknownFieldMessage(field: string, known: readonly string[]): string {
  return `${JSON.stringify(field)} is not a known field selector: only ${known.map((k) => `"${k}"`).join(', ')}`;
}
