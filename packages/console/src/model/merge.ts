/**
 * Changes that two people made to one object, together. What only one of them changed is as he has it; where both
 * changed the same field, it is as `mine` has it. Lists of named parts (disks, volumes, conditions) are taken part by
 * part; other lists are one field. Pure.
 */
import { deepEqual, memberOf } from '@podvisor/base';

type Fields = Readonly<Record<string, unknown>>;

export function merged(base: unknown, mine: unknown, theirs: unknown): unknown {
  if (deepEqual(mine, base)) return theirs;
  if (deepEqual(theirs, base)) return mine;
  if (isFields(mine) && isFields(theirs)) return mergedFields(isFields(base) ? base : {}, mine, theirs);
  if (isNamedList(mine) && isNamedList(theirs))
    return Object.values(mergedFields(isNamedList(base) ? byName(base) : {}, byName(mine), byName(theirs)));
  return mine;
}

/** Keys in the order of `theirs`, then those that only `mine` has. */
function mergedFields(base: Fields, mine: Fields, theirs: Fields): Fields {
  const keys = [...new Set([...Object.keys(theirs), ...Object.keys(mine)])];
  const entries = keys
    .map((key) => [key, merged(memberOf(base, key), memberOf(mine, key), memberOf(theirs, key))] as const)
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNamedList(value: unknown): value is readonly (Fields & { readonly name: string })[] {
  return (
    Array.isArray(value) &&
    value.every((one) => isFields(one) && typeof one['name'] === 'string') &&
    new Set(value.map(({ name }) => name)).size === value.length
  );
}

function byName(list: readonly (Fields & { readonly name: string })[]): Fields {
  return Object.fromEntries(list.map((one) => [one.name, one]));
}
