import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canEverFit, dispensable, IDLE_MS, type KeptMemory, roomFor } from './room.ts';

const GIB = 1024 ** 3;
const NODE = { totalBytes: 16 * GIB, availableBytes: 12 * GIB };
const NOW = 100 * IDLE_MS;
const kept = (digest: string, gib: number, ageMs: number, isInUse = false): KeptMemory => ({
  digest,
  usedBytes: gib * GIB,
  isInUse,
  lastAskedMs: NOW - ageMs,
});

test('a quarter of the node, and no more than half of what is available', () => {
  assert.equal(roomFor([], NODE), 4 * GIB);
  assert.equal(roomFor([kept('a', 3, 0)], NODE), GIB);
  assert.equal(roomFor([kept('a', 5, 0, true)], NODE), 0);
  assert.equal(roomFor([], { ...NODE, availableBytes: GIB }), GIB / 2);
});

test('more than the quarter fits at no time', () => {
  assert.equal(canEverFit(4 * GIB, NODE), true);
  assert.equal(canEverFit(4 * GIB + 1, NODE), false);
});

test('what nobody has asked for in a while goes, and never what a guest has', () => {
  const all = [kept('used', 1, 2 * IDLE_MS, true), kept('idle', 1, IDLE_MS), kept('recent', 1, IDLE_MS - 1)];
  assert.deepEqual(dispensable(all, NODE, NOW), ['idle']);
});

test('to make room the oldest goes first, and only as much as is needed', () => {
  const all = [kept('used', 1, 5, true), kept('newer', 1, 10), kept('oldest', 1, 30), kept('older', 1, 20)];
  assert.deepEqual(dispensable(all, NODE, NOW, 0), []);
  assert.deepEqual(dispensable(all, NODE, NOW, GIB), ['oldest']);
  assert.deepEqual(dispensable(all, NODE, NOW, 2 * GIB), ['oldest', 'older']);
  assert.deepEqual(dispensable(all, NODE, NOW, 100 * GIB), ['oldest', 'older', 'newer']);
});
