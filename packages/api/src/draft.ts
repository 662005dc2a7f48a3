/**
 * API objects are read-only everywhere. A defaulter or mutator works on a draft: its own deep copy, with
 * the same shape and writable, so that it can be written as plain assignments and still be pure outside.
 */
import { setMember } from '@podvisor/base';

export type Draft<T> = T extends readonly (infer Item)[]
  ? Draft<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Draft<T[Key]> }
    : T;

/** A writable deep copy. */
export function draftOf<T>(value: T): Draft<T> {
  // A draft differs from its type only in what the compiler lets one write.
  return copyOf(value) as Draft<T>;
}

/** Objects of the API are JSON: a walk costs a third of structuredClone, which makes a message of the value first. */
function copyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  const copy: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) setMember(copy, key, copyOf(member));
  return copy;
}
