/**
 * Objects seen through their schema: which field paths an object sets, what changed between two objects,
 * how two objects merge, and an object without certain paths. The rules are those of structured merge.
 */
import { deepEqual, memberOf, setMember } from '@podvisor/base';
import { ANY, type ListSchema, type Schema } from '../registry/schema.ts';
import { isObject, type Json, type JsonObject } from '../wire/json.ts';
import { PathSet } from './path-set.ts';

/** Two items of a list that merges by key or value are the same item. */
export class DuplicateItemError extends Error {
  readonly path: readonly string[];

  constructor(path: readonly string[]) {
    super('duplicate entries');
    this.path = path;
  }
}

/** What a schema says about a value that has no declared type: maps are granular, lists atomic. */
function effective(schema: Schema, value: Json | undefined): 'leaf' | 'map' | 'list' {
  if (schema.atomic) return 'leaf';
  switch (schema.shape) {
    case 'scalar':
      return schema.type === 'any' && isObject(value) ? 'map' : 'leaf';
    case 'list':
      return 'list';
    case 'struct':
    case 'map':
      return 'map';
  }
}

/** The schema of a key, and whether the key is a declared field. */
function fieldOf(schema: Schema, key: string): { schema: Schema; declared: boolean } {
  if (schema.shape === 'struct') {
    const field = schema.fields.get(key);
    return field === undefined ? { schema: ANY, declared: false } : { schema: field.schema, declared: true };
  }
  return { schema: schema.shape === 'map' ? schema.element : ANY, declared: false };
}

/** The step of a list item. */
export function itemStep(schema: ListSchema, item: Json): string {
  if (schema.listType === 'set') return `v:${JSON.stringify(item)}`;
  const keys: JsonObject = {};
  for (const key of schema.keys.toSorted()) {
    const value = isObject(item) ? memberOf(item, key) : undefined;
    const given = value ?? memberOf(schema.keyDefaults, key);
    if (given !== undefined) setMember(keys, key, given);
  }
  return `k:${JSON.stringify(keys)}`;
}

/** The paths that an object sets. */
export function fieldSetOf(schema: Schema, value: JsonObject): PathSet {
  const set = new PathSet();
  collectMap(schema, value, set, []);
  return set;
}

function collectMap(schema: Schema, value: JsonObject, set: PathSet, path: readonly string[]): void {
  for (const key in value) {
    const item = value[key];
    if (item === undefined) continue;
    const step = `f:${key}`;
    const field = fieldOf(schema, key);
    collect(field.schema, item, set, step, [...path, step]);
    if (item === null || (isObject(item) && Object.keys(item).length === 0) || !field.declared)
      set.members.add(step);
  }
}

function collect(schema: Schema, value: Json, set: PathSet, step: string, path: readonly string[]): void {
  switch (effective(schema, value)) {
    case 'leaf':
      set.members.add(step);
      return;
    case 'map':
      if (isObject(value)) collectMap(schema, value, set.child(step), path);
      else if (value !== null) set.members.add(step);
      return;
    case 'list': {
      if (schema.shape !== 'list' || !Array.isArray(value)) return;
      const below = set.child(step);
      for (const item of value) {
        const itemPath = itemStep(schema, item);
        if (below.members.has(itemPath)) throw new DuplicateItemError([...path, itemPath]);
        collect(schema.element, item, below, itemPath, [...path, itemPath]);
        below.members.add(itemPath);
      }
    }
  }
}

/** The difference of two objects. */
export interface Comparison {
  readonly added: PathSet;
  readonly modified: PathSet;
  readonly removed: PathSet;
}

export function compareTyped(schema: Schema, left: JsonObject, right: JsonObject): Comparison {
  const comparison: Comparison = { added: new PathSet(), modified: new PathSet(), removed: new PathSet() };
  compareMap(schema, left, right, [], comparison);
  return comparison;
}

export function isSame({ added, modified, removed }: Comparison): boolean {
  return added.empty && modified.empty && removed.empty;
}

function compareMap(
  schema: Schema,
  left: JsonObject,
  right: JsonObject,
  path: readonly string[],
  out: Comparison,
): void {
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const [l, r] = [memberOf(left, key), memberOf(right, key)];
    if (l === undefined && r === undefined) continue;
    compareValue(fieldOf(schema, key).schema, l, r, [...path, `f:${key}`], out);
  }
}

function compareValue(
  schema: Schema,
  left: Json | undefined,
  right: Json | undefined,
  path: readonly string[],
  out: Comparison,
): void {
  if (left !== undefined && right !== undefined && deepEqual(left, right)) return;
  const kind = effective(schema, right ?? left);
  const isLeaf = kind === 'leaf' || (kind === 'map' && isEmptyMap(left) && isEmptyMap(right));
  if (isLeaf) compareLeaf(left, right, path, out);
  else if (kind === 'map') {
    if (schema.shape === 'scalar' && left !== undefined && left !== null && !isObject(left))
      compareLeaf(left, undefined, path, out);
    compareMap(schema, isObject(left) ? left : {}, isObject(right) ? right : {}, path, out);
  } else if (schema.shape === 'list') compareList(schema, left, right, path, out);
  if (isLeaf) return;
  if (left === undefined) out.added.insert(path);
  else if (right === undefined) out.removed.insert(path);
}

function isEmptyMap(value: Json | undefined): boolean {
  return value === undefined || value === null || (isObject(value) && Object.keys(value).length === 0);
}

function compareLeaf(
  left: Json | undefined,
  right: Json | undefined,
  path: readonly string[],
  out: Comparison,
): void {
  if (left === undefined) out.added.insert(path);
  else if (right === undefined) out.removed.insert(path);
  else if (!deepEqual(left, right)) out.modified.insert(path);
}

function compareList(
  schema: ListSchema,
  left: Json | undefined,
  right: Json | undefined,
  path: readonly string[],
  out: Comparison,
): void {
  const lefts = itemsByStep(schema, left);
  const rights = itemsByStep(schema, right);
  for (const step of new Set([...lefts.keys(), ...rights.keys()])) {
    const [l, r] = [lefts.get(step), rights.get(step)];
    compareValue(schema.element, l, r, [...path, step], out);
  }
}

function itemsByStep(schema: ListSchema, value: Json | undefined): Map<string, Json> {
  const items = new Map<string, Json>();
  if (Array.isArray(value)) for (const item of value) items.set(itemStep(schema, item), item);
  return items;
}

/** `left` with everything that `right` sets; the order of list items follows both. */
export function mergeTyped(
  schema: Schema,
  left: Json | undefined,
  right: Json | undefined,
): Json | undefined {
  if (right === undefined) return left;
  if (left === undefined || left === null) return right;
  switch (effective(schema, right)) {
    case 'leaf':
      return right;
    case 'map': {
      if (!isObject(left) || !isObject(right)) return right;
      const out: JsonObject = { ...left };
      for (const key in right) {
        const merged = mergeTyped(fieldOf(schema, key).schema, memberOf(left, key), right[key]);
        if (merged !== undefined) setMember(out, key, merged);
      }
      return out;
    }
    case 'list':
      return schema.shape === 'list' && Array.isArray(left) && Array.isArray(right)
        ? mergeLists(schema, left, right)
        : right;
  }
}

/** Items of `right` come in its order; items only in `left` keep their place relative to their neighbours. */
function mergeLists(schema: ListSchema, left: readonly Json[], right: readonly Json[]): Json[] {
  const lefts = left.map((item) => ({ step: itemStep(schema, item), item }));
  const rights = right.map((item) => ({ step: itemStep(schema, item), item }));
  const inLeft = new Map(lefts.map(({ step, item }) => [step, item]));
  const inRight = new Set(rights.map(({ step }) => step));
  const shared = rights.filter(({ step }) => inLeft.has(step)).map(({ step }) => step);
  const out: Json[] = [];
  let [l, r, s] = [0, 0, 0];
  const takeRight = (): void => {
    const next = rights[r++];
    if (next === undefined) return;
    out.push(mergeTyped(schema.element, inLeft.get(next.step), next.item) ?? null);
    if (next.step === shared[s]) s += 1;
  };
  while (l < lefts.length || r < rights.length) {
    const [mine, theirs] = [lefts[l], rights[r]];
    if (mine !== undefined && theirs !== undefined && mine.step === theirs.step) {
      takeRight();
      l += 1;
    } else if (
      mine !== undefined &&
      theirs !== undefined &&
      !inRight.has(mine.step) &&
      shared[s] !== undefined &&
      inLeft.has(theirs.step)
    ) {
      out.push(mine.item);
      l += 1;
    } else if (mine !== undefined && inRight.has(mine.step)) {
      // Comes, or came, where the right list has it.
      if (theirs !== undefined && !inLeft.has(theirs.step)) takeRight();
      else if (theirs === undefined || mine.step !== shared[s]) l += 1;
      else takeRight();
    } else if (
      mine !== undefined &&
      (theirs === undefined ||
        inLeft.has(theirs.step) ||
        shared[s] === undefined ||
        // Both stand before the next common item, after an earlier one: what was there stays in front.
        s > 0)
    ) {
      out.push(mine.item);
      l += 1;
    } else if (theirs !== undefined) takeRight();
    else l += 1;
  }
  return out;
}

/** The object without the member paths of `remove`; maps and lists that become empty go too. */
export function removePaths(schema: Schema, value: JsonObject, remove: PathSet): JsonObject {
  return (removeFrom(schema, value, remove) ?? {}) as JsonObject;
}

function removeFrom(schema: Schema, value: Json, remove: PathSet): Json | undefined {
  if (isObject(value)) {
    const out: JsonObject = {};
    for (const key in value) {
      const item = value[key];
      const step = `f:${key}`;
      if (item === undefined || remove.members.has(step)) continue;
      const below = remove.children.get(step);
      const kept =
        below === undefined || below.empty ? item : removeFrom(fieldOf(schema, key).schema, item, below);
      if (kept !== undefined) setMember(out, key, kept);
    }
    return Object.keys(out).length === 0 && Object.keys(value).length > 0 ? undefined : out;
  }
  if (!Array.isArray(value) || schema.shape !== 'list') return value;
  const kept: Json[] = [];
  for (const item of value) {
    const step = itemStep(schema, item);
    if (remove.members.has(step)) continue;
    const below = remove.children.get(step);
    const rest = below === undefined || below.empty ? item : removeFrom(schema.element, item, below);
    if (rest !== undefined) kept.push(rest);
  }
  return kept.length === 0 && value.length > 0 ? undefined : kept;
}
