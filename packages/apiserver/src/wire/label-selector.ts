/** Label selectors in their text form (`a=b,c in (d,e),!f`) and in their object form. */
import { memberOf } from '@podvisor/base';
import { arrayAt, asString, at, objectAt, stringAt } from './json.ts';
import { badRequest } from './status.ts';

type Operator = '=' | '!=' | 'in' | 'notin' | 'exists' | '!' | '>' | '<';

interface Requirement {
  readonly key: string;
  readonly operator: Operator;
  readonly values: readonly string[];
}

export type Labels = Readonly<Record<string, string>> | undefined;
export type LabelMatcher = (labels: Labels) => boolean;

export const matchAll: LabelMatcher = () => true;
const matchNone: LabelMatcher = () => false;

/** Reads the text form; throws 400 with Kubernetes' message. */
export function parseLabelSelector(text: string): LabelMatcher {
  if (text.trim() === '') return matchAll;
  const requirements = new Parser(text).requirements();
  for (const requirement of requirements) checkRequirement(requirement);
  return (labels) => requirements.every((requirement) => matches(requirement, labels));
}

/** Matches a LabelSelector object. An absent selector matches nothing, an empty one everything. */
export function matcherOf(selector: unknown): LabelMatcher {
  if (typeof selector !== 'object' || selector === null) return matchNone;
  const requirements: Requirement[] = Object.entries(objectAt(selector, 'matchLabels')).map(
    ([key, value]) => ({
      key,
      operator: '=',
      values: [asString(value)],
    }),
  );
  for (const expression of arrayAt(selector, 'matchExpressions')) {
    const operator = memberOf(OPERATORS, stringAt(expression, 'operator'));
    if (operator === undefined) return matchNone;
    requirements.push({
      key: stringAt(expression, 'key'),
      operator,
      values: arrayAt(expression, 'values').map(asString),
    });
  }
  return (labels) => requirements.every((requirement) => matches(requirement, labels));
}

const OPERATORS: Readonly<Record<string, Operator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
};

/** True when the selector object is there but selects everything. */
export function selectsEverything(selector: unknown): boolean {
  return (
    Object.keys(objectAt(selector, 'matchLabels')).length === 0 &&
    at(selector, 'matchExpressions', 0) === undefined
  );
}

function matches({ key, operator, values }: Requirement, labels: Labels): boolean {
  const value = memberOf(labels, key);
  switch (operator) {
    case '=':
    case 'in':
      return value !== undefined && values.includes(value);
    case '!=':
    case 'notin':
      return value === undefined || !values.includes(value);
    case 'exists':
      return value !== undefined;
    case '!':
      return value === undefined;
    case '>':
    case '<': {
      if (value === undefined || !/^[+-]?[0-9]+$/.test(value)) return false;
      return operator === '>' ? Number(value) > Number(values[0]) : Number(value) < Number(values[0]);
    }
  }
}

const NAME = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** What is wrong with a label key, in Kubernetes' words; empty when nothing is. */
export function labelKeyProblems(key: string): string[] {
  const parts = key.split('/');
  const problems: string[] = [];
  let name = key;
  if (parts.length === 2) {
    const prefix = parts[0] ?? '';
    name = parts[1] ?? '';
    if (prefix === '') problems.push('prefix part must be non-empty');
    else if (prefix.length > 253) problems.push('prefix part must be no more than 253 characters');
    else if (!SUBDOMAIN.test(prefix)) problems.push(`prefix part ${SUBDOMAIN_TEXT}`);
  } else if (parts.length > 2) {
    return [
      `a qualified name ${QUALIFIED_TEXT} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  if (name === '') problems.push('name part must be non-empty');
  else if (name.length > 63) problems.push('name part must be no more than 63 characters');
  if (!NAME.test(name)) problems.push(`name part ${QUALIFIED_TEXT}`);
  return problems;
}

export function labelValueProblems(value: string): string[] {
  const problems: string[] = [];
  if (value.length > 63) problems.push('must be no more than 63 characters');
  if (value !== '' && !NAME.test(value)) problems.push(LABEL_VALUE_TEXT);
  return problems;
}

const QUALIFIED_TEXT =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
export const SUBDOMAIN_TEXT =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const LABEL_VALUE_TEXT =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

function checkRequirement({ key, operator, values }: Requirement): void {
  const keyProblems = labelKeyProblems(key);
  if (keyProblems.length > 0)
    throw badRequest(
      `unable to parse requirement: <nil>: Invalid value: "${key}": ${keyProblems.join('; ')}`,
    );
  if (operator === '>' || operator === '<') {
    if (!/^[+-]?[0-9]+$/.test(values[0] ?? '')) {
      throw badRequest(
        `unable to parse requirement: values[0]: Invalid value: "${values[0] ?? ''}": for 'Gt', 'Lt' operators, the value must be an integer`,
      );
    }
    return;
  }
  values.forEach((value, i) => {
    const problems = labelValueProblems(value);
    if (problems.length > 0)
      throw badRequest(
        `unable to parse requirement: values[${i}][${key}]: Invalid value: "${value}": ${problems.join('; ')}`,
      );
  });
}

const SPECIAL = new Set(['=', '!', '(', ')', ',', '>', '<']);
const SYMBOLS = new Set(['=', '==', '!=', '!', '(', ')', ',', '>', '<', 'in', 'notin']);

class Parser {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = tokenize(text);
  }

  requirements(): Requirement[] {
    const found: Requirement[] = [];
    for (;;) {
      const next = this.#peek();
      if (next === '') break;
      if (isIdentifier(next) || next === '!' || next === 'in' || next === 'notin') {
        found.push(this.#requirement());
        const after = this.#next();
        if (after === '') break;
        if (after !== ',') throw badRequest(`found '${after}', expected: ',' or 'end of string'`);
        const following = this.#peek();
        if (
          following === '' ||
          !(isIdentifier(following) || following === '!' || following === 'in' || following === 'notin')
        ) {
          throw badRequest(`found '${following}', expected: identifier after ','`);
        }
      } else {
        throw badRequest(`found '${next}', expected: !, identifier, or 'end of string'`);
      }
    }
    return found;
  }

  #requirement(): Requirement {
    let token = this.#next();
    const negated = token === '!';
    if (negated) token = this.#next();
    if (token === '') throw badRequest(`unable to parse requirement: found '', expected: identifier`);
    if (!isIdentifier(token) && token !== 'in' && token !== 'notin')
      throw badRequest(`unable to parse requirement: found '${token}', expected: identifier`);
    const key = token;
    const next = this.#peek();
    if (negated) return { key, operator: '!', values: [] };
    if (next === '' || next === ',') return { key, operator: 'exists', values: [] };
    this.#next();
    switch (next) {
      case '=':
      case '==':
        return { key, operator: '=', values: [this.#exactValue()] };
      case '!=':
        return { key, operator: '!=', values: [this.#exactValue()] };
      case '>':
      case '<':
        return { key, operator: next, values: [this.#exactValue()] };
      case 'in':
      case 'notin':
        return { key, operator: next, values: this.#values() };
      default:
        throw badRequest(
          `unable to parse requirement: found '${next}', expected: in, notin, =, ==, !=, gt, lt`,
        );
    }
  }

  #exactValue(): string {
    const next = this.#peek();
    if (next === '' || next === ',') return '';
    this.#next();
    if (!isIdentifier(next) && next !== 'in' && next !== 'notin')
      throw badRequest(`unable to parse requirement: found '${next}', expected: identifier`);
    return next;
  }

  #values(): string[] {
    const open = this.#next();
    if (open !== '(') throw badRequest(`unable to parse requirement: found '${open}' expected: '('`);
    const values: string[] = [];
    let expectValue = true;
    for (;;) {
      const token = this.#next();
      if (token === ')') {
        if (expectValue && values.length > 0) values.push('');
        if (values.length === 0) values.push('');
        return [...new Set(values)];
      }
      if (token === ',') {
        if (expectValue) values.push('');
        expectValue = true;
      } else if (isIdentifier(token) || token === 'in' || token === 'notin') {
        values.push(token);
        expectValue = false;
      } else
        throw badRequest(
          `unable to parse requirement: found '${token}', expected: ${values.length === 0 ? "',', ')' or identifier" : "',' or ')'"}`,
        );
    }
  }

  #peek(): string {
    return this.#tokens[this.#at] ?? '';
  }

  #next(): string {
    return this.#tokens[this.#at++] ?? '';
  }
}

function isIdentifier(token: string): boolean {
  return token !== '' && !SYMBOLS.has(token);
}

function tokenize(text: string): string[] {
  const tokens: string[] = [];
  let i = 0;
  while (i < text.length) {
    const c = text[i] ?? '';
    if (/\s/.test(c)) {
      i += 1;
      continue;
    }
    let end = i + 1;
    if (SPECIAL.has(c)) {
      // Go's lexer takes the longest symbol it knows.
      while (end < text.length && SPECIAL.has(text[end] ?? '') && SYMBOLS.has(text.slice(i, end + 1)))
        end += 1;
    } else {
      while (end < text.length && !SPECIAL.has(text[end] ?? '') && !/\s/.test(text[end] ?? '')) end += 1;
    }
    tokens.push(text.slice(i, end));
    i = end;
  }
  return tokens;
}
