/** Rules of the x-kubernetes-* extensions of one schema node. */
import { memberOf } from '@podvisor/base';
import { type FieldError, invalid, notSupported, required } from '../wire/field-errors.ts';
import { arrayAt, asString, at, isObject, type JsonObject, objectAt, stringAt } from '../wire/json.ts';

const LIST_TYPES = ['atomic', 'set', 'map'];
const MAP_TYPES = ['atomic', 'granular'];

export function extensionErrors(node: JsonObject, path: string): FieldError[] {
  return [...fieldErrors(node, path), ...listErrors(node, path), ...mapErrors(node, path)];
}

function fieldErrors(node: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (node['x-kubernetes-preserve-unknown-fields'] === false)
    errors.push(invalid(`${path}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined'));
  if (node['x-kubernetes-embedded-resource'] !== true) return errors;
  const type = stringAt(node, 'type');
  if (type !== '' && type !== 'object')
    errors.push(invalid(`${path}.type`, type, 'must be object if x-kubernetes-embedded-resource is true'));
  if (
    node['x-kubernetes-preserve-unknown-fields'] !== true &&
    Object.keys(objectAt(node, 'properties')).length === 0
  )
    errors.push(
      required(
        `${path}.properties`,
        'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
      ),
    );
  return errors;
}

function listErrors(node: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const listType = node['x-kubernetes-list-type'];
  const keys = arrayAt(node, 'x-kubernetes-list-map-keys').map(asString);
  const type = stringAt(node, 'type');
  if (listType === undefined) {
    if (keys.length > 0)
      errors.push(
        required(`${path}.x-kubernetes-list-type`, 'must be map if x-kubernetes-list-map-keys is non-empty'),
      );
    return errors;
  }
  if (type !== 'array') {
    if (type === '')
      errors.push(required(`${path}.type`, 'must be array if x-kubernetes-list-type is specified'));
    else errors.push(invalid(`${path}.type`, type, 'must be array if x-kubernetes-list-type is specified'));
  }
  if (!LIST_TYPES.includes(asString(listType)))
    return [...errors, notSupported(`${path}.x-kubernetes-list-type`, listType, LIST_TYPES)];
  if (listType !== 'map' && keys.length > 0)
    errors.push(
      invalid(
        `${path}.x-kubernetes-list-type`,
        listType,
        'must be map if x-kubernetes-list-map-keys is non-empty',
      ),
    );
  if (listType === 'set') errors.push(...setErrors(node, path));
  if (listType === 'map') errors.push(...mapListErrors(node, path, keys));
  return errors;
}

function setErrors(node: JsonObject, path: string): FieldError[] {
  const items = objectAt(node, 'items');
  const itemType = stringAt(items, 'type');
  if (items['nullable'] === true)
    return [
      {
        field: `${path}.items.nullable`,
        reason: 'FieldValueForbidden',
        message: 'Forbidden: cannot be nullable when x-kubernetes-list-type is set',
      },
    ];
  if (itemType === 'object' && items['x-kubernetes-map-type'] !== 'atomic')
    return [
      invalid(
        `${path}.items.x-kubernetes-map-type`,
        items['x-kubernetes-map-type'],
        'must be atomic as item of a list with x-kubernetes-list-type=set',
      ),
    ];
  if (itemType === 'array' && (items['x-kubernetes-list-type'] ?? 'atomic') !== 'atomic')
    return [
      invalid(
        `${path}.items.x-kubernetes-list-type`,
        items['x-kubernetes-list-type'],
        'must be atomic as item of a list with x-kubernetes-list-type=set',
      ),
    ];
  return [];
}

function mapListErrors(node: JsonObject, path: string, keys: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  if (keys.length === 0)
    errors.push(
      required(`${path}.x-kubernetes-list-map-keys`, 'must not be empty if x-kubernetes-list-type is map'),
    );
  const items = node['items'];
  if (!isObject(items))
    return [...errors, required(`${path}.items`, 'must have a schema if x-kubernetes-list-type is map')];
  if (stringAt(items, 'type') !== 'object')
    return [
      ...errors,
      invalid(
        `${path}.items.type`,
        stringAt(items, 'type'),
        "must be object if parent array's x-kubernetes-list-type is map",
      ),
    ];
  const properties = objectAt(items, 'properties');
  const unknown = keys.filter((key) => memberOf(properties, key) === undefined);
  if (unknown.length > 0)
    errors.push(
      invalid(`${path}.x-kubernetes-list-map-keys`, keys, 'entries must all be names of item properties'),
    );
  if (new Set(keys).size !== keys.length)
    errors.push(invalid(`${path}.x-kubernetes-list-map-keys`, keys, 'must not contain duplicate entries'));
  const needed = new Set(arrayAt(items, 'required').map(asString));
  for (const key of keys) {
    const property = memberOf(properties, key);
    if (property === undefined) continue;
    const where = `${path}.items.properties[${key}]`;
    const type = stringAt(property, 'type');
    if (type === 'array' || type === 'object')
      errors.push(
        invalid(
          `${where}.type`,
          type,
          "must be a scalar type if parent array's x-kubernetes-list-type is map",
        ),
      );
    if (!needed.has(key) && at(property, 'default') === undefined)
      errors.push(
        required(
          `${where}.default`,
          'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
        ),
      );
    if (at(property, 'nullable') === true)
      errors.push({
        field: `${where}.nullable`,
        reason: 'FieldValueForbidden',
        message: 'Forbidden: this property is in x-kubernetes-list-map-keys, so it cannot be nullable',
      });
  }
  return errors;
}

function mapErrors(node: JsonObject, path: string): FieldError[] {
  const mapType = node['x-kubernetes-map-type'];
  if (mapType === undefined) return [];
  const type = stringAt(node, 'type');
  const errors: FieldError[] = [];
  if (type !== 'object')
    errors.push(
      type === ''
        ? required(`${path}.type`, 'must be object if x-kubernetes-map-type is specified')
        : invalid(`${path}.type`, type, 'must be object if x-kubernetes-map-type is specified'),
    );
  if (!MAP_TYPES.includes(asString(mapType)))
    errors.push(notSupported(`${path}.x-kubernetes-map-type`, mapType, MAP_TYPES));
  return errors;
}
