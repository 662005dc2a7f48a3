import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { latestOnly } from './latest-only.ts';

test('of a thousand requests the first and the last are done, one after the other', async () => {
  const done: number[] = [];
  let atOnce = 0;
  let most = 0;
  const ask = latestOnly<number>(async (value) => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    await turn();
    done.push(value);
    atOnce -= 1;
  });
  for (let i = 1; i <= 1000; i += 1) ask(i);
  for (let i = 0; i < 10; i += 1) await turn();
  assert.deepEqual({ done, most }, { done: [1, 1000], most: 1 });
  ask(1001);
  for (let i = 0; i < 10; i += 1) await turn();
  assert.deepEqual(done, [1, 1000, 1001]);
});
