/**
 * Sizes and what is counted from them. What nothing bounds has the largest number of the language that Kubernetes
 * counts in; its products stay there. Pure.
 */

export const UNBOUNDED = 2 ** 64;

/** Bytes of a text, items of a list, entries of a map. */
export interface Size {
  readonly least: number;
  readonly most: number;
}

export const UNKNOWN: Size = { least: 0, most: UNBOUNDED };

export const exactly = (size: number): Size => ({ least: size, most: size });
export const upTo = (most: number): Size => ({ least: 0, most });

/** Numbers that stay within what can be counted. */
export const bounded = (value: number): number => Math.min(value, UNBOUNDED);

export const plus = (a: Size, b: Size): Size => ({
  least: bounded(a.least + b.least),
  most: bounded(a.most + b.most),
});
export const times = (a: Size, b: Size): Size => ({
  least: bounded(a.least * b.least),
  most: bounded(a.most * b.most),
});
export const either = (a: Size, b: Size): Size => ({
  least: Math.min(a.least, b.least),
  most: Math.max(a.most, b.most),
});

/** Each step of a traversal costs a part of a unit; a started unit counts whole. */
export const traversal = (units: number, factor: number): number => bounded(Math.ceil(units * factor));
