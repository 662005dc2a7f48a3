import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Node } from '@podvisor/api';
import { FakeClock } from '@podvisor/base';
import { podIn } from '../testing/pods.ts';
import { Heartbeats } from './heartbeats.ts';
import { planNode, unknownConditions, wantedTaints } from './reconcile.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const node = (ready: 'True' | 'False' | 'Unknown', spec: Node['spec'] = {}): Node => ({
  metadata: { name: 'a' },
  spec,
  status: { conditions: [{ type: 'Ready', status: ready }] },
});
const keys = (subject: Node): string | undefined =>
  wantedTaints(subject, NOW)
    ?.map(({ key, effect }) => `${key}:${effect}`)
    .join(' ');

test('taints follow conditions and leave those of people alone', () => {
  const mine = { key: 'dedicated', effect: 'NoSchedule' } as const;
  assert.equal(keys(node('True', { taints: [mine] })), undefined);
  assert.equal(
    keys(node('Unknown', { taints: [mine] })),
    'dedicated:NoSchedule node.kubernetes.io/unreachable:NoSchedule node.kubernetes.io/unreachable:NoExecute',
  );
  assert.equal(
    keys(node('False')),
    'node.kubernetes.io/not-ready:NoSchedule node.kubernetes.io/not-ready:NoExecute',
  );
  assert.equal(keys({ metadata: { name: 'new' } }), undefined);
  assert.equal(keys(node('True', { unschedulable: true })), 'node.kubernetes.io/unschedulable:NoSchedule');
  const tainted = node('Unknown', { taints: wantedTaints(node('Unknown'), NOW) });
  assert.equal(keys(tainted), undefined);
  assert.deepEqual(
    wantedTaints({ ...tainted, status: { conditions: [{ type: 'Ready', status: 'True' }] } }, NOW),
    [],
  );
});

test('a silent node becomes Unknown once', () => {
  const conditions = unknownConditions(node('True'), NOW) ?? [];
  assert.deepEqual(
    conditions.map(({ type, status, reason }) => `${type} ${status} ${reason}`),
    [
      'Ready Unknown NodeStatusUnknown',
      'MemoryPressure Unknown NodeStatusNeverUpdated',
      'DiskPressure Unknown NodeStatusNeverUpdated',
      'PIDPressure Unknown NodeStatusNeverUpdated',
    ],
  );
  assert.equal(unknownConditions({ ...node('True'), status: { conditions } }, NOW), undefined);
});

test('silence is measured by our clock, and our own sleep is not silence', () => {
  const clock = new FakeClock(NOW);
  const heartbeats = new Heartbeats(clock);
  const silentAfter = (steps: number): boolean => {
    let silent = false;
    for (let i = 0; i < steps; i += 1) {
      clock.advance(5000);
      ({ silent } = heartbeats.look('a'));
    }
    return silent;
  };
  heartbeats.heard('a', '1');
  assert.equal(silentAfter(7), false);
  heartbeats.heard('a', '1');
  assert.equal(silentAfter(1), true, 'the same lease again is no sign of life');
  heartbeats.heard('a', '2');
  assert.equal(silentAfter(1), false);
  clock.advance(3_600_000);
  assert.equal(heartbeats.look('a').silent, false, 'we slept for an hour');
  assert.equal(silentAfter(8), true);
});

test('a silent node is Unknown first; then its Pods are not ready and nothing is sent to it', () => {
  const pods = [podIn('ready', 'a'), podIn('running', 'b'), podIn('terminating', 'c')];
  const observed = { pods, againInMs: 5000, now: NOW };
  const heard = planNode({ ...observed, node: node('True'), isSilent: false });
  assert.deepEqual([heard.conditions, heard.notReady, heard.taints], [undefined, [], undefined]);
  const first = planNode({ ...observed, node: node('True'), isSilent: true });
  assert.equal(first.conditions?.find(({ type }) => type === 'Ready')?.status, 'Unknown');
  assert.deepEqual([first.notReady, first.taints], [[], undefined]);
  const marked = { ...node('True'), status: { conditions: first.conditions } };
  const second = planNode({ ...observed, node: marked, isSilent: true });
  assert.equal(second.conditions, undefined);
  assert.deepEqual(
    second.notReady.map(({ metadata }) => metadata.name),
    ['a'],
  );
  assert.equal(second.taints?.length, 2);
});
