/**
 * Strategic merge patch: lists with a merge key merge item by item; `$patch`, `$retainKeys`,
 * `$deleteFromPrimitiveList` and `$setElementOrder` steer it. The target is not changed.
 */
import { memberOf, setMember } from '@podvisor/base';
import { ANY, type FieldSchema, type PatchRule, type Schema } from '../registry/schema.ts';
import { asArray, asString, isObject, type Json, type JsonObject, sortedText } from '../wire/json.ts';
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
      const gone = new Set(asArray(value).map(sortedText));
      const list = memberOf(out, field);
      if (Array.isArray(list))
        setMember(
          out,
          field,
          list.filter((item) => !gone.has(sortedText(item))),
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
  const known = new Set(current.map(sortedText));
  return [...patch.filter((item) => !known.has(sortedText(item))), ...current];
}

function mergeItems(element: Schema, key: string, current: readonly Json[], patch: readonly Json[]): Json[] {
  if (
    patch.some((item) => isObject(item) && item['$patch'] === 'replace' && Object.keys(item).length === 1)
  ) {
    return patch.filter(
      (item) => !(isObject(item) && item['$patch'] === 'replace' && Object.keys(item).length === 1),
    );
  }
  // Lists are as long as their sender likes: items are found by their key, not by looking at all of them.
  const out: (Json | undefined)[] = [...current];
  const places = Map.groupBy(out.keys(), (i) => {
    const other = current[i];
    return isObject(other) && other[key] !== undefined ? sortedText(other[key]) : undefined;
  });
  const added: Json[] = [];
  for (const item of patch) {
    if (!isObject(item)) throw badRequest('expected a list of objects in the patch');
    if (item[key] === undefined)
      throw new ReasonlessError(500, `map: ${goMap(item)} does not contain declared merge key: ${key}`);
    const id = sortedText(item[key]);
    const [index, ...others] = places.get(id) ?? [];
    if (item['$patch'] === 'delete') {
      if (index !== undefined) for (const place of [index, ...others]) out[place] = undefined;
      places.delete(id);
      continue;
    }
    const found = index === undefined ? undefined : out[index];
    if (index !== undefined && isObject(found)) out[index] = mergeMap(element, found, item);
    else added.push(mergeMap(element, {}, item));
  }
  const left = out.filter((item) => item !== undefined);
  return inOrder([...left, ...added], patch, current, key);
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
  const idOf = (item: Json): string => sortedText(key !== '' && isObject(item) ? item[key] : item);
  const rankIn = (order: readonly Json[]): Map<string, number> =>
    new Map(order.map((item, i) => [idOf(item), i]));
  const [patch, server] = [rankIn(patchOrder), rankIn(serverOrder)];
  const ranked = list.map((item) => {
    const id = idOf(item);
    return { item, inPatch: patch.get(id), inServer: server.get(id) };
  });
  const named = ranked
    .filter(({ inPatch }) => inPatch !== undefined)
    .toSorted((a, b) => (a.inPatch ?? 0) - (b.inPatch ?? 0));
  const others = ranked
    .filter(({ inPatch }) => inPatch === undefined)
    .toSorted((a, b) => (a.inServer ?? 0) - (b.inServer ?? 0));
  const out: Json[] = [];
  for (let [i, j] = [0, 0]; i < named.length || j < others.length; ) {
    const [one, other] = [named[i], others[j]];
    const isOther =
      one === undefined ||
      (other?.inServer !== undefined && one.inServer !== undefined && other.inServer < one.inServer);
    const next = isOther ? others[j++] : named[i++];
    if (next !== undefined) out.push(next.item);
  }
  return out;
}
