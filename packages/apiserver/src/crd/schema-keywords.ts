/** The rules of the single keywords of a CRD's schema, wherever they stand; `structural.ts` has the rules of its shape. */
import { type FieldError, forbidden, invalid, notSupported } from '../wire/field-errors.ts';
import { at, isObject, type JsonObject, objectAt, stringAt } from '../wire/json.ts';
import { children, junctions, propertiesOf } from './schema-walk.ts';
import { extensionErrors } from './structural-extensions.ts';

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const IDENTITY = new Set(['apiVersion', 'kind', 'metadata']);
const UNSUPPORTED = [
  'id',
  'additionalItems',
  'patternProperties',
  'definitions',
  'dependencies',
  '$ref',
] as const;

/** Where a node stands: what is forbidden there beyond the rules of every place. */
interface Place {
  readonly isRoot: boolean;
  /** Inside apiVersion, kind or metadata of the object, or of an object inside it. */
  readonly insideIdentity: boolean;
  /** Why a default may not stand here. */
  readonly noDefault: string | undefined;
}

/** Problems of the keywords of a whole schema. */
export function keywordErrors(schema: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  visit(schema, path, { isRoot: true, insideIdentity: false, noDefault: undefined }, errors);
  return errors;
}

/** Whether the schema has keywords with which it cannot be read as structural at all. */
export function isReadable(schema: JsonObject): boolean {
  const readable = (node: JsonObject): boolean =>
    UNSUPPORTED.every((key) => !isUsed(node, key)) &&
    !Array.isArray(node['items']) &&
    [...children(node, ''), ...junctions(node, '')].every((inner) => readable(inner.schema));
  return readable(schema);
}

function isUsed(node: JsonObject, key: (typeof UNSUPPORTED)[number]): boolean {
  const value = node[key];
  if (value === undefined || value === null || value === '') return false;
  return !isObject(value) || key === 'additionalItems' || Object.keys(value).length > 0;
}

function visit(node: JsonObject, path: string, place: Place, errors: FieldError[]): void {
  errors.push(...ownErrors(node, path, place), ...extensionErrors(node, path));
  for (const { schema, path: where, kind } of children(node, path))
    visit(schema, where, inside(node, where, kind, place), errors);
  for (const { schema, path: where } of junctions(node, path))
    visit(schema, where, { ...place, isRoot: false }, errors);
}

function inside(node: JsonObject, path: string, kind: string, place: Place): Place {
  if (kind === 'additionalProperties')
    return place.insideIdentity
      ? { ...place, isRoot: false, noDefault: 'inside additionalProperties applying to object metadata' }
      : { ...place, isRoot: false };
  if (kind !== 'properties') return { ...place, isRoot: false };
  const name = path.slice(path.lastIndexOf('.properties[') + '.properties['.length, -1);
  const isResource = place.isRoot || node['x-kubernetes-embedded-resource'] === true;
  if (!isResource || !IDENTITY.has(name)) return { ...place, isRoot: false };
  return {
    isRoot: false,
    insideIdentity: true,
    noDefault: place.isRoot ? `in top-level ${name}` : place.noDefault,
  };
}

function ownErrors(node: JsonObject, path: string, place: Place): FieldError[] {
  const errors: FieldError[] = [];
  const type = stringAt(node, 'type');
  if (type !== '' && !TYPES.includes(type)) errors.push(notSupported(`${path}.type`, type, TYPES));
  if (at(node, 'default') !== undefined && place.noDefault !== undefined)
    errors.push(forbidden(`${path}.default`, `must not be set ${place.noDefault}`));
  for (const key of UNSUPPORTED)
    if (isUsed(node, key)) errors.push(forbidden(`${path}.${key}`, `${key} is not supported`));
  if (type === 'null')
    errors.push(forbidden(`${path}.type`, 'type cannot be set to null, use nullable as an alternative'));
  if (Array.isArray(node['items']))
    errors.push(forbidden(`${path}.items`, 'items must be a schema object and not an array'));
  if (place.insideIdentity && node['x-kubernetes-embedded-resource'] === true)
    errors.push(
      forbidden(`${path}.x-kubernetes-embedded-resource`, 'must not be used inside of resource meta'),
    );
  if (node['uniqueItems'] === true)
    errors.push(
      forbidden(
        `${path}.uniqueItems`,
        'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
      ),
    );
  const values = node['additionalProperties'];
  if (propertiesOf(node).length > 0 && (isObject(values) || values === false))
    errors.push(
      forbidden(`${path}.additionalProperties`, 'additionalProperties and properties are mutual exclusive'),
    );
  return errors;
}

/** Root schemas of kinds with a status subresource may only have keywords that survive the status being taken out. */
const AT_ROOT = [
  'Description',
  'Type',
  'Format',
  'Title',
  'Maximum',
  'ExclusiveMaximum',
  'Minimum',
  'ExclusiveMinimum',
  'MaxLength',
  'MinLength',
  'Pattern',
  'MaxItems',
  'MinItems',
  'UniqueItems',
  'MultipleOf',
  'Required',
  'Items',
  'Properties',
  'ExternalDocs',
  'Example',
  'XPreserveUnknownFields',
  'XValidations',
];

export function rootErrors(schema: JsonObject, path: string, hasStatus: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const type = stringAt(schema, 'type');
  if (hasStatus && type !== '' && type !== 'object')
    errors.push(
      invalid(
        `${path}.type`,
        type,
        'only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
      ),
    );
  const other = Object.keys(schema).filter(
    (key) => isNotEmpty(schema, key) && !AT_ROOT.includes(goName(key)),
  );
  if (hasStatus && other.length > 0)
    errors.push({
      field: path,
      reason: 'FieldValueInvalid',
      message: `Invalid value: only [${AT_ROOT.join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`,
    });
  if (schema['nullable'] === true)
    errors.push(forbidden(`${path}.nullable`, 'nullable cannot be true at the root'));
  return errors;
}

function isNotEmpty(schema: JsonObject, key: string): boolean {
  const value = schema[key];
  if (value === undefined || value === null || value === false || value === '' || value === 0) return false;
  if (Array.isArray(value)) return value.length > 0;
  return (
    !isObject(value) || key === 'not' || key === 'default' || Object.keys(objectAt(schema, key)).length > 0
  );
}

/** `x-kubernetes-list-type` → `XListType`, `maxLength` → `MaxLength`. */
function goName(key: string): string {
  return key
    .replace(/^x-kubernetes-/, 'X-')
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
