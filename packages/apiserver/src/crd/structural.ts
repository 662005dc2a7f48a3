/**
 * A CRD's schema must be structural: every value has a type outside of allOf, anyOf, oneOf and not, and what
 * those check is described outside of them too. `schema-keywords.ts` has the rules of the single keywords.
 */
import { deepEqual } from '@podvisor/base';
import { type FieldError, forbidden, invalid, required } from '../wire/field-errors.ts';
import { arrayAt, at, isObject, type Json, type JsonObject, objectAt, stringAt } from '../wire/json.ts';
import { children, junctions, propertiesOf } from './schema-walk.ts';
import { goPattern } from './pattern/go-pattern.ts';

type Level = 'root' | 'item' | 'field';

const EMPTY_TYPE: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

/** Problems of one version's schema; `path` is where the schema stands. */
export function structuralErrors(schema: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  visit(schema, path, 'root', errors);
  complete(schema, schema, path, path, errors);
  return errors;
}

function visit(node: JsonObject, path: string, level: Level, errors: FieldError[]): void {
  if (stringAt(node, 'type') === 'array' && !isObject(node['items']))
    errors.push(required(`${path}.items`, 'must be specified'));
  for (const { schema, path: where, kind } of children(node, path))
    visit(schema, where, kind === 'items' ? 'item' : 'field', errors);
  const values = node['additionalProperties'];
  if (level === 'root' && (isObject(values) || values === true))
    errors.push(forbidden(`${path}.additionalProperties`, 'must not be used at the root'));
  errors.push(...extensionErrors(node, path), ...typeErrors(node, path, level));
  valueErrors(node, path, errors, isPair(arrayAt(node, 'anyOf')), isPair(firstAnyOf(node)));
  errors.push(...identityErrors(node, path, level));
}

function extensionErrors(node: JsonObject, path: string): FieldError[] {
  if (node['x-kubernetes-int-or-string'] !== true) return [];
  return ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource']
    .filter((key) => node[key] === true)
    .map((key) => invalid(`${path}.${key}`, true, 'must be false if x-kubernetes-int-or-string is true'));
}

function typeErrors(node: JsonObject, path: string, level: Level): FieldError[] {
  const errors: FieldError[] = [];
  const type = stringAt(node, 'type');
  const embedded = node['x-kubernetes-embedded-resource'] === true;
  const open = node['x-kubernetes-preserve-unknown-fields'] === true;
  if (embedded && type !== 'object') {
    const reason = 'must be object if x-kubernetes-embedded-resource is true';
    errors.push(type === '' ? required(`${path}.type`, reason) : invalid(`${path}.type`, type, reason));
  } else if (type === '' && node['x-kubernetes-int-or-string'] !== true && !open)
    errors.push(required(`${path}.type`, EMPTY_TYPE[level]));
  if (embedded && (isObject(node['additionalProperties']) || node['additionalProperties'] === true))
    errors.push(
      forbidden(`${path}.additionalProperties`, 'must not be used if x-kubernetes-embedded-resource is set'),
    );
  if (level === 'root' && type !== '' && type !== 'object')
    errors.push(invalid(`${path}.type`, type, 'must be object at the root'));
  if (embedded && !open && propertiesOf(node).length === 0)
    errors.push(
      required(
        `${path}.properties`,
        'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
      ),
    );
  return errors;
}

/** apiVersion, kind and metadata of a resource are given by the API; a schema may only narrow the names. */
function identityErrors(node: JsonObject, path: string, level: Level): FieldError[] {
  const isResource = level === 'root' || node['x-kubernetes-embedded-resource'] === true;
  if (!isResource) return [];
  const errors: FieldError[] = [];
  const properties = objectAt(node, 'properties');
  for (const key of ['kind', 'apiVersion']) {
    const type = stringAt(properties, key, 'type');
    if (isObject(properties[key]) && type !== 'string')
      errors.push(invalid(`${path}.properties[${key}].type`, type, 'must be string'));
  }
  const { metadata } = properties;
  if (!isObject(metadata)) return errors;
  const here = `${path}.properties[metadata]`;
  const type = stringAt(metadata, 'type');
  if (type !== 'object') errors.push(invalid(`${here}.type`, type, 'must be object'));
  if (level !== 'root') return errors;
  const { type: _type, default: _default, properties: _named, ...rest } = metadata;
  const names = propertiesOf(metadata).map(([name]) => name);
  if (Object.keys(rest).length > 0 || names.some((name) => name !== 'name' && name !== 'generateName'))
    errors.push(
      forbidden(
        here,
        'must not specify anything other than name and generateName, but metadata is implicitly specified',
      ),
    );
  return errors;
}

const PAIR: readonly Json[] = [{ type: 'integer' }, { type: 'string' }];

/** The one pair of types that may stand in anyOf: the two of an int-or-string. */
function isPair(list: readonly Json[]): boolean {
  return deepEqual(list, PAIR);
}

function firstAnyOf(node: JsonObject): readonly Json[] {
  return arrayAt(arrayAt(node, 'allOf')[0], 'anyOf');
}

/** Inside allOf, anyOf, oneOf and not only values are checked. */
function valueErrors(
  node: JsonObject,
  path: string,
  errors: FieldError[],
  skipAnyOf: boolean,
  skipFirstAllOf: boolean,
): void {
  for (const { schema, path: where, key, index } of junctions(node, path)) {
    if (key === 'anyOf' && skipAnyOf) continue;
    nestedErrors(schema, where, errors, key === 'allOf' && index === 0 && skipFirstAllOf);
  }
  const pattern = stringAt(node, 'pattern');
  const problem = pattern === '' ? undefined : patternProblem(pattern);
  if (problem !== undefined)
    errors.push(
      invalid(`${path}.pattern`, pattern, `must be a valid regular expression, but isn't: ${problem}`),
    );
}

/** Keyword → the word that says how it must be inside a junction. */
const NOT_IN_VALUES: Readonly<Record<string, string>> = {
  type: 'empty',
  additionalProperties: 'undefined',
  default: 'undefined',
  title: 'empty',
  description: 'empty',
  nullable: 'false',
  'x-kubernetes-preserve-unknown-fields': 'false',
  'x-kubernetes-embedded-resource': 'false',
  'x-kubernetes-int-or-string': 'false',
  'x-kubernetes-list-map-keys': 'empty',
  'x-kubernetes-list-type': 'undefined',
  'x-kubernetes-map-type': 'undefined',
  'x-kubernetes-validations': 'empty',
};

function nestedErrors(node: JsonObject, path: string, errors: FieldError[], skipAnyOf: boolean): void {
  valueErrors(node, path, errors, skipAnyOf, false);
  for (const { schema, path: where, kind } of children(node, path))
    if (kind !== 'additionalProperties') nestedErrors(schema, where, errors, false);
  for (const [key, word] of Object.entries(NOT_IN_VALUES))
    if (isSet(node[key])) errors.push(forbidden(`${path}.${key}`, `must be ${word} to be structural`));
  if (at(node, 'properties', 'metadata') !== undefined)
    errors.push(forbidden(`${path}.properties[metadata]`, 'must not be specified in a nested context'));
}

/** False for what Go holds to be nothing: absent, false, an empty text or list. */
function isSet(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === false || value === '') return false;
  return !Array.isArray(value) || value.length > 0;
}

/** What a junction checks must be there outside of it. `shape` is the schema outside, undefined where there is none. */
function complete(
  node: JsonObject,
  shape: JsonObject | undefined,
  shapePath: string,
  path: string,
  errors: FieldError[],
): void {
  for (const junction of junctions(node, path))
    nested(junction.schema, shape, shapePath, junction.path, errors);
}

function nested(
  node: JsonObject,
  shape: JsonObject | undefined,
  shapePath: string,
  path: string,
  errors: FieldError[],
): void {
  if (shape === undefined) {
    errors.push(required(shapePath, `because it is defined in ${path}`));
    return;
  }
  complete(node, shape, shapePath, path, errors);
  if (isObject(node['items']))
    nested(node['items'], childOf(shape, 'items'), `${shapePath}.items`, `${path}.items`, errors);
  for (const [name, child] of propertiesOf(node)) {
    const outside = at(shape, 'properties', name);
    nested(
      child,
      isObject(outside) ? outside : undefined,
      `${shapePath}.properties[${name}]`,
      `${path}.properties[${name}]`,
      errors,
    );
  }
}

function childOf(node: JsonObject, key: string): JsonObject | undefined {
  const child = node[key];
  return isObject(child) ? child : undefined;
}

function patternProblem(pattern: string): string | undefined {
  try {
    goPattern(pattern);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
