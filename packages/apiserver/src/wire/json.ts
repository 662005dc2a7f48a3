/**
 * JSON values as the server handles them, and the few shapes that every object has. Stored objects are
 * shared: whoever changes one makes a copy first.
 */
import { setMember } from '@podvisor/base';

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json | undefined;
}

export interface OwnerReference extends JsonObject {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

export interface ManagedFieldsEntry extends JsonObject {
  manager: string;
  operation: string;
  apiVersion: string;
  time?: string;
  fieldsType: string;
  fieldsV1: JsonObject;
  subresource?: string;
}

export interface ObjectMeta extends JsonObject {
  name?: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: { [key: string]: string };
  annotations?: { [key: string]: string };
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: ManagedFieldsEntry[];
}

export interface KubeObject extends JsonObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
}

/** The value as an object, or undefined. Arrays and kept number texts are not objects. */
export function asObject(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);
}

export function asArray(value: unknown): Json[] {
  return Array.isArray(value) ? (value as Json[]) : [];
}

export function asString(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Reads a path of keys, own members only; undefined as soon as something on the way is not an object. */
export function at(value: unknown, ...path: readonly (string | number)[]): Json | undefined {
  let here: unknown = value;
  for (const step of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined;
    here = (here as Record<string | number, unknown>)[step];
  }
  return here as Json | undefined;
}

export function objectAt(value: unknown, ...path: readonly (string | number)[]): JsonObject {
  return asObject(at(value, ...path)) ?? {};
}

export function stringAt(value: unknown, ...path: readonly (string | number)[]): string {
  return asString(at(value, ...path));
}

export function arrayAt(value: unknown, ...path: readonly (string | number)[]): Json[] {
  return asArray(at(value, ...path));
}

/** A whole number beyond 2^53, kept as its text (JSON.rawJSON). Custom resources round-trip such numbers. */
export function isRawNumber(value: unknown): value is JsonObject & { rawJSON: string } {
  // Few values have such a member, and asking the engine about each costs more than all else that is done with it.
  return typeof value === 'object' && value !== null && 'rawJSON' in value && RAW.isRawJSON(value);
}

interface RawJsonSupport {
  rawJSON(text: string): Json;
  isRawJSON(value: unknown): boolean;
}
// The TypeScript library does not know these two yet; Node 24 has them.
const RAW = JSON as unknown as RawJsonSupport;

const LONG_NUMBER = /[0-9]{16,}/;
/** Where a number may stand: dates and UIDs have a `-0` as well, and are strings. */
const NEGATIVE_ZERO = /(?:^|[\s:,[])-0/;

/** JSON.parse that keeps whole numbers of the int64 range exactly and has no negative zero. */
export function parseJson(text: string): Json {
  if (!LONG_NUMBER.test(text) && !NEGATIVE_ZERO.test(text)) return JSON.parse(text) as Json;
  const reviver = (_key: string, value: Json, context: { source?: string }): Json => {
    if (typeof value !== 'number') return value;
    if (Object.is(value, -0)) return 0;
    if (Number.isSafeInteger(value) || context.source === undefined || !/^-?[0-9]+$/.test(context.source))
      return value;
    const exact = BigInt(context.source);
    return exact >= -(2n ** 63n) && exact < 2n ** 63n ? RAW.rawJSON(context.source) : value;
  };
  return (JSON.parse as (text: string, reviver: unknown) => Json)(text, reviver);
}

/** A deep copy of a JSON value. */
export function cloneJson<T extends Json | undefined>(value: T): T {
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return value;
  if (Array.isArray(value)) return value.map((item) => cloneJson(item)) as T;
  const copy: JsonObject = {};
  for (const key in value) setMember(copy, key, cloneJson((value as JsonObject)[key]));
  return copy as T;
}

/** JSON text with the keys of every object in order, as Go writes maps. */
export function sortedText(value: Json | undefined): string {
  return JSON.stringify(sortKeys(value));
}

/**
 * The value with sorted keys. What is in order already, as all that comes from the store is, is not copied: the very
 * same value stands in the answer.
 */
export function sortKeys(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) {
    const items = value.map((item) => sortKeys(item) ?? null);
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  if (!isObject(value)) return value;
  const keys = Object.keys(value);
  let isSame = isSorted(keys);
  if (!isSame) keys.sort();
  const sorted: JsonObject = {};
  for (const key of keys) {
    const item = value[key];
    const below = sortKeys(item);
    if (below !== item || item === undefined) isSame = false;
    if (item !== undefined) setMember(sorted, key, below);
  }
  return isSame ? value : sorted;
}

function isSorted(keys: readonly string[]): boolean {
  for (let i = 1; i < keys.length; i += 1) if ((keys[i - 1] ?? '') > (keys[i] ?? '')) return false;
  return true;
}
