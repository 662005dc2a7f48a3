import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomFrom } from './random.ts';

test('the same seed gives the same numbers, another one others, all from 0 to below 1', () => {
  const take = (seed: number): readonly number[] => Array.from({ length: 1_000 }, randomFrom(seed));
  assert.deepEqual(take(7), take(7));
  assert.notDeepEqual(take(7), take(8));
  assert.ok(take(7).every((number) => number >= 0 && number < 1));
  const mean = take(7).reduce((sum, number) => sum + number) / 1_000;
  assert.ok(mean > 0.45 && mean < 0.55, `${mean}`);
});
