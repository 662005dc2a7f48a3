import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UsagePoint } from '@podvisor/base';
import { historyOf, joined, KEPT_MS, KEPT_POINTS, parseHistory } from './usage-points.ts';

const NOW = 10 * KEPT_MS;

function point(atMs: number, cpuNs = 1): UsagePoint {
  return { atMs, cpuNs, diskReadBytes: 2, diskWrittenBytes: 3, receivedBytes: 4, sentBytes: 5 };
}

test('what was told by another clock is a past by ours', () => {
  const told = historyOf([point(1_000), { ...point(2_000), memoryBytes: 7 }], 3_000);
  assert.deepEqual(parseHistory(JSON.parse(JSON.stringify(told)), NOW), [
    point(NOW - 2_000),
    { ...point(NOW - 1_000), memoryBytes: 7 },
  ]);
});

test('anything that is no past is an empty one', () => {
  for (const said of [
    undefined,
    null,
    7,
    'past',
    [],
    {},
    { nowMs: 1 },
    { nowMs: 'now', points: [point(1)] },
    { nowMs: -1, points: [point(1)] },
    { nowMs: 1, points: { 0: point(1) } },
    {
      nowMs: NOW,
      points: [null, 1, [], {}, { ...point(NOW), cpuNs: '1' }, { ...point(NOW), sentBytes: -1 }],
    },
    { nowMs: NOW, points: [{ ...point(NOW), receivedBytes: Infinity }] },
  ])
    assert.deepEqual(parseHistory(said, NOW), [], JSON.stringify(said));
});

test('points of the future, of long ago and out of order are left out, and there are never more than an hour of them', () => {
  const times = [NOW - KEPT_MS, NOW - 2_000, NOW - 3_000, NOW - 1_000, NOW + 1];
  const said = { nowMs: NOW, points: times.map((atMs) => point(atMs)) };
  assert.deepEqual(
    parseHistory(said, NOW).map(({ atMs }) => atMs),
    [NOW - 2_000, NOW - 1_000],
  );
  const many = { nowMs: NOW, points: Array.from({ length: 100_000 }, (_, i) => point(NOW - 100_000 + i)) };
  assert.equal(parseHistory(many, NOW).length, KEPT_POINTS);
});

test('of two pasts the later one counts where both know something', () => {
  const earlier = [point(1, 10), point(2, 10), point(3, 10)];
  assert.deepEqual(joined(earlier, [point(3, 20), point(4, 20)]), [
    point(1, 10),
    point(2, 10),
    point(3, 20),
    point(4, 20),
  ]);
  assert.deepEqual(joined(earlier, []), earlier);
  const long = Array.from({ length: KEPT_POINTS }, (_, i) => point(i));
  assert.equal(joined(long, [point(KEPT_POINTS)]).length, KEPT_POINTS);
});
