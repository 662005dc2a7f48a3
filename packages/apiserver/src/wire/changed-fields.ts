/** Which fields differ between two objects, by their names in the API: `spec.containers[0].ports`. Pure. */
import { deepEqual } from '@podvisor/base';
import { isObject, type Json } from './json.ts';

/** Paths of what was added, removed or changed, as deep as both sides have the same shape. */
export function changedFields(before: Json | undefined, now: Json | undefined, path: string): string[] {
  if (deepEqual(before, now)) return [];
  if (isObject(before) && isObject(now)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(now)]);
    return [...keys].toSorted().flatMap((key) => changedFields(before[key], now[key], `${path}.${key}`));
  }
  if (Array.isArray(before) && Array.isArray(now) && before.length === now.length)
    return before.flatMap((item, i) => changedFields(item, now[i], `${path}[${i}]`));
  return [path];
}
