/**
 * What calls of functions cost at most beyond their arguments, and how large their results are. The numbers are those
 * by which Kubernetes accepts or refuses rules: a change of one changes which CRDs can be written. A function that is
 * not named here costs one unit. Pure.
 */
import type { CheckedType } from '../go-types.ts';
import { bounded, exactly, plus, type Size, times, traversal, UNBOUNDED, UNKNOWN, upTo } from './size.ts';

/** Units for a character of a text, and for a character of a pattern. */
const PER_CHARACTER = 0.1;
const PER_PATTERN_CHARACTER = 0.25;
const LIST = 10;
/** Patterns of named formats are counted as this long. */
const FORMAT_PATTERN = 128;

/** An operand of a call. */
export interface Operand {
  readonly size: Size | undefined;
  readonly type: CheckedType | undefined;
  /** Size of what is inside a list; undefined when nothing is known. */
  readonly items: Size | undefined;
  /** The value of a literal. */
  readonly literal?: unknown;
}

export interface CallCost {
  readonly cost: number;
  readonly size?: Size;
}

type Method = (target: Operand, args: readonly Operand[]) => CallCost | undefined;

export const sizeOf = (operand: Operand | undefined): Size => operand?.size ?? UNKNOWN;
export const texts = (size: Size, factor = 1): number => traversal(size.most, PER_CHARACTER * factor);

/** Looks at every item of a list; of texts also at their characters. A text is looked at once. */
const eachItem: Method = (target) => {
  const size = sizeOf(target);
  if (target.type?.kind !== 'list') return { cost: texts(size) };
  const element = target.type.valueType?.name;
  const isText = element === 'string' || element === 'bytes';
  return { cost: bounded(size.most * (isText ? 1 + texts(target.items ?? UNKNOWN) : 1)) };
};

const sameText: Method = (target) => ({ cost: texts(sizeOf(target)), size: sizeOf(target) });

const pattern = (text: Size, expression: Size): number =>
  bounded(texts(plus(text, exactly(1))) * traversal(expression.most, PER_PATTERN_CHARACTER));

const matching: Method = (target, [expression]) => ({ cost: pattern(sizeOf(target), sizeOf(expression)) });

const finding: Method = (target, [expression]) => ({
  cost: pattern(sizeOf(target), sizeOf(expression)),
  size: upTo(sizeOf(target).most),
});

const replacing: Method = (target, [from, to]) => {
  const text = sizeOf(target);
  const [old, replacement] = [sizeOf(from), sizeOf(to)];
  const most =
    old.least === 0
      ? bounded((text.most + 1) * replacement.most + text.most)
      : replacement.most <= old.least
        ? text.most
        : bounded(Math.ceil(text.most / old.least) * replacement.most);
  return { cost: texts(text, 2), size: upTo(most) };
};

const splitting: Method = (target, [, count]) => {
  const most = typeof count?.literal === 'bigint' && count.literal >= 0n ? Number(count.literal) : undefined;
  return { cost: texts(sizeOf(target), 2), size: upTo(most ?? sizeOf(target).most) };
};

const joining: Method = (target, [separator]) => {
  const list = sizeOf(target);
  const items = times(list, target.items ?? UNKNOWN);
  const between =
    separator === undefined ? exactly(0) : times(sizeOf(separator), upTo(Math.max(0, list.most - 1)));
  const size = plus(items, between);
  return { cost: texts(size), size };
};

/** A new list, of `factor` steps for each of `size`. */
const newList = (factor: number, size: Size): CallCost => ({
  cost: bounded(Math.ceil(size.most * factor) + 1 + LIST),
  size,
});
const squared = (size: Size): Size => times(size, size);
const number = (operand: Operand | undefined, otherwise: number): number =>
  typeof operand?.literal === 'bigint' ? Number(operand.literal) : otherwise;

const onLists =
  (of: Method): Method =>
  (target, args) =>
    target.type?.kind === 'list' ? of(target, args) : undefined;

const METHODS: Readonly<Record<string, Method>> = {
  contains: (target, [part]) => ({ cost: bounded(texts(sizeOf(target)) * texts(sizeOf(part))) }),
  startsWith: (_, [part]) => ({ cost: texts(sizeOf(part)) }),
  endsWith: (_, [part]) => ({ cost: texts(sizeOf(part)) }),
  matches: matching,
  find: finding,
  findAll: finding,
  replace: replacing,
  split: splitting,
  join: joining,
  format: (target) => ({ cost: texts(sizeOf(target)) }),
  lowerAscii: sameText,
  upperAscii: sameText,
  substring: sameText,
  trim: sameText,
  isSorted: eachItem,
  sum: eachItem,
  max: eachItem,
  min: eachItem,
  indexOf: eachItem,
  lastIndexOf: eachItem,
  distinct: onLists((target) => newList(2, squared(sizeOf(target)))),
  sort: onLists((target) =>
    newList(target.type?.valueType?.name === 'string' ? 2 + PER_CHARACTER : 2, squared(sizeOf(target))),
  ),
  reverse: onLists((target) => newList(1, sizeOf(target))),
  slice: onLists((target, [start, end]) =>
    newList(1, exactly(Math.max(0, number(end, sizeOf(target).most) - number(start, 0)))),
  ),
  flatten: onLists((target, [depth]) =>
    newList(depth === undefined ? 1 : number(depth, UNBOUNDED), sizeOf(target)),
  ),
  validate: (_, [text]) => ({ cost: traversal(texts(sizeOf(text)), FORMAT_PATTERN * PER_PATTERN_CHARACTER) }),
  // Addresses have four or sixteen bytes; a text is read first.
  containsIP: (_, [other]) => ({ cost: texts(exactly(32)) + readAddress(other) }),
  containsCIDR: (_, [other]) => ({ cost: texts(exactly(32)) + texts(exactly(16)) + 1 + readAddress(other) }),
  // Two questions about rights are all that an expression may ask.
  check: () => ({ cost: 350_000 }),
};

const readAddress = (operand: Operand | undefined): number =>
  operand?.type?.name === 'string' ? texts(sizeOf(operand)) : 0;

const sets =
  (factor: number) =>
  ([a, b]: readonly Operand[]): CallCost => ({
    cost: bounded(times(sizeOf(a), sizeOf(b)).most * factor + 1),
  });

const FUNCTIONS: Readonly<Record<string, (args: readonly Operand[]) => CallCost>> = {
  url: ([text]) => ({ cost: texts(sizeOf(text)), size: sizeOf(text) }),
  bytes: ([text]) => ({ cost: texts(sizeOf(text)), size: times(sizeOf(text), exactly(4)) }),
  // Only of bytes: other values become texts whose length nobody knows.
  string: ([value]) =>
    value?.type?.name === 'bytes'
      ? { cost: texts(sizeOf(value)), size: upTo(sizeOf(value).most) }
      : { cost: 1 },
  'strings.quote': ([text]) => ({ cost: texts(sizeOf(text)), size: upTo(sizeOf(text).most * 2 + 2) }),
  'lists.range': ([count]) => newList(1, exactly(number(count, UNBOUNDED))),
  'sets.contains': sets(1),
  'sets.intersects': sets(1),
  'sets.equivalent': sets(2),
};

/** `target` is undefined for functions without a receiver; those in a namespace have its name before theirs. */
export function callCost(name: string, target: Operand | undefined, args: readonly Operand[]): CallCost {
  const known =
    target === undefined
      ? Object.hasOwn(FUNCTIONS, name) && FUNCTIONS[name]?.(args)
      : Object.hasOwn(METHODS, name) && METHODS[name]?.(target, args);
  return known || { cost: 1 };
}
