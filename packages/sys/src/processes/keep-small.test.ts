import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@podvisor/base';
import { keepSmall, youngBytes } from './keep-small.ts';
import { collectYoung } from './trim-memory.ts';

test('everything is given back once after the start and after each burst; young garbage whenever there is some', () => {
  const clock = new FakeClock();
  const collected: string[] = [];
  let [cpu, young] = [200, 0];
  keepSmall({
    clock,
    cpuMs: () => cpu,
    young: () => young,
    collectAll: () => {
      collected.push('all');
      cpu += 100; // a collection is no burst
    },
    collectYoung: () => collected.push('young'),
  });
  const looked = (usedMs: number, bytes = 0): readonly string[] => {
    cpu += usedMs;
    young = bytes;
    clock.advance(10_000);
    return collected.splice(0);
  };
  assert.deepEqual(looked(3), ['all'], 'after the start');
  assert.deepEqual([looked(3), looked(8)], [[], []], 'quiet, and nothing to collect');
  assert.deepEqual(looked(3, 300_000), ['young']);
  assert.deepEqual(looked(90), [], 'not while it works');
  assert.deepEqual(looked(90, 300_000), ['young'], 'but what is young does not wait');
  assert.deepEqual([looked(3), looked(3)], [['all'], []], 'once after the burst');
});

test('what is asked of V8 is there: young garbage goes', () => {
  const garbage = Array.from({ length: 10_000 }, (_, i) => ({ i, text: `${i}` }));
  assert.equal(garbage.length, 10_000);
  const before = youngBytes();
  collectYoung();
  assert.ok(youngBytes() < before, `${youngBytes()} of ${before} bytes are left`);
});
