/**
 * Strategic merge patch: lists with a merge key merge item by item; `$patch`, `$retainKeys`,
 * `$deleteFromPrimitiveList` and `$setElementOrder` steer it. The target is not changed.
 */
import { deepEqual, memberOf, setMember } from '@podvisor/base';
import { ANY, type FieldSchema, type PatchRule, type Schema } from '../registry/schema.ts';
import { asArray, asString, isObject, type Json, type JsonObject } from '../wire/json.ts';
import { badRequest, ReasonlessError } from '../wire/status.ts';
import { goMap } from '../wire/go-map.ts';

const DELETE_FROM = '$deleteFromPrimitiveList/';
const ORDER = '$setElementOrder/';

export function strategicMerge(schema: Schema, target: JsonObject, patch: JsonObject): JsonObject {
  return mergeMap(schema, target, patch);
}

function fieldOf(schema: Schema, key: string): { schema: Schema; rule: PatchRule | undefined } {
  if (schema.shape === 'struct') {
    const field: FieldSchema | undefined = schema.fields.get(key);
    return { schema: field?.schema ?? ANY, rule: field?.patch };
  }
  return { schema: schema.shape === 'map' ? schema.element : ANY, rule: undefined };
}

function mergeMap(schema: Schema, target: JsonObject, patch: JsonObject): JsonObject {
  const directive = patch['$patch'];
  if (directive === 'replace') {
    const { $patch: _, ...rest } = patch;
    return rest;
  }
  if (directive === 'delete') return {};
  if (directive !== undefined && directive !== 'merge')
    throw new ReasonlessError(500, `unknown patch type: ${goMap(directive)} in map: ${goMap(patch)}`);
  const out: JsonObject = { ...target };
  retainKeys(out, patch);
  for (const key in patch) {
    const value = patch[key];
    if (value === undefined || key === '$patch' || key === '$retainKeys') continue;
    if (key.startsWith(DELETE_FROM)) {
      const field = key.slice(DELETE_FROM.length);
      const gone = asArray(value);
      const list = memberOf(out, field);
      if (Array.isArray(list))
        setMember(
          out,
          field,
          list.filter((item) => !gone.some((other) => deepEqual(item, other))),
        );
      continue;
    }
    if (key.startsWith(ORDER)) continue;
    if (key.startsWith('$setElementOrder')) throw badRequest('invalid patch format of setElementOrder list');
    if (value === null) {
      delete out[key];
      continue;
    }
    const merged = mergeField(fieldOf(schema, key), memberOf(out, key), value);
    if (merged === undefined) delete out[key];
    else setMember(out, key, merged);
  }
  for (const key in patch)
    if (key.startsWith(ORDER)) {
      const field = key.slice(ORDER.length);
      reorder(schema, out, field, asArray(patch[key]), asArray(memberOf(target, field)));
    }
  return out;
}

function retainKeys(out: JsonObject, patch: JsonObject): void {
  const retained = patch['$retainKeys'];
  if (retained === undefined) return;
  if (!Array.isArray(retained))
    throw badRequest('invalid patch format of $retainKeys: expected a list of strings');
  const keys = new Set(retained.map(asString));
  for (const key in patch) {
    if (!key.startsWith('$') && patch[key] !== null && !keys.has(key)) {
      throw badRequest(
        `$retainKeys list doesn't contains all fields present in the patch: list=${JSON.stringify(retained)}, field=${key}`,
      );
    }
  }
  for (const key of Object.keys(out)) if (!keys.has(key)) delete out[key];
}

function mergeField(
  { schema, rule }: { schema: Schema; rule: PatchRule | undefined },
  current: Json | undefined,
  value: Json,
): Json | undefined {
  if (isObject(value)) {
    if (value['$patch'] === 'delete') return undefined;
    if (rule !== undefined && !rule.merge && !rule.retainKeys) return value;
    return mergeMap(schema, isObject(current) ? current : {}, value);
  }
  if (!Array.isArray(value) || rule === undefined || !rule.merge || schema.shape !== 'list') return value;
  const items = Array.isArray(current) ? current : [];
  if (rule.key === '') return mergeValues(items, value);
  return mergeItems(schema.element, rule.key, items, value);
}

function mergeValues(current: readonly Json[], patch: readonly Json[]): Json[] {
  // New values come first, as the real server orders them.
  return [...patch.filter((item) => !current.some((other) => deepEqual(item, other))), ...current];
}

function mergeItems(element: Schema, key: string, current: readonly Json[], patch: readonly Json[]): Json[] {
  if (
    patch.some((item) => isObject(item) && item['$patch'] === 'replace' && Object.keys(item).length === 1)
  ) {
    return patch.filter(
      (item) => !(isObject(item) && item['$patch'] === 'replace' && Object.keys(item).length === 1),
    );
  }
  const out = [...current];
  const added: Json[] = [];
  for (const item of patch) {
    if (!isObject(item)) throw badRequest('expected a list of objects in the patch');
    const id = item[key];
    if (id === undefined)
      throw new ReasonlessError(500, `map: ${goMap(item)} does not contain declared merge key: ${key}`);
    const index = out.findIndex((other) => isObject(other) && deepEqual(other[key], id));
    const directive = item['$patch'];
    if (directive === 'delete') {
      for (let i = out.length - 1; i >= 0; i -= 1) {
        const other = out[i];
        if (isObject(other) && deepEqual(other[key], id)) out.splice(i, 1);
      }
      continue;
    }
    const found = index < 0 ? undefined : out[index];
    if (isObject(found)) out[index] = mergeMap(element, found, item);
    else added.push(mergeMap(element, {}, item));
  }
  return inOrder([...out, ...added], patch, current, key);
}

/** `$setElementOrder/x` lists the items of x in the order they shall have; others stay relative to them. */
function reorder(
  schema: Schema,
  out: JsonObject,
  field: string,
  order: readonly Json[],
  before: readonly Json[],
): void {
  const list = memberOf(out, field);
  const key = fieldOf(schema, field).rule?.key ?? '';
  if (Array.isArray(list)) setMember(out, field, inOrder(list, order, before, key));
}

/** Items that the patch names follow its order; the others keep theirs, before or after them as they stood. */
function inOrder(
  list: readonly Json[],
  patchOrder: readonly Json[],
  serverOrder: readonly Json[],
  key: string,
): Json[] {
  const idOf = (item: Json): string => JSON.stringify(key !== '' && isObject(item) ? item[key] : item);
  const rankIn = (order: readonly Json[]): Map<string, number> =>
    new Map(order.map((item, i) => [idOf(item), i]));
  const [patch, server] = [rankIn(patchOrder), rankIn(serverOrder)];
  const by =
    (rank: Map<string, number>) =>
    (a: Json, b: Json): number =>
      (rank.get(idOf(a)) ?? 0) - (rank.get(idOf(b)) ?? 0);
  const named = list.filter((item) => patch.has(idOf(item))).toSorted(by(patch));
  const others = list.filter((item) => !patch.has(idOf(item))).toSorted(by(server));
  const out: Json[] = [];
  while (named.length > 0 && others.length > 0) {
    const [left, right] = [server.get(idOf(others[0] ?? null)), server.get(idOf(named[0] ?? null))];
    const first = left !== undefined && right !== undefined && left < right ? others : named;
    out.push(...first.splice(0, 1));
  }
  return [...out, ...named, ...others];
}
