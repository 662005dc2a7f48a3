/**
 * How large values of a schema may be at most, and how few bytes they take at least: what Kubernetes estimates the
 * cost of CEL rules from. A list without `maxItems` has as many items as fit into a request. Pure.
 */
import { arrayAt, asString, isObject, type JsonObject, objectAt, stringAt } from '../../../wire/json.ts';
import { fieldNames } from '../field-names.ts';

/** No object is larger than a request. */
export const REQUEST_BYTES = 3 * 1024 * 1024;

export interface SizedType {
  /** Bytes of a text, items of a list, entries of a map; 0 for what has no size. */
  readonly most: number;
  /** The fewest bytes of a value in JSON. */
  readonly leastBytes: number;
  /** Of a list or a map. */
  readonly element?: SizedType;
  /** Only maps have keys. */
  readonly keys?: SizedType;
  /** Of an object, by the names that expressions use. */
  readonly fields?: ReadonlyMap<string, SizedType>;
}

/** Kubernetes gives keys of maps no length. */
const KEYS: SizedType = { most: 0, leastBytes: 2 };
const scalar = (leastBytes: number, most = 0): SizedType => ({ most, leastBytes });
const SCALARS: ReadonlyMap<string, SizedType> = new Map([
  ['boolean', scalar(4)],
  ['integer', scalar(1)],
  ['number', scalar(1)],
]);
/** Texts whose format limits them, with their quotes. */
const FORMATS: ReadonlyMap<string, SizedType> = new Map([
  ['duration', scalar(3, 32)],
  ['date', scalar(12, 12)],
  ['date-time', scalar(21, 32)],
]);
/** A character has at most four bytes. */
const BYTES_OF_CHARACTER = 4;

/** Undefined where expressions see nothing, as below unknown fields. */
export function sizedType(schema: JsonObject, isRoot = false): SizedType | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) return scalar(1, textBytes(schema));
  const type = stringAt(schema, 'type');
  if (type === 'array') return listType(schema);
  if (type === 'object')
    return isObject(schema['additionalProperties']) ? mapType(schema) : objectType(schema, isRoot);
  return type === 'string' ? textType(schema) : SCALARS.get(type);
}

function textType(schema: JsonObject): SizedType {
  const format = stringAt(schema, 'format');
  const known = FORMATS.get(format);
  if (known !== undefined) return known;
  const length = limit(schema, 'maxLength');
  if (format === 'byte') return scalar(2, length ?? REQUEST_BYTES - 2);
  const values = arrayAt(schema, 'enum');
  if (length === undefined && values.length > 0)
    return scalar(2, Math.max(...values.map((value) => Buffer.byteLength(asString(value)))));
  return scalar(2, textBytes(schema));
}

function textBytes(schema: JsonObject): number {
  const length = limit(schema, 'maxLength');
  return length === undefined ? REQUEST_BYTES - 2 : length * BYTES_OF_CHARACTER;
}

function listType({ items, ...schema }: JsonObject): SizedType | undefined {
  const element = isObject(items) ? sizedType(items, isEmbedded(items)) : undefined;
  if (element === undefined) return undefined;
  return { most: limit(schema, 'maxItems') ?? fitting(element.leastBytes + 1), leastBytes: 2, element };
}

function mapType({ additionalProperties: values, ...schema }: JsonObject): SizedType | undefined {
  const element = isObject(values) ? sizedType(values, isEmbedded(values)) : undefined;
  if (element === undefined) return undefined;
  // The shortest entry has a key of two bytes, quotes, a colon and a comma.
  const most = limit(schema, 'maxProperties') ?? fitting(element.leastBytes + 6);
  return { most, leastBytes: 2, element, keys: KEYS };
}

const TEXT: JsonObject = { type: 'string' };
const ROOT: JsonObject = {
  apiVersion: TEXT,
  kind: TEXT,
  metadata: { type: 'object', properties: { name: TEXT, generateName: TEXT } },
};

function objectType(schema: JsonObject, isRoot: boolean): SizedType {
  const fields = new Map<string, SizedType>();
  const required = new Set(arrayAt(schema, 'required').map(asString));
  let leastBytes = 2;
  for (const [name, property] of Object.entries({
    ...objectAt(schema, 'properties'),
    ...(isRoot ? ROOT : {}),
  })) {
    const type = isObject(property) ? sizedType(property, isEmbedded(property)) : undefined;
    if (type === undefined) continue;
    for (const known of fieldNames(name)) fields.set(known, type);
    // What has a default need not be sent.
    if (required.has(name) && isObject(property) && property['default'] === undefined)
      leastBytes += Buffer.byteLength(name) + type.leastBytes + 4;
  }
  return { most: 0, leastBytes, fields };
}

function isEmbedded(schema: JsonObject): boolean {
  return schema['x-kubernetes-embedded-resource'] === true;
}

function limit(schema: JsonObject, keyword: string): number | undefined {
  const value = schema[keyword];
  return typeof value === 'number' ? Math.max(0, value) : undefined;
}

function fitting(bytesEach: number): number {
  return Math.floor((REQUEST_BYTES - 2) / bytesEach);
}
