import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sleep } from './backoff.ts';
import { FakeClock } from './clock.ts';

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
