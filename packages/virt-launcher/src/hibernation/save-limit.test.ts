import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@podvisor/base';
import { LONGEST_STALL_MS, SaveLimit } from './save-limit.ts';

const never = new Promise<never>(() => {});

test('work that moves may take any time, work that stands still is given up', async () => {
  const clock = new FakeClock(0);
  const limit = new SaveLimit(clock);
  const ends = Promise.withResolvers<string>();
  const done = limit.during(ends.promise);
  for (let minute = 0; minute < 5; minute += 1) {
    clock.advance(LONGEST_STALL_MS - 1);
    limit.moved();
  }
  ends.resolve('saved');
  assert.equal(await done, 'saved');
  clock.advance(LONGEST_STALL_MS * 2);
  const stuck = limit.during(never);
  clock.advance(LONGEST_STALL_MS);
  await assert.rejects(stuck, /took nothing for 60 s/);
});

test('a large file that is copied in one call has its time', async () => {
  const clock = new FakeClock(0);
  const limit = new SaveLimit(clock);
  let isOver = false;
  const copied = limit.during(never, 1024 ** 3).catch(() => void (isOver = true));
  clock.advance(LONGEST_STALL_MS + 60_000);
  await Promise.resolve();
  assert.equal(isOver, false);
  clock.advance(120_000);
  await copied;
  assert.equal(isOver, true);
});

test('chunks that nobody asks for are no movement', async () => {
  const clock = new FakeClock(0);
  const limit = new SaveLimit(clock);
  const chunks = limit.watch(
    (async function* () {
      for (;;) yield Buffer.alloc(1);
    })(),
  );
  const written = limit.during(never);
  await chunks.next();
  clock.advance(LONGEST_STALL_MS - 1);
  await chunks.next();
  clock.advance(LONGEST_STALL_MS - 1);
  clock.advance(1);
  await assert.rejects(written, /took nothing/);
});
