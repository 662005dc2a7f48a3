import assert from 'node:assert/strict';
import { test } from 'node:test';
import { standStill, type ThreadSample } from './stand-still.ts';

const sample = (seconds: number, cpuSeconds: number, more: Partial<ThreadSample> = {}): ThreadSample => ({
  count: 7,
  isFeeding: true,
  cpuMs: cpuSeconds * 1000,
  atMs: seconds * 1000,
  ...more,
});

test('an input is cut off by the CPU that it uses, not by the clock of a busy machine', () => {
  const busy = standStill();
  for (let second = 0; second <= 55; second += 1) assert.equal(busy(sample(second, second / 20)), undefined);
  const hung = standStill();
  for (let second = 0; second <= 15; second += 1) assert.equal(hung(sample(second, 2 * second)), undefined);
  assert.match(hung(sample(16, 32)) ?? '', /of CPU/);
});

test('one that waits for ever is cut off by the clock; the next input, and none, begin anew', () => {
  const waiting = standStill();
  assert.equal(waiting(sample(0, 1)), undefined);
  assert.equal(waiting(sample(59, 1)), undefined);
  assert.match(waiting(sample(61, 1)) ?? '', /60000 ms$/);
  const going = standStill();
  for (let second = 0; second < 200; second += 1)
    assert.equal(going(sample(second, 2 * second, { count: second >> 2 })), undefined);
  const between = standStill();
  for (let second = 0; second < 200; second += 10)
    assert.equal(between(sample(second, second, { isFeeding: false })), undefined);
});
