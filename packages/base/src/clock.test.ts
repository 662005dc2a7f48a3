import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sleep } from './backoff.ts';
import { FakeClock } from './clock.ts';
import { systemClock } from './system-clock.ts';

test('timers run in the order of their time, once', () => {
  const clock = new FakeClock();
  const ran: string[] = [];
  clock.after(20, () => ran.push('b'));
  clock.after(10, () => ran.push('a'));
  clock.after(30, () => ran.push('c'))();
  clock.advance(50);
  assert.deepEqual(ran, ['a', 'b']);
});

test('sleep ends with the reason of its signal', async () => {
  const abort = new AbortController();
  const pending = sleep(new FakeClock(), 1000, abort.signal);
  abort.abort(new Error('enough'));
  await assert.rejects(pending, /enough/);
});

test('a time of many years has not come at once', async () => {
  const rang: string[] = [];
  const cancels = [2 ** 31, (2 ** 31 - 1) * 1000, Number.POSITIVE_INFINITY].map((ms) =>
    systemClock.after(ms, () => rang.push(`after ${ms}`)),
  );
  // The timers of the real clock keep nothing alive, this one does.
  await new Promise((resolve) => setTimeout(resolve, 50));
  for (const cancel of cancels) cancel();
  assert.deepEqual(rang, []);
});
