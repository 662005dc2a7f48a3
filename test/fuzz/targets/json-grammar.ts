/** JSON texts by grammar, with the keys and values that break careless readers. */
import type { Random } from '../frame/random.ts';

const KEYS = [
  'a',
  'b',
  'metadata',
  'labels',
  'spec',
  'name',
  '',
  '0',
  '-',
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'toString',
  'length',
  '$patch',
  '~0',
  '~1/',
];
const SCALARS = [
  'null',
  'true',
  'false',
  '0',
  '-0',
  '-1',
  '1.5',
  '1e308',
  '1e999',
  '9007199254740993',
  '9223372036854775807',
  '-9223372036854775809',
  '""',
  '"a"',
  '"\\u0000"',
  '"\\ud83d"',
  '"__proto__"',
  '"2026-01-01T00:00:00Z"',
  '"1Gi"',
];

export function jsonText(random: Random, depth = 0): string {
  const kind = depth > 5 ? 9 : random.below(10);
  const many = (one: () => string): string => Array.from({ length: random.below(4) }, one).join(',');
  if (kind < 4)
    return `{${many(() => `${JSON.stringify(random.pick(KEYS))}:${jsonText(random, depth + 1)}`)}}`;
  if (kind < 6) return `[${many(() => jsonText(random, depth + 1))}]`;
  return random.pick(SCALARS);
}

/** A JSON pointer of a few steps. */
export function pointer(random: Random): string {
  return Array.from(
    { length: random.below(5) },
    () => `/${random.pick([...KEYS, '1', '-1', '99', 'list', 'data'])}`,
  ).join('');
}
