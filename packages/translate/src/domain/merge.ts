/** Puts pieces of a domain together: lists are joined, objects merged, and the later value wins. */
import { memberOf, setMember, isRecord } from '@podvisor/base';
import type { Domain } from './model/domain.ts';

/** `base` with `addition` merged into it. */
export function mergeDomains(base: Domain, addition: Domain): Domain {
  return mergeObjects(base, addition);
}

function mergeObjects<T extends object>(base: T, addition: T): T {
  const merged: Record<string, unknown> = Object.fromEntries(Object.entries(base));
  for (const [key, value] of Object.entries(addition)) {
    if (value !== undefined) setMember(merged, key, mergeValues(memberOf(merged, key), value));
  }
  return merged as T;
}

function mergeValues(base: unknown, addition: unknown): unknown {
  if (Array.isArray(base) && Array.isArray(addition)) return [...base, ...addition];
  if (isRecord(base) && isRecord(addition)) return mergeObjects(base, addition);
  return addition;
}
