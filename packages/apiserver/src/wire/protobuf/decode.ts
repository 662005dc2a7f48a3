/** From the protobuf form of a built-in object to the JSON form that everything else reads. */
import { setMember } from '@podvisor/base';
import type { Schema, StructSchema } from '../../registry/schema.ts';
import type { Json, JsonObject } from '../json.ts';
import { parseJson } from '../json.ts';
import { type Message, messageOf } from './message.ts';
import { bytesOf, ProtobufError, readFields, signed } from './reader.ts';

/** Every protobuf body starts with this. */
export const MAGIC = Buffer.from('k8s\0');

export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Buffer;
}

/** Opens the envelope around an object. Throws ProtobufError. */
export function openEnvelope(bytes: Buffer): Envelope {
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC))
    throw new ProtobufError(
      'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
    );
  const out = { apiVersion: '', kind: '', raw: Buffer.alloc(0) };
  for (const { number, value } of readFields(bytes.subarray(MAGIC.length))) {
    if (number === 2) out.raw = Buffer.from(bytesOf(value));
    if (number !== 1) continue;
    for (const field of readFields(bytesOf(value))) {
      if (field.number === 1) out.apiVersion = bytesOf(field.value).toString();
      if (field.number === 2) out.kind = bytesOf(field.value).toString();
    }
  }
  return out;
}

/** Whether bodies of the type can be read as protobuf. */
export function hasProtobuf(schema: StructSchema): boolean {
  return messageOf(schema) !== undefined;
}

/** The fields of a message as JSON. */
export function decodeMessage(type: StructSchema, bytes: Buffer): JsonObject {
  const message = messageOf(type);
  if (message === undefined)
    throw new ProtobufError(`${type.name} is not read in protobuf form here; send JSON or YAML`);
  const out: JsonObject = {};
  decodeInto(out, message, bytes);
  return out;
}

function decodeInto(out: JsonObject, message: Message, bytes: Buffer): void {
  for (const { number, value } of readFields(bytes)) {
    const entry = message.get(number);
    if (entry === undefined) continue;
    if (entry.kind === 'part') decodeInto(out, entry.message, bytesOf(value));
    else add(out, entry.field.name, entry.field.schema, value);
  }
}

function add(out: JsonObject, name: string, schema: Schema, value: bigint | Buffer): void {
  if (schema.shape === 'list') {
    const list = (out[name] ??= []) as Json[];
    // Numbers may come packed into one field.
    if (schema.element.shape === 'scalar' && isNumeric(schema.element.type) && typeof value !== 'bigint')
      for (const item of unpack(value)) list.push(item);
    else list.push(decodeValue(schema.element, value));
    return;
  }
  if (schema.shape === 'map') {
    const map = (out[name] ??= {}) as JsonObject;
    let key = '';
    let item: Json = emptyOf(schema.element);
    for (const entry of readFields(bytesOf(value))) {
      if (entry.number === 1) key = bytesOf(entry.value).toString();
      if (entry.number === 2) item = decodeValue(schema.element, entry.value);
    }
    setMember(map, key, item);
    return;
  }
  out[name] = decodeValue(schema, value);
}

function isNumeric(type: string): boolean {
  return type === 'int32' || type === 'int64' || type === 'integer' || type === 'bool';
}

function* unpack(bytes: Buffer): Generator<number> {
  let value = 0n;
  let shift = 0n;
  for (const byte of bytes) {
    value |= BigInt(byte & 0x7f) << shift;
    shift += 7n;
    if (byte < 0x80) {
      yield signed(value);
      [value, shift] = [0n, 0n];
    }
  }
}

function emptyOf(schema: Schema): Json {
  if (schema.shape === 'struct') return {};
  if (schema.shape === 'list') return [];
  return schema.shape === 'scalar' && isNumeric(schema.type) ? 0 : '';
}

function decodeValue(schema: Schema, value: bigint | Buffer): Json {
  if (schema.shape === 'struct') return decodeMessage(schema, bytesOf(value));
  // A list inside a map is a message of its own with one repeated field.
  if (schema.shape === 'list')
    return [...readFields(bytesOf(value))].map((field) => decodeValue(schema.element, field.value));
  if (schema.shape === 'map') throw new ProtobufError('a map inside a list or map has no protobuf form');
  switch (schema.type) {
    case 'string':
      return bytesOf(value).toString();
    case 'bool':
      return value !== 0n;
    case 'int32':
    case 'int64':
    case 'integer':
      return signed(value);
    case 'double': {
      const bits = Buffer.alloc(8);
      bits.writeBigUInt64LE(typeof value === 'bigint' ? value : 0n);
      return bits.readDoubleLE();
    }
    case 'bytes':
      return bytesOf(value).toString('base64');
    case 'quantity':
      return firstText(bytesOf(value)) || '0';
    case 'intOrString':
      return intOrString(bytesOf(value));
    case 'time':
    case 'microtime':
      return timeText(bytesOf(value), schema.type);
    case 'any': {
      const text = firstText(bytesOf(value));
      return text === '' ? null : parseJson(text);
    }
  }
}

function firstText(bytes: Buffer): string {
  for (const { number, value } of readFields(bytes)) if (number === 1) return bytesOf(value).toString();
  return '';
}

function intOrString(bytes: Buffer): Json {
  let isText = false;
  let number = 0;
  let text = '';
  for (const field of readFields(bytes)) {
    if (field.number === 1) isText = field.value === 1n;
    if (field.number === 2) number = signed(BigInt.asIntN(32, BigInt(signed(field.value))));
    if (field.number === 3) text = bytesOf(field.value).toString();
  }
  return isText ? text : number;
}

/** An empty message is the zero time, which JSON writes as null. */
function timeText(bytes: Buffer, type: 'time' | 'microtime'): Json {
  if (bytes.length === 0) return null;
  let seconds = 0;
  let nanos = 0;
  for (const field of readFields(bytes)) {
    if (field.number === 1) seconds = signed(field.value);
    if (field.number === 2) nanos = signed(field.value);
  }
  const time = new Date(seconds * 1000);
  // Beyond what RFC 3339 can write there is no time either.
  if (Number.isNaN(time.getTime()) || Math.abs(time.getUTCFullYear() - 5000) >= 5000)
    throw new ProtobufError(`${seconds} seconds are no time`);
  const text = time.toISOString().slice(0, 19);
  return type === 'time' ? `${text}Z` : `${text}.${String(Math.floor(nanos / 1000)).padStart(6, '0')}Z`;
}
