/** Small tools for defaulting: objects given to rules are their own copies and may be changed in place. */
import { asObject, type Json, type JsonObject } from '../../wire/json.ts';

/** Sets `key` unless it has a value. */
export function fill(object: JsonObject | undefined, key: string, value: Json): void {
  if (object !== undefined && (object[key] === undefined || object[key] === null)) object[key] = value;
}

/** The object at `key`, copied so that it may be changed; undefined when there is none. */
export function own(object: JsonObject | undefined, key: string): JsonObject | undefined {
  const found = asObject(object?.[key]);
  if (object === undefined || found === undefined) return undefined;
  const copy = { ...found };
  object[key] = copy;
  return copy;
}

/** The object at `key`, made when missing. */
export function ensure(object: JsonObject, key: string): JsonObject {
  const copy = { ...asObject(object[key]) };
  object[key] = copy;
  return copy;
}

/** The items of the list at `key` as copies that may be changed. */
export function ownItems(object: JsonObject | undefined, key: string): JsonObject[] {
  const list = object?.[key];
  if (object === undefined || !Array.isArray(list)) return [];
  const copies = list.map((item) => ({ ...asObject(item) }));
  object[key] = copies;
  return copies;
}
