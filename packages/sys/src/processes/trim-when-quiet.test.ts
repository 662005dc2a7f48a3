import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@podvisor/base';
import { isTimeToTrim, trimWhenQuiet } from './trim-when-quiet.ts';

test('a collection is for a process that has worked, is quiet, and is small', () => {
  const use = { sinceLookMs: 10, sinceTrimMs: 5000, liveBytes: 30e6 };
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
