/** Lists and sets: Kubernetes' own functions, and those of CEL's extensions that it takes. */
import { deepEqual } from '@podvisor/base';
import type { Environment } from '@marcbachmann/cel-js';
import { spendSize } from '../cel-budget.ts';
import { declaring, namespace } from './declare.ts';

type Value = unknown;

const less = (a: Value, b: Value): boolean => (a as bigint) < (b as bigint);

/** Times and durations are objects that stand for a number. */
function equal(a: Value, b: Value): boolean {
  if (a instanceof Object && b instanceof Object && a.constructor === b.constructor) {
    const [left, right]: readonly unknown[] = [a.valueOf(), b.valueOf()];
    if (typeof left === 'number') return left === right;
  }
  return deepEqual(a, b);
}

const has = (items: readonly Value[], item: Value): boolean => {
  spendSize(items);
  return items.some((other) => equal(other, item));
};
const order = (a: Value, b: Value): number => (less(a, b) ? -1 : less(b, a) ? 1 : 0);

/** Numbers of one kind; CEL adds no others. */
function sum(items: readonly Value[]): bigint | number {
  if (items.every((item) => typeof item === 'bigint')) return items.reduce((total, item) => total + item, 0n);
  if (items.every((item) => typeof item === 'number')) return items.reduce((total, item) => total + item, 0);
  throw new Error('no such overload: sum of values that are not numbers of one kind');
}

function most(items: readonly Value[], name: 'min' | 'max'): Value {
  if (items.length === 0) throw new Error(`${name} called on empty list`);
  return items.reduce((a, b) => ((name === 'min' ? less(b, a) : less(a, b)) ? b : a));
}

function slice(items: readonly Value[], start: bigint, end: bigint): Value[] {
  const problem =
    start < 0n || end < 0n
      ? 'negative indexes not supported'
      : start > end
        ? 'start index must be less than or equal to end index'
        : end > BigInt(items.length)
          ? 'list is length ' + String(items.length)
          : undefined;
  if (problem !== undefined) throw new Error(`cannot slice(${start}, ${end}), ${problem}`);
  return items.slice(Number(start), Number(end));
}

/** More than an expression may look at within its cost. */
const MAX_RANGE = 1_000_000n;

function range(count: bigint): bigint[] {
  if (count > MAX_RANGE) throw new Error(`lists.range(${count}) is larger than ${MAX_RANGE}`);
  return Array.from({ length: Number(count) }, (_, i) => BigInt(i));
}

function distinct(items: readonly Value[]): Value[] {
  const found: Value[] = [];
  for (const item of items) if (!has(found, item)) found.push(item);
  return found;
}

const contains = (a: Value[], b: Value[]): boolean => b.every((item) => has(a, item));

export function declareLists(env: Environment): void {
  const f = declaring(env);
  f('list.isSorted(): bool', (items: Value[]) =>
    items.every((item, i) => i === 0 || !less(item, items[i - 1])),
  );
  f('list.sum(): dyn', (items: Value[]) => sum(items));
  f('list.min(): dyn', (items: Value[]) => most(items, 'min'));
  f('list.max(): dyn', (items: Value[]) => most(items, 'max'));
  f('list.indexOf(dyn): int', (items: Value[], item: Value) =>
    BigInt(items.findIndex((other) => equal(other, item))),
  );
  f('list.lastIndexOf(dyn): int', (items: Value[], item: Value) =>
    BigInt(items.findLastIndex((other) => equal(other, item))),
  );
  f('list<T>.distinct(): list<T>', distinct);
  f('list<T>.slice(int, int): list<T>', slice);
  f('list<T>.reverse(): list<T>', (items: Value[]) => items.toReversed());
  f('list<T>.sort(): list<T>', (items: Value[]) => items.toSorted(order));
  f('list.flatten(): list<dyn>', (items: Value[]) => items.flat(1));
  f('list.flatten(int): list<dyn>', (items: Value[], depth: bigint) => items.flat(Number(depth)));
  namespace(env, 'lists', {
    'range(int): list<int>': range,
  });
  namespace(env, 'sets', {
    'contains(list, list): bool': contains,
    'equivalent(list, list): bool': (a: Value[], b: Value[]) => contains(a, b) && contains(b, a),
    'intersects(list, list): bool': (a: Value[], b: Value[]) => b.some((item) => has(a, item)),
  });
}
