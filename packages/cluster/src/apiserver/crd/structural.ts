/** The rules of a CRD's schema: it must be structural, and its extensions must make sense together. */
import { type FieldError, forbidden, invalid, notSupported, required } from '../wire/field-errors.ts';
import {
  arrayAt,
  asString,
  at,
  isObject,
  type Json,
  type JsonObject,
  objectAt,
  stringAt,
} from '../wire/json.ts';
import { extensionErrors } from './structural-extensions.ts';

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const JUNCTORS = ['allOf', 'anyOf', 'oneOf'] as const;

/** Problems of one version's schema; `path` is where the schema stands. */
export function structuralErrors(schema: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = unsupported(schema, path);
  if (errors.length > 0) return errors;
  errors.push(...rootErrors(schema, path));
  visit(schema, path, errors, 'root');
  return errors;
}

function rootErrors(schema: JsonObject, path: string): FieldError[] {
  const type = stringAt(schema, 'type');
  const errors: FieldError[] = [];
  if (type === '') errors.push(required(`${path}.type`, 'must not be empty at the root'));
  else if (type !== 'object') errors.push(invalid(`${path}.type`, type, 'must be object at the root'));
  errors.push(...metadataErrors(schema, path));
  return errors;
}

/** apiVersion, kind and metadata are given by the API; a schema may only narrow the names. */
function metadataErrors(schema: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const properties = objectAt(schema, 'properties');
  for (const key of ['apiVersion', 'kind']) {
    const type = stringAt(properties, key, 'type');
    if (at(properties, key) !== undefined && type !== 'string')
      errors.push(invalid(`${path}.properties[${key}].type`, type, 'must be string'));
  }
  const metadata = properties['metadata'];
  if (!isObject(metadata)) return errors;
  const here = `${path}.properties[metadata]`;
  const type = stringAt(metadata, 'type');
  if (type !== 'object') return [...errors, invalid(`${here}.type`, type, 'must be object')];
  const { type: _type, properties: named, ...rest } = metadata;
  const names = Object.keys(isObject(named) ? named : {});
  if (Object.keys(rest).length > 0 || names.some((name) => name !== 'name' && name !== 'generateName'))
    errors.push(
      forbidden(
        here,
        'must not specify anything other than name and generateName, but metadata is implicitly specified',
      ),
    );
  return errors;
}

/** Parts of JSON schema that CRDs do not take at all; found before anything else is looked at. */
function unsupported(node: Json, path: string): FieldError[] {
  if (!isObject(node)) return [];
  const errors: FieldError[] = [];
  if (node['uniqueItems'] === true)
    errors.push(
      forbidden(
        `${path}.uniqueItems`,
        'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
      ),
    );
  if (stringAt(node, '$ref') !== '') errors.push(forbidden(`${path}.$ref`, '$ref is not supported'));
  for (const key of ['definitions', 'patternProperties', 'dependencies'])
    if (Object.keys(objectAt(node, key)).length > 0)
      errors.push(forbidden(`${path}.${key}`, `${key} is not supported`));
  if (Array.isArray(node['items']))
    errors.push(forbidden(`${path}.items`, 'items must be a schema object and not an array'));
  if (isObject(node['additionalProperties']) && Object.keys(objectAt(node, 'properties')).length > 0)
    errors.push(
      forbidden(`${path}.additionalProperties`, 'additionalProperties and properties are mutual exclusive'),
    );
  const type = stringAt(node, 'type');
  if (type !== '' && !TYPES.includes(type)) errors.push(notSupported(`${path}.type`, type, TYPES));
  for (const [child, where] of children(node, path)) errors.push(...unsupported(child, where));
  for (const [child, where] of juncted(node, path)) errors.push(...unsupported(child, where));
  return errors;
}

/** The schemas of values inside, with their paths. */
function children(node: JsonObject, path: string): [JsonObject, string][] {
  const out: [JsonObject, string][] = [];
  for (const [name, child] of Object.entries(objectAt(node, 'properties')).toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  ))
    if (isObject(child)) out.push([child, `${path}.properties[${name}]`]);
  if (isObject(node['items'])) out.push([node['items'], `${path}.items`]);
  if (isObject(node['additionalProperties']))
    out.push([node['additionalProperties'], `${path}.additionalProperties`]);
  return out;
}

function juncted(node: JsonObject, path: string): [JsonObject, string][] {
  const out: [JsonObject, string][] = [];
  for (const key of JUNCTORS)
    arrayAt(node, key).forEach((child, i) => {
      if (isObject(child)) out.push([child, `${path}.${key}[${i}]`]);
    });
  if (isObject(node['not'])) out.push([node['not'], `${path}.not`]);
  return out;
}

type Place = 'root' | 'field' | 'item';

function visit(node: JsonObject, path: string, errors: FieldError[], place: Place): void {
  const type = stringAt(node, 'type');
  const free =
    node['x-kubernetes-int-or-string'] === true || node['x-kubernetes-preserve-unknown-fields'] === true;
  if (type === '' && place !== 'root' && !free)
    errors.push(
      required(
        `${path}.type`,
        place === 'item'
          ? 'must not be empty for specified array items'
          : 'must not be empty for specified object fields',
      ),
    );
  if (type === 'array' && !isObject(node['items']))
    errors.push(required(`${path}.items`, 'must be specified'));
  errors.push(...extensionErrors(node, path));
  for (const [child, where] of juncted(node, path)) junctorErrors(child, where, errors, intOrString(node));
  for (const [child, where] of children(node, path))
    visit(child, where, errors, where.endsWith('.items') && type === 'array' ? 'item' : 'field');
}

/** The one pair of types that may stand in anyOf: the two of an int-or-string. */
function intOrString(node: JsonObject): boolean {
  if (node['x-kubernetes-int-or-string'] !== true) return false;
  const pair = (list: readonly Json[]): boolean =>
    list.length === 2 &&
    asString(at(list[0], 'type')) === 'integer' &&
    asString(at(list[1], 'type')) === 'string';
  return pair(arrayAt(node, 'anyOf')) || arrayAt(node, 'allOf').some((part) => pair(arrayAt(part, 'anyOf')));
}

const VALUE_ONLY = [
  'description',
  'type',
  'default',
  'additionalProperties',
  'nullable',
  'title',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-validations',
] as const;

/** Inside allOf, anyOf, oneOf and not only values may be checked; the shape stands outside. */
function junctorErrors(node: JsonObject, path: string, errors: FieldError[], typesAllowed: boolean): void {
  for (const key of VALUE_ONLY) {
    if (node[key] === undefined || (key === 'type' && typesAllowed)) continue;
    const word =
      key === 'default' || key === 'additionalProperties'
        ? 'undefined'
        : key === 'nullable' || (key.startsWith('x-') && typeof node[key] === 'boolean')
          ? 'false'
          : 'empty';
    errors.push(forbidden(`${path}.${key}`, `must be ${word} to be structural`));
  }
  for (const [child, where] of juncted(node, path)) junctorErrors(child, where, errors, typesAllowed);
  for (const [child, where] of children(node, path)) junctorErrors(child, where, errors, false);
}
