/** Rules of the x-kubernetes-* extensions of one schema node: how its lists and maps are merged. */
import { memberOf } from '@podvisor/base';
import { type FieldError, forbidden, invalid, notSupported, required } from '../wire/field-errors.ts';
import { arrayAt, asString, at, isObject, type JsonObject, objectAt, stringAt } from '../wire/json.ts';

const LIST_TYPES = ['atomic', 'set', 'map'];
const MAP_TYPES = ['atomic', 'granular'];

export function extensionErrors(node: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (node['x-kubernetes-preserve-unknown-fields'] === false)
    errors.push(invalid(`${path}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined'));
  return [...errors, ...mapErrors(node, path), ...listErrors(node, path), ...keyFieldErrors(node, path)];
}

function mapErrors(node: JsonObject, path: string): FieldError[] {
  const mapType = node['x-kubernetes-map-type'];
  if (mapType === undefined) return [];
  return [
    ...wrongType(node, path, 'object', 'x-kubernetes-map-type'),
    ...(MAP_TYPES.includes(asString(mapType))
      ? []
      : [notSupported(`${path}.x-kubernetes-map-type`, mapType, MAP_TYPES)]),
  ];
}

/** An extension that only makes sense with one type. */
function wrongType(node: JsonObject, path: string, wanted: string, extension: string): FieldError[] {
  const type = stringAt(node, 'type');
  const reason = `must be ${wanted} if ${extension} is specified`;
  if (type === wanted) return [];
  return [type === '' ? required(`${path}.type`, reason) : invalid(`${path}.type`, type, reason)];
}

function listErrors(node: JsonObject, path: string): FieldError[] {
  const listType = node['x-kubernetes-list-type'];
  const keys = arrayAt(node, 'x-kubernetes-list-map-keys').map(asString);
  const where = `${path}.x-kubernetes-list-type`;
  const errors: FieldError[] = [];
  if (listType !== undefined) {
    const mistyped = wrongType(node, path, 'array', 'x-kubernetes-list-type');
    errors.push(...(mistyped.length === 0 && listType === 'set' ? setItemErrors(node, path) : mistyped));
    if (!LIST_TYPES.includes(asString(listType))) errors.push(notSupported(where, listType, LIST_TYPES));
  }
  if (keys.length > 0 && listType !== 'map') {
    const reason = 'must be map if x-kubernetes-list-map-keys is non-empty';
    errors.push(listType === undefined ? required(where, reason) : invalid(where, listType, reason));
  }
  if (listType === 'map') errors.push(...mapListErrors(node, path, keys));
  return errors;
}

/** Items of a set are compared whole, so they may not be merged field by field. */
function setItemErrors(node: JsonObject, path: string): FieldError[] {
  const items = objectAt(node, 'items');
  const listType = items['x-kubernetes-list-type'];
  const reason = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  switch (stringAt(items, 'type')) {
    case 'array':
      return (listType ?? 'atomic') === 'atomic'
        ? []
        : [invalid(`${path}.items.x-kubernetes-list-type`, listType, reason)];
    case 'object':
      // Kubernetes shows the list type here, which an object does not have.
      return items['x-kubernetes-map-type'] === 'atomic'
        ? []
        : [invalid(`${path}.items.x-kubernetes-map-type`, listType ?? null, reason)];
    default:
      return [];
  }
}

function mapListErrors(node: JsonObject, path: string, keys: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  const where = `${path}.x-kubernetes-list-map-keys`;
  if (keys.length === 0) errors.push(required(where, 'must not be empty if x-kubernetes-list-type is map'));
  const { items } = node;
  if (!isObject(items)) {
    errors.push(
      items === undefined
        ? required(`${path}.items`, 'must have a schema if x-kubernetes-list-type is map')
        : invalid(`${path}.items`, items, 'must only have a single schema if x-kubernetes-list-type is map'),
    );
    return errors;
  }
  const itemType = stringAt(items, 'type');
  if (itemType !== 'object') {
    const reason = "must be object if parent array's x-kubernetes-list-type is map";
    return [...errors, invalid(`${path}.items.type`, itemType, reason)];
  }
  const properties = objectAt(items, 'properties');
  keys.forEach((key, i) => {
    const property = memberOf(properties, key);
    const type = stringAt(property, 'type');
    if (!isObject(property))
      errors.push(invalid(where, keys, 'entries must all be names of item properties'));
    else if (type === 'array' || type === 'object')
      errors.push(
        invalid(
          `${path}.items.properties[${key}].type`,
          itemType,
          "must be a scalar type if parent array's x-kubernetes-list-type is map",
        ),
      );
    if (keys.indexOf(key) < i) errors.push(invalid(where, keys, 'must not contain duplicate entries'));
  });
  return errors;
}

/** Items of sets and keyed lists are always there, and so are their keys. */
function keyFieldErrors(node: JsonObject, path: string): FieldError[] {
  const listType = asString(node['x-kubernetes-list-type']);
  const { items } = node;
  if (!isObject(items) || (listType !== 'set' && listType !== 'map')) return [];
  const errors: FieldError[] = [];
  if (items['nullable'] === true)
    errors.push(
      forbidden(`${path}.items.nullable`, `cannot be nullable when x-kubernetes-list-type is ${listType}`),
    );
  if (listType === 'set') return errors;
  const needed = new Set(arrayAt(items, 'required').map(asString));
  const about = 'this property is in x-kubernetes-list-map-keys, so it';
  for (const key of arrayAt(node, 'x-kubernetes-list-map-keys').map(asString)) {
    const property = at(items, 'properties', key);
    if (property === undefined) continue;
    const where = `${path}.items.properties[${key}]`;
    if (!needed.has(key) && at(property, 'default') === undefined)
      errors.push(required(`${where}.default`, `${about} must have a default or be a required property`));
    if (at(property, 'nullable') === true)
      errors.push(forbidden(`${where}.nullable`, `${about} cannot be nullable`));
  }
  return errors;
}
