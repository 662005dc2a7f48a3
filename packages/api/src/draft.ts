/**
 * API objects are read-only everywhere. A defaulter or mutator works on a draft: its own deep copy, with
 * the same shape and writable, so that it can be written as plain assignments and still be pure outside.
 */
export type Draft<T> = T extends readonly (infer Item)[]
  ? Draft<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Draft<T[Key]> }
    : T;

/** A writable deep copy. */
export function draftOf<T>(value: T): Draft<T> {
  // A draft differs from its type only in what the compiler lets one write.
  return structuredClone(value) as Draft<T>;
}
