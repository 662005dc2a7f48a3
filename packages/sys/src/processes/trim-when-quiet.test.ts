import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@podvisor/base';
import { isTimeToTrim, trimWhenQuiet } from './trim-when-quiet.ts';

test('a collection is for a process that has worked, is quiet, and is small', () => {
  const use = { sinceLookMs: 10, sinceTrimMs: 5000, lastTrimMs: 100, liveBytes: 30e6 };
  assert.equal(isTimeToTrim(use), true);
  assert.equal(isTimeToTrim({ ...use, sinceLookMs: 4000 }), false, 'it works');
  assert.equal(isTimeToTrim({ ...use, sinceTrimMs: 500 }), false, 'it has not done much');
  assert.equal(isTimeToTrim({ ...use, liveBytes: 1e9 }), false, 'it would stand still for long');
});

test('once after the start, and once after each burst, however long it is quiet then', () => {
  const clock = new FakeClock();
  let [cpu, trims] = [400, 0];
  trimWhenQuiet({ clock, cpuMs: () => cpu, liveBytes: () => 30e6, trim: () => void (trims += 1) });
  clock.advance(120_000);
  assert.equal(trims, 1, 'after the start');
  for (let i = 0; i < 3; i += 1) {
    cpu += 5000;
    clock.advance(10_000);
  }
  assert.equal(trims, 1, 'not while it works');
  clock.advance(120_000);
  assert.equal(trims, 2, 'after the burst');
});

test('a process whose collections are cheap gives back after little work, one whose are dear after more', () => {
  for (const { trimMs, workMs, expected } of [
    { trimMs: 30, workMs: 250, expected: 1 },
    { trimMs: 30, workMs: 350, expected: 2 },
    { trimMs: 100, workMs: 800, expected: 1 },
    { trimMs: 100, workMs: 1200, expected: 2 },
    { trimMs: 1, workMs: 150, expected: 1 },
  ]) {
    const clock = new FakeClock();
    let [cpu, trims] = [400, 0];
    const trim = (): void => {
      trims += 1;
      cpu += trimMs;
    };
    trimWhenQuiet({ clock, cpuMs: () => cpu, liveBytes: () => 30e6, trim });
    clock.advance(30_000);
    cpu += workMs;
    clock.advance(60_000);
    assert.equal(trims, expected, `${workMs} ms of work, ${trimMs} ms a collection`);
  }
});
