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
    requirements.push({ field, equal: operator !== '!=', value: unescape(value, term) });
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

function unescape(value: string, term: string): string {
  if (/[=,]/.test(value.replace(/\\./g, ''))) throw badRequest(`invalid field selector: ${term}`);
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
