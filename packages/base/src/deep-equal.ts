import { memberOf } from './member.ts';

/** Structural equality of JSON values; a key that is `undefined` equals a missing key. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, i) => deepEqual(item, b[i]));
  }
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  for (const key in left) if (!deepEqual(left[key], memberOf(right, key))) return false;
  for (const key in right) if (right[key] !== undefined && memberOf(left, key) === undefined) return false;
  return true;
}
