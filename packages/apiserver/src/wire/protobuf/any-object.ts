/** The protobuf form of whatever the server answers: an object, a list, a Status. */
import { builtinType } from '../../registry/builtin-type.ts';
import { library } from '../../registry/library.ts';
import { asString, isObject, type Json } from '../json.ts';
import { encodeList, encodeObject } from './encode.ts';
import { ProtobufError } from './reader.ts';

/** Undefined when a type in it has no known field numbers. */
export function protobufOf(value: Json): Buffer | undefined {
  if (!isObject(value)) return undefined;
  const kind = asString(value['kind']);
  const apiVersion = asString(value['apiVersion']);
  try {
    const schema = builtinType(apiVersion, kind);
    if (schema !== undefined) return encodeObject(schema, value);
    const item = kind.endsWith('List') ? builtinType(apiVersion, kind.slice(0, -'List'.length)) : undefined;
    return item === undefined ? undefined : encodeList(item, library.struct('ListMeta'), value);
  } catch (error) {
    if (error instanceof ProtobufError) return undefined;
    throw error;
  }
}
