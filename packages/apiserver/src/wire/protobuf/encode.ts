/** From a stored object to its protobuf form, for clients that ask for nothing else. */
import type { Schema, StructSchema } from '../../registry/schema.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { MAGIC } from './decode.ts';
import { messageOf, type Message } from './message.ts';
import { ProtobufError } from './reader.ts';

/** An object in its envelope. Throws ProtobufError when a type in it has no known numbers. */
export function encodeObject(schema: StructSchema, object: JsonObject): Buffer {
  return envelope(object, encodeMessage(schema, object));
}

/** A list in its envelope. `listMeta` is the schema of its metadata. */
export function encodeList(schema: StructSchema, listMeta: StructSchema, list: JsonObject): Buffer {
  const items = Array.isArray(list['items']) ? list['items'] : [];
  return envelope(
    list,
    Buffer.concat([
      block(1, encodeMessage(listMeta, isObject(list['metadata']) ? list['metadata'] : {})),
      ...items.map((item) => block(2, encodeMessage(schema, isObject(item) ? item : {}))),
    ]),
  );
}

function envelope(object: JsonObject, raw: Buffer): Buffer {
  const type = Buffer.concat([
    text(1, String(object['apiVersion'] ?? '')),
    text(2, String(object['kind'] ?? '')),
  ]);
  return Buffer.concat([MAGIC, block(1, type), block(2, raw), text(3, ''), text(4, '')]);
}

function encodeMessage(type: StructSchema, value: JsonObject): Buffer {
  const message = messageOf(type);
  if (message === undefined) throw new ProtobufError(`${type.name} is not written in protobuf form here`);
  return encodeAs(message, value);
}

function encodeAs(message: Message, value: JsonObject): Buffer {
  const out: Buffer[] = [];
  for (const entry of message.values()) {
    if (entry.kind === 'part') {
      out.push(block(entry.number, encodeAs(entry.message, value)));
      continue;
    }
    const given = value[entry.field.name];
    if (given === undefined || given === null) continue;
    encodeField(out, entry.number, entry.field.schema, given);
  }
  return Buffer.concat(out);
}

function encodeField(out: Buffer[], number: number, schema: Schema, value: Json): void {
  if (schema.shape === 'list') {
    if (Array.isArray(value)) for (const item of value) out.push(encodeValue(number, schema.element, item));
  } else if (schema.shape === 'map') {
    if (!isObject(value)) return;
    for (const [key, item] of Object.entries(value))
      if (item !== undefined)
        out.push(block(number, Buffer.concat([text(1, key), encodeValue(2, schema.element, item)])));
  } else out.push(encodeValue(number, schema, value));
}

function encodeValue(number: number, schema: Schema, value: Json): Buffer {
  if (schema.shape === 'struct') return block(number, encodeMessage(schema, isObject(value) ? value : {}));
  if (schema.shape === 'list') {
    const out: Buffer[] = [];
    encodeField(out, 1, schema, value);
    return block(number, Buffer.concat(out));
  }
  if (schema.shape === 'map') throw new ProtobufError('a map inside a list or map has no protobuf form');
  switch (schema.type) {
    case 'string':
      return text(number, String(value));
    case 'bool':
      return integer(number, value === true ? 1 : 0);
    case 'int32':
    case 'int64':
    case 'integer':
      return integer(number, Number(value));
    case 'double': {
      const bits = Buffer.alloc(8);
      bits.writeDoubleLE(Number(value));
      return Buffer.concat([varint(BigInt(number * 8 + 1)), bits]);
    }
    case 'bytes':
      return block(number, Buffer.from(String(value), 'base64'));
    case 'quantity':
      return block(number, text(1, String(value)));
    case 'intOrString':
      return block(
        number,
        typeof value === 'string'
          ? Buffer.concat([integer(1, 1), text(3, value)])
          : Buffer.concat([integer(1, 0), integer(2, Number(value))]),
      );
    case 'time':
    case 'microtime':
      return block(number, timeBytes(String(value)));
    case 'any':
      return block(number, text(1, JSON.stringify(value)));
  }
}

function timeBytes(value: string): Buffer {
  const micros = Number((/\.(\d+)/.exec(value)?.[1] ?? '').padEnd(6, '0').slice(0, 6));
  return Buffer.concat([integer(1, Math.floor(Date.parse(value) / 1000)), integer(2, micros * 1000)]);
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}

function integer(number: number, value: number): Buffer {
  return Buffer.concat([varint(BigInt(number * 8)), varint(BigInt(value))]);
}

function block(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint(BigInt(number * 8 + 2)), varint(BigInt(bytes.length)), bytes]);
}

function text(number: number, value: string): Buffer {
  return block(number, Buffer.from(value));
}
