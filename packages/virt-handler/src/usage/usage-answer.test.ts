import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock, type UsageHistory, type UsagePoint } from '@podvisor/base';
import { vmiOf } from '../testing/objects.ts';
import { UsageAnswer } from './usage-answer.ts';

const NOW = 1_000_000_000;

function point(atMs: number, cpuNs: number): UsagePoint {
  return { atMs, cpuNs, diskReadBytes: 0, diskWrittenBytes: 0, receivedBytes: 0, sentBytes: 0 };
}

function answerer(own: readonly UsagePoint[], nodeName = 'node-2'): UsageAnswer {
  const history = (): UsageHistory | undefined =>
    own.length === 0 ? undefined : { nowMs: NOW, points: own };
  const vmi = { ...vmiOf({ phase: 'Running' }), status: { nodeName } };
  return new UsageAnswer({
    client: { find: (async () => vmi) as never },
    keeper: { history },
    clock: new FakeClock(NOW),
  });
}

test('before what is kept here comes what an older launcher has kept', async () => {
  const said = {
    nowMs: NOW,
    points: [point(NOW - 90_000, 1), point(NOW - 60_000, 2), point(NOW - 30_000, 3)],
  };
  const ask = async (): Promise<string> => JSON.stringify(said);
  const { points } = await answerer([point(NOW - 45_000, 7)]).ofGuest(vmiOf({ phase: 'Running' }), { ask });
  assert.deepEqual(
    points.map(({ cpuNs }) => cpuNs),
    [1, 2, 7],
  );
});

test('a launcher that keeps none, or talks nonsense, changes nothing', async () => {
  for (const ask of [
    () => Promise.reject(new Error('12 UNIMPLEMENTED')),
    async () => '',
    async () => '{"points":1}',
  ]) {
    const { points } = await answerer([point(NOW - 45_000, 7)]).ofGuest(vmiOf({ phase: 'Running' }), { ask });
    assert.equal(points.length, 1);
  }
  const none = await answerer([]).ofGuest(vmiOf({ phase: 'Running' }), { ask: async () => '' });
  assert.deepEqual(none, { nowMs: NOW, points: [] });
});

test('another node is told of a guest that the API server says it has', async () => {
  const usage = answerer([point(NOW - 45_000, 7)]);
  assert.equal((await usage.ofGuestThatLeft('node-2', 'shop', 'web'))?.points.length, 1);
  assert.equal(await usage.ofGuestThatLeft('node-3', 'shop', 'web'), undefined);
});
