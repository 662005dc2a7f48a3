/**
 * Strategic merge patch: lists with a merge key merge item by item; `$patch`, `$retainKeys`,
 * `$deleteFromPrimitiveList` and `$setElementOrder` steer it. The target is not changed.
 */
import { deepEqual } from '@podvisor/base';
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
    throw new ReasonlessError(500, `unknown patch type: ${String(directive)} in map: ${goMap(patch)}`);
  const out: JsonObject = { ...target };
  retainKeys(out, patch);
  for (const key in patch) {
    const value = patch[key];
    if (value === undefined || key === '$patch' || key === '$retainKeys') continue;
    if (key.startsWith(DELETE_FROM)) {
      const field = key.slice(DELETE_FROM.length);
      const gone = asArray(value);
      if (Array.isArray(out[field]))
        out[field] = out[field].filter((item) => !gone.some((other) => deepEqual(item, other)));
      continue;
    }
    if (key.startsWith(ORDER)) continue;
    if (value === null) {
      delete out[key];
      continue;
    }
    const merged = mergeField(fieldOf(schema, key), out[key], value);
    if (merged === undefined) delete out[key];
    else out[key] = merged;
  }
  for (const key in patch)
    if (key.startsWith(ORDER)) reorder(schema, out, key.slice(ORDER.length), asArray(patch[key]));
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
      throw new ReasonlessError(
        500,
        `map: map[${Object.entries(item)
          .map(([k, v]) => `${k}:${String(v)}`)
          .join(' ')}] does not contain declared merge key: ${key}`,
      );
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
  // New items go in front of the existing ones, in the order of the patch.
  return [...added, ...out];
}

/** `$setElementOrder/x` lists the items of x in the order they shall have; others stay relative to them. */
function reorder(schema: Schema, out: JsonObject, field: string, order: readonly Json[]): void {
  const list = out[field];
  if (!Array.isArray(list)) return;
  const { rule } = fieldOf(schema, field);
  const idOf = (item: Json): string =>
    JSON.stringify(rule?.key !== undefined && rule.key !== '' && isObject(item) ? item[rule.key] : item);
  const rank = new Map(order.map((item, i) => [idOf(item), i]));
  const known = list
    .filter((item) => rank.has(idOf(item)))
    .toSorted((a, b) => (rank.get(idOf(a)) ?? 0) - (rank.get(idOf(b)) ?? 0));
  const result: Json[] = [];
  let next = 0;
  for (const item of list) {
    if (rank.has(idOf(item))) result.push(known[next++] ?? null);
    else result.push(item);
  }
  out[field] = result;
}
