/**
 * Decodes a JSON value as a built-in type, the way Go's decoder fills a struct: fields come out in the
 * type's order, null and empty values that Go would not write are dropped, unknown fields are noted, and a
 * value of the wrong type is an error in Go's words.
 */
import { isQuantity, parseQuantity, setMember } from '@podvisor/base';
import { isObject, isRawNumber, type Json, type JsonObject } from '../wire/json.ts';
import type { FieldSchema, ScalarSchema, Schema, StructSchema } from './schema.ts';

/** The value does not fit the Go type. The message is Go's. */
export class DecodeError extends Error {
  /** The same problem as the converter of unstructured objects words it. */
  readonly conversion: string;

  constructor(message: string, conversion = message) {
    super(message);
    this.conversion = conversion;
  }
}

interface Context {
  readonly unknown: string[];
  /** Path without indices, as Go names a struct field in an error. */
  goPath: string;
  struct: string;
}

/** Decodes; paths of fields that the type does not have are added to `unknown`. */
export function decodeAs(schema: StructSchema, value: Json, unknown: string[]): JsonObject {
  const context: Context = { unknown, goPath: '', struct: schema.name };
  return (decodeStruct(schema, value, '', context) ?? {}) as JsonObject;
}

function decode(schema: Schema, value: Json, path: string, context: Context): Json | undefined {
  if (value === null) return schema.shape === 'scalar' && schema.type === 'any' ? null : undefined;
  switch (schema.shape) {
    case 'struct':
      return decodeStruct(schema, value, path, context);
    case 'map': {
      if (!isObject(value)) throw mismatch(value, schema, context);
      const out: JsonObject = {};
      for (const key in value) {
        const item = value[key];
        if (item === undefined) continue;
        const decoded = decode(schema.element, item, path === '' ? key : `${path}.${key}`, context);
        setMember(out, key, decoded ?? zero(schema.element));
      }
      return out;
    }
    case 'list':
      if (!Array.isArray(value)) throw mismatch(value, schema, context);
      return value.map(
        (item, i) => decode(schema.element, item, `${path}[${i}]`, context) ?? zero(schema.element),
      );
    case 'scalar':
      return decodeScalar(schema, value, context);
  }
}

function decodeStruct(schema: StructSchema, value: Json, path: string, context: Context): Json | undefined {
  if (value === null) return undefined;
  if (!isObject(value)) throw mismatch(value, schema, context);
  const out: JsonObject = {};
  const { struct, goPath } = context;
  // Go meets unknown fields in the order of the text: first look at the given keys, then write in type order.
  const decoded = new Map<string, Json | undefined>();
  for (const key in value) {
    const given = value[key];
    const field = schema.fields.get(key);
    const here = path === '' ? key : `${path}.${key}`;
    if (field === undefined) {
      if (!schema.open) context.unknown.push(here);
      else if (given !== undefined) decoded.set(key, given);
      continue;
    }
    if (given === undefined) continue;
    context.struct = schema.name;
    context.goPath = goPath === '' ? key : `${goPath}.${key}`;
    decoded.set(key, decode(field.schema, given, here, context));
  }
  [context.struct, context.goPath] = [struct, goPath];
  for (const field of schema.fields.values()) {
    const kept = keep(field, decoded.get(field.name));
    if (kept !== undefined) out[field.name] = kept;
  }
  return out;
}

/** What Go would write for the field: nothing for empty values, unless the field says otherwise. */
function keep(field: FieldSchema, value: Json | undefined): Json | undefined {
  if (value === undefined) {
    if (field.nullable) return null;
    if (field.always && field.schema.shape === 'struct') return emptyStruct(field.schema);
    return field.required && field.schema.shape === 'scalar' ? zero(field.schema) : undefined;
  }
  if (field.pointer || field.required || field.nullable) return value;
  if (value === '' || value === 0 || value === false) return undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value;
  if (field.schema.shape === 'map' && isObject(value) && Object.keys(value).length === 0) return undefined;
  return value;
}

function emptyStruct(schema: StructSchema): JsonObject {
  const out: JsonObject = {};
  for (const field of schema.fields.values()) {
    const kept = keep(field, undefined);
    if (kept !== undefined) out[field.name] = kept;
  }
  return out;
}

function zero(schema: Schema): Json {
  if (schema.shape === 'struct') return emptyStruct(schema);
  if (schema.shape !== 'scalar') return null;
  if (schema.type === 'bool') return false;
  if (
    schema.type === 'int32' ||
    schema.type === 'int64' ||
    schema.type === 'double' ||
    schema.type === 'intOrString'
  )
    return 0;
  if (
    schema.type === 'time' ||
    schema.type === 'microtime' ||
    schema.type === 'any' ||
    schema.type === 'bytes'
  )
    return null;
  return schema.type === 'quantity' ? '0' : '';
}

function decodeScalar(schema: ScalarSchema, value: Json, context: Context): Json {
  switch (schema.type) {
    case 'any':
      return value;
    case 'string':
      if (typeof value !== 'string') throw mismatch(value, schema, context);
      return value;
    case 'bool':
      if (typeof value !== 'boolean') throw mismatch(value, schema, context);
      return value;
    case 'int32':
    case 'int64':
    case 'integer':
      if (isRawNumber(value)) return value;
      if (typeof value !== 'number') throw mismatch(value, schema, context);
      if (!Number.isInteger(value) || (schema.type === 'int32' && !isInt32(value)))
        throw mismatch(value, schema, context, true);
      return value;
    case 'double':
      if (typeof value !== 'number') throw mismatch(value, schema, context);
      return value;
    case 'intOrString':
      if (typeof value === 'string') return value;
      if (typeof value === 'number') {
        if (!isInt32(value)) throw mismatch(value, INT32, context, true);
        return value;
      }
      throw new DecodeError(`json: cannot unmarshal ${jsonKind(value)} into Go value of type int32`);
    case 'quantity':
      return decodeQuantity(value);
    case 'bytes':
      if (typeof value !== 'string') throw mismatch(value, schema, context);
      return decodeBytes(value);
    case 'time':
    case 'microtime':
      if (typeof value !== 'string')
        throw new DecodeError(`json: cannot unmarshal ${jsonKind(value)} into Go value of type string`);
      return decodeTime(value, schema.type);
  }
}

const INT32: ScalarSchema = { shape: 'scalar', type: 'int32', atomic: false };

function isInt32(value: number): boolean {
  return Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31;
}

function decodeQuantity(value: Json): string {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !isQuantity(text)) {
    const bad = typeof text === 'string' && !/^[+-]?[0-9.]/.test(text);
    if (bad || typeof text !== 'string') {
      throw new DecodeError(
        "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
      );
    }
    throw new DecodeError(
      /[^0-9.eEinumkKMGTP+-]/.test(text)
        ? "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
        : "unable to parse quantity's suffix",
    );
  }
  return canonicalQuantity(text);
}

/** The text Kubernetes writes for a quantity. */
export function canonicalQuantity(text: string): string {
  return parseQuantity(text).toString();
}

function decodeBytes(text: string): string {
  const clean = text.replace(/[\r\n]/g, '');
  const bad = /[^A-Za-z0-9+/=]/.exec(clean);
  if (bad !== null) throw new DecodeError(`illegal base64 data at input byte ${bad.index}`);
  if (clean.length % 4 !== 0)
    throw new DecodeError(`illegal base64 data at input byte ${clean.length - (clean.length % 4)}`);
  return clean;
}

const TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

function decodeTime(text: string, type: 'time' | 'microtime'): string | null {
  if (text === '') return null;
  const layout = type === 'time' ? '2006-01-02T15:04:05Z07:00' : '2006-01-02T15:04:05.000000Z07:00';
  if (!TIME.test(text))
    throw new DecodeError(`parsing time "${text}" as "${layout}": cannot parse "${text}" as "2006"`);
  const epoch = Date.parse(text);
  if (type === 'microtime') {
    const micros = (/\.(\d+)/.exec(text)?.[1] ?? '').padEnd(6, '0').slice(0, 6);
    return `${new Date(epoch).toISOString().slice(0, 19)}.${micros}Z`;
  }
  return `${new Date(epoch).toISOString().slice(0, 19)}Z`;
}

function jsonKind(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (isRawNumber(value)) return 'number';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

function mismatch(value: Json, schema: Schema, context: Context, withValue = false): DecodeError {
  const what = withValue ? `number ${JSON.stringify(value)}` : jsonKind(value);
  if (context.goPath === '')
    return new DecodeError(`json: cannot unmarshal ${what} into Go value of type ${goType(schema)}`);
  return new DecodeError(
    `json: cannot unmarshal ${what} into Go struct field ${context.struct}.${context.goPath} of type ${goType(schema)}`,
    conversionProblem(value, schema),
  );
}

function conversionProblem(value: Json, schema: Schema): string {
  const got =
    typeof value === 'number'
      ? Number.isInteger(value)
        ? 'int64'
        : 'float64'
      : Array.isArray(value)
        ? 'slice'
        : isObject(value)
          ? 'map'
          : jsonKind(value);
  if (schema.shape === 'map') return `cannot restore map from ${got}`;
  if (schema.shape === 'list') return `cannot restore slice from ${got}`;
  if (schema.shape === 'struct') return `cannot restore struct from: ${got}`;
  return `cannot convert ${got} to ${goType(schema)}`;
}

function goType(schema: Schema): string {
  switch (schema.shape) {
    case 'struct':
      return `v1.${schema.name}`;
    case 'list':
      return `[]${goType(schema.element)}`;
    case 'map':
      return `map[string]${goType(schema.element)}`;
    case 'scalar':
      if (schema.type === 'bytes') return '[]uint8';
      if (schema.type === 'double') return 'float64';
      if (schema.type === 'time') return 'v1.Time';
      return schema.type;
  }
}
