import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptable } from './acceptable.ts';

const without =
  (bad: readonly number[]) =>
  (parts: readonly number[]): Promise<boolean> =>
    Promise.resolve(!parts.some((part) => bad.includes(part)));
const numbers = Array.from({ length: 100 }, (_, i) => i);

test('all that is good is kept, whatever is bad', async () => {
  for (const bad of [[], [0], [99], [3, 4, 50], numbers])
    assert.deepEqual(
      await acceptable(numbers, without(bad)),
      numbers.filter((number) => !bad.includes(number)),
    );
});

test('of two that exclude each other the first one stays', async () => {
  const accepts = (parts: readonly number[]): Promise<boolean> =>
    Promise.resolve(!(parts.includes(2) && parts.includes(90)));
  assert.deepEqual(
    await acceptable(numbers, accepts),
    numbers.filter((number) => number !== 90),
  );
});

test('one bad part among a hundred costs few questions', async () => {
  let asked = 0;
  await acceptable(numbers, (parts) => {
    asked += 1;
    return without([42])(parts);
  });
  assert.ok(asked < 20, `${asked} questions`);
});
