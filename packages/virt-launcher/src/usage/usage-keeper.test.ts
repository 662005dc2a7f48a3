import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@podvisor/base';
import { UsageKeeper } from './usage-keeper.ts';

const log = { debug() {}, info() {}, warn() {}, error() {}, fatal() {} };
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function pass(clock: FakeClock, times: number): Promise<void> {
  for (let i = 0; i < times; i += 1) {
    clock.advance(30_000);
    await settled();
  }
}

test('an hour is kept and no more, however long the guest runs', async () => {
  const clock = new FakeClock(1_000_000);
  let asked = 0;
  const stats = async () => ({ 'cpu.time': (asked += 1) });
  const keeper = new UsageKeeper({ stats, clock, log });
  assert.deepEqual(keeper.history(), { nowMs: 1_000_000, points: [] });
  keeper.follow(true);
  keeper.follow(true);
  await pass(clock, 200);
  const { points, nowMs } = keeper.history();
  assert.equal(asked, 200, 'one question at a time');
  assert.deepEqual([points.length, points[0]?.cpuNs, points.at(-1)?.cpuNs], [120, 81, 200]);
  assert.equal(points.at(-1)?.atMs, nowMs);
});

test('nobody is asked for a guest that does not run, and a question that fails is only a gap', async () => {
  const clock = new FakeClock(0);
  let asked = 0;
  const stats = async () => {
    asked += 1;
    if (asked === 2) throw new Error('libvirt is busy');
    return {};
  };
  const keeper = new UsageKeeper({ stats, clock, log });
  keeper.follow(true);
  await pass(clock, 3);
  assert.deepEqual(
    keeper.history().points.map(({ atMs }) => atMs),
    [30_000, 90_000],
  );
  keeper.follow(false);
  await pass(clock, 3);
  assert.equal(asked, 3);
});
