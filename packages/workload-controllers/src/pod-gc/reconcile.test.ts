import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod } from '@podvisor/api';
import { type PodGcObservation, planPodGc, surplus } from './reconcile.ts';

const pod = (
  nodeName: string | undefined,
  phase: 'Running' | 'Succeeded' | 'Pending',
  deletionTimestamp?: string,
): Pod => ({
  metadata: { namespace: 'ns', name: 'p', deletionTimestamp },
  spec: { nodeName, containers: [] },
  status: { phase },
});

const LONG_MS = 60_000;
const cases: readonly [string, Omit<PodGcObservation, 'isSurplus'>, string][] = [
  ['waits for a node', { pod: pod(undefined, 'Pending'), node: 'unknown' }, 'keep'],
  ['deleted before it had a node', { pod: pod(undefined, 'Pending', 'now'), node: 'unknown' }, 'collect'],
  ['runs', { pod: pod('a', 'Running'), node: 'present' }, 'keep'],
  ['terminates on a node that is there', { pod: pod('a', 'Running', 'now'), node: 'present' }, 'keep'],
  ['its node was just missed', { pod: pod('a', 'Running'), node: 'unknown', missedForMs: 1_000 }, 'wait'],
  ['its node is missed', { pod: pod('a', 'Running'), node: 'unknown', missedForMs: LONG_MS }, 'check-node'],
  ['its node is proven gone', { pod: pod('a', 'Running'), node: 'absent' }, 'collect failed'],
  ['finished, its node is proven gone', { pod: pod('a', 'Succeeded'), node: 'absent' }, 'collect'],
];

for (const [name, observed, expected] of cases) {
  test(name, () => {
    const plan = planPodGc({ ...observed, isSurplus: false });
    assert.equal(`${plan.kind}${plan.kind === 'collect' && plan.markFailed ? ' failed' : ''}`, expected);
  });
}

test('one too many goes, unless its node is in question', () => {
  const finished = pod('a', 'Succeeded');
  assert.equal(planPodGc({ pod: finished, node: 'present', isSurplus: true }).kind, 'remove');
  assert.equal(planPodGc({ pod: finished, node: 'unknown', isSurplus: true }).kind, 'wait');
});

test('only the oldest finished Pods beyond the limit go', () => {
  const at = (name: string, creationTimestamp: string): Pod => ({
    metadata: { name, creationTimestamp },
    spec: { containers: [] },
    status: { phase: 'Succeeded' },
  });
  const pods = [at('new', '3'), at('old', '1'), at('mid', '2')];
  assert.deepEqual(
    surplus(pods, 2).map(({ metadata }) => metadata.name),
    ['old'],
  );
  assert.deepEqual(surplus(pods, 3), []);
});
