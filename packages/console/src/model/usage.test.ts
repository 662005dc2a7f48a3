import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UsagePoint } from '@podvisor/base';
import { pastPoints, usageSeries, withPoint } from './usage.ts';

const point = (atMs: number, more: Partial<UsagePoint>): UsagePoint => ({
  atMs,
  cpuNs: 1_000_000_000,
  memoryBytes: 4096,
  diskReadBytes: 30,
  diskWrittenBytes: 5,
  receivedBytes: 7,
  sentBytes: 8,
  ...more,
});

test('rates between points; a guest that began anew has none there', () => {
  const points = [
    point(0, {}),
    point(1000, { cpuNs: 1_500_000_000, receivedBytes: 2007 }),
    point(3000, { cpuNs: 1, receivedBytes: 2007 }),
  ];
  const { times, cpu, received, memory } = usageSeries(points);
  assert.deepEqual(times, [0, 1, 3]);
  assert.deepEqual(cpu, [null, 50, null]);
  assert.deepEqual(received, [null, 2000, 0]);
  assert.deepEqual(memory, Array(3).fill(4096));
});

test('the past comes by the clock of whoever looks, and an hour of it is kept', () => {
  const told = { nowMs: 5_000_000, points: [point(1_500_000, {}), point(4_970_000, {})] };
  const past = pastPoints(told, 9_000_000);
  assert.deepEqual(
    past.map(({ atMs }) => atMs),
    [5_500_000, 8_970_000],
  );
  const later = withPoint(past, point(9_200_000, {}));
  assert.deepEqual(
    later.map(({ atMs }) => atMs),
    [8_970_000, 9_200_000],
  );
});
