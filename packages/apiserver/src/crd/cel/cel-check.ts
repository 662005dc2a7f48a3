/** Checks the CEL rules of a schema when the CRD is written: they must parse, fit the schema's types and end in a bool. */
import { deepEqual, memberOf, setMember } from '@podvisor/base';
import type { Environment } from '@marcbachmann/cel-js';
import { type FieldError, forbidden, invalid, notSupported, required } from '../../wire/field-errors.ts';
import { arrayAt, asString, isObject, type JsonObject, objectAt, stringAt } from '../../wire/json.ts';
import { checkingEnvironment, compile, functionNames } from './cel.ts';
import { expressionCost, maxSize, type RuleCost, ruleCostProblem, totalCostProblem } from './cel-cost.ts';
import { celProblem } from './cel-problem.ts';
import { fieldAt } from '../field-path.ts';

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/** Problems of all rules in the schema at `path`. */
export function celErrors(schema: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const costs: RuleCost[] = [];
  visit(withRoot(schema), { path, uncorrelated: undefined, times: 1 }, errors, costs);
  const dear = totalCostProblem(costs);
  if (dear === undefined) return errors;
  const contributed =
    'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
  for (const rule of dear.contributed) errors.push(forbidden(rule, contributed));
  errors.push(forbidden(path, dear.total));
  return errors;
}

/** Where a part of the schema is. */
interface Place {
  readonly path: string;
  /** Path of the list above whose items cannot be found again in the old object. */
  readonly uncorrelated: string | undefined;
  /** How often it may be there in one object. */
  readonly times: number;
}

/** Rules at the root may look at the names that every object has. */
function withRoot(schema: JsonObject): JsonObject {
  const text = { type: 'string' };
  const metadata = { type: 'object', properties: { name: text, generateName: text } };
  const properties = { ...objectAt(schema, 'properties'), apiVersion: text, kind: text, metadata };
  return { ...schema, properties };
}

function visit(node: JsonObject, place: Place, errors: FieldError[], costs: RuleCost[]): void {
  const { path, uncorrelated, times } = place;
  const rules = arrayAt(node, 'x-kubernetes-validations');
  if (rules.length > 0) {
    const check = checker(node);
    rules.forEach((rule, i) => {
      if (!isObject(rule)) return;
      const where = `${path}.x-kubernetes-validations[${i}]`;
      errors.push(...ruleErrors(rule, where, node, check, uncorrelated));
      const cost = costOf(stringAt(rule, 'rule'), node);
      if (cost === undefined) return;
      costs.push({ path: `${where}.rule`, cost: cost * times });
      const problem = ruleCostProblem({ path: where, cost: cost * times });
      if (problem !== undefined) errors.push(forbidden(`${where}.rule`, problem));
    });
  }
  for (const [name, child] of Object.entries(objectAt(node, 'properties')))
    if (isObject(child)) visit(child, { ...place, path: `${path}.properties[${name}]` }, errors, costs);
  const { items, additionalProperties } = node;
  const keyed = node['x-kubernetes-list-type'] === 'map';
  const many = times * maxSize(node);
  if (isObject(items)) {
    const inside = {
      path: `${path}.items`,
      uncorrelated: uncorrelated ?? (keyed ? undefined : path),
      times: many,
    };
    visit(items, inside, errors, costs);
  }
  if (isObject(additionalProperties))
    visit(
      additionalProperties,
      { path: `${path}.additionalProperties`, uncorrelated, times: many },
      errors,
      costs,
    );
}

/** Undefined when the rule cannot be read: that is told elsewhere. */
function costOf(rule: string, node: JsonObject): number | undefined {
  try {
    return expressionCost(compile(rule).ast, node);
  } catch {
    return undefined;
  }
}

type Check = (expression: string, optionalOld: boolean) => ReturnType<Environment['check']>;

function ruleErrors(
  rule: JsonObject,
  path: string,
  node: JsonObject,
  check: Check,
  uncorrelated: string | undefined,
): FieldError[] {
  const text = stringAt(rule, 'rule');
  const message = stringAt(rule, 'message');
  const fieldPath = stringAt(rule, 'fieldPath');
  const reason = stringAt(rule, 'reason');
  const expression = stringAt(rule, 'messageExpression');
  const optional = rule['optionalOldSelf'] === true;
  const errors: FieldError[] = [];
  if (text.trim() === '') errors.push(required(`${path}.rule`, 'rule is not specified'));
  else if (message !== '' && message.trim() === '')
    errors.push(invalid(`${path}.message`, message, 'must be non-empty if specified'));
  else if (/[\n\r]/.test(message.trim()))
    errors.push(invalid(`${path}.message`, message, 'must not contain line breaks'));
  else if (/[\n\r]/.test(text.trim()) && message.trim() === '')
    errors.push(required(`${path}.message`, 'message must be specified if rule contains line breaks'));
  if (expression !== '' && expression.trim() === '')
    errors.push(required(`${path}.messageExpression`, 'messageExpression must be non-empty if specified'));
  if (rule['reason'] !== undefined && !REASONS.includes(reason))
    errors.push(notSupported(`${path}.reason`, reason, REASONS));
  if (fieldPath !== '' && fieldPath.trim() === '')
    errors.push(invalid(`${path}.fieldPath`, fieldPath, 'must be non-empty if specified'));
  if (/[\n\r]/.test(fieldPath))
    errors.push(invalid(`${path}.fieldPath`, fieldPath, 'must not contain line breaks'));
  if (fieldPath !== '' && fieldAt(node, fieldPath, true).kind === 'problem')
    errors.push(invalid(`${path}.fieldPath`, fieldPath, 'must be a valid path'));
  if (errors.length > 0) return errors;
  const ruleProblem = problemOf(check(text, optional), 'bool', text);
  if (ruleProblem !== undefined) errors.push(invalid(`${path}.rule`, shown(rule), ruleProblem));
  if (expression !== '') {
    const problem = problemOf(check(expression, optional), 'string', expression);
    if (problem !== undefined) errors.push(invalid(`${path}.messageExpression`, shown(rule), problem));
  }
  if (/\boldSelf\b/.test(text) && uncorrelated !== undefined)
    errors.push(
      invalid(
        `${path}.rule`,
        text,
        `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`,
      ),
    );
  else if (rule['optionalOldSelf'] !== undefined && !/\boldSelf\b/.test(text))
    errors.push(
      invalid(
        `${path}.optionalOldSelf`,
        rule['optionalOldSelf'],
        'may not be set if oldSelf is not used in rule',
      ),
    );
  return errors;
}

function problemOf(
  result: ReturnType<Environment['check']>,
  wanted: 'bool' | 'string',
  text: string,
): string | undefined {
  if (!result.valid) {
    const problem = celProblem(result.error, text, functionNames);
    return problem === undefined ? undefined : `compilation failed: ${problem}`;
  }
  const type = String(result.type ?? 'dyn');
  if (type === wanted || type === 'dyn') return undefined;
  return wanted === 'bool'
    ? 'cel expression must evaluate to a bool'
    : 'messageExpression must evaluate to a string';
}

/** A rule as messages show it. */
function shown(rule: JsonObject): JsonObject {
  return {
    Rule: asString(rule['rule']),
    Message: asString(rule['message']),
    MessageExpression: asString(rule['messageExpression']),
    Reason: rule['reason'] ?? null,
    FieldPath: asString(rule['fieldPath']),
    OptionalOldSelf: rule['optionalOldSelf'] ?? null,
  };
}

/** A checker whose `self` and `oldSelf` have the type of the schema. */
function checker(node: JsonObject): Check {
  const environment = checkingEnvironment();
  const counter = { next: 0 };
  const type = typeOf(node, environment, counter);
  environment.registerVariable('self', type);
  const plain = environment.clone();
  plain.registerVariable('oldSelf', type);
  const optional = environment.clone();
  optional.registerVariable('oldSelf', 'optional');
  return (expression, optionalOld) => (optionalOld ? optional : plain).check(expression);
}

function typeOf(node: JsonObject, environment: Environment, counter: { next: number }): string {
  if (node['x-kubernetes-int-or-string'] === true) return 'dyn';
  switch (stringAt(node, 'type')) {
    case 'string':
      return memberOf(STRINGS, stringAt(node, 'format')) ?? 'string';
    case 'integer':
      return 'int';
    case 'number':
      return 'double';
    case 'boolean':
      return 'bool';
    case 'array':
      return `list<${isObject(node['items']) ? typeOf(node['items'], environment, counter) : 'dyn'}>`;
    case 'object':
      return objectType(node, environment, counter);
    default:
      return 'dyn';
  }
}

const STRINGS: Readonly<Record<string, string>> = {
  'date-time': 'google.protobuf.Timestamp',
  date: 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
  byte: 'bytes',
};

function objectType(node: JsonObject, environment: Environment, counter: { next: number }): string {
  const values = node['additionalProperties'];
  if (isObject(values)) return `map<string, ${typeOf(values, environment, counter)}>`;
  if (values === true) return 'map<string, dyn>';
  const fields: Record<string, string> = {};
  for (const [name, child] of Object.entries(objectAt(node, 'properties')))
    setMember(fields, escaped(name), isObject(child) ? typeOf(child, environment, counter) : 'dyn');
  if (node['x-kubernetes-embedded-resource'] === true) {
    fields['apiVersion'] ??= 'string';
    fields['kind'] ??= 'string';
    fields['metadata'] ??= 'map<string, dyn>';
  }
  counter.next += 1;
  const name = `Object${counter.next}`;
  environment.registerType(name, { fields });
  // Every type can be compared with itself; the library knows that of its own types only.
  environment.registerOperator(`${name} == ${name}`, (a: unknown, b: unknown) => deepEqual(a, b));
  return name;
}

/** Property names that are no identifiers are written with escapes in CEL. */
function escaped(name: string): string {
  return name
    .replaceAll('__', '__underscores__')
    .replaceAll('.', '__dot__')
    .replaceAll('-', '__dash__')
    .replaceAll('/', '__slash__');
}
