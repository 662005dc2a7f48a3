import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReplicaSet } from '@podvisor/api';
import { NOW, podIn, template } from '../testing/pods.ts';
import { nextAvailableInMs, planReplicas, planReplicaSet, replicaSetStatus } from './reconcile.ts';

const set = (replicas: number): ReplicaSet => ({
  metadata: { namespace: 'ns', name: 'web', uid: 'u', generation: 3 },
  spec: { replicas, selector: { matchLabels: { app: 'web' } }, template },
});

test('finished and terminating Pods are replaced', () => {
  const pods = [podIn('ready'), podIn('terminating'), podIn('failed')];
  assert.deepEqual(planReplicas(set(3), pods), { create: 2, delete: [] });
});

test('of too many, the ones that help least go first', () => {
  const pods = [
    podIn('ready'),
    podIn('running'),
    podIn('pending', 'p', {}, { nodeName: '' }),
    podIn('pending'),
  ];
  const names = planReplicas(set(1), pods).delete.map(({ metadata }) => metadata.name);
  assert.deepEqual(names, ['p', 'pending', 'running']);
});

test('the status counts', () => {
  const pods = [podIn('ready'), podIn('running'), podIn('terminating'), podIn('succeeded')];
  const { conditions, ...counts } = replicaSetStatus(set(2), pods, NOW);
  assert.equal(conditions, undefined);
  assert.deepEqual(counts, {
    replicas: 2,
    fullyLabeledReplicas: 2,
    readyReplicas: 1,
    availableReplicas: 1,
    observedGeneration: 3,
  });
});

test('a failure is told, and forgotten when it is over', () => {
  const failed = replicaSetStatus(set(1), [], NOW, { reason: 'FailedCreate', message: 'no' });
  assert.equal(failed.conditions?.[0]?.type, 'ReplicaFailure');
  assert.equal(replicaSetStatus({ ...set(1), status: failed }, [], NOW).conditions, undefined);
});

test('a Pod becomes available after minReadySeconds, and we look then', () => {
  const since = Date.parse('2026-01-01T00:00:10Z');
  assert.equal(nextAvailableInMs([podIn('ready')], 30, since + 10_000), 20_000);
  assert.equal(nextAvailableInMs([podIn('ready')], 30, since + 30_000), undefined);
});

test('nothing is made or deleted while the cache is behind, or for a set that goes', () => {
  const owned = { pods: [podIn('ready')], adopt: [], release: [] };
  const now = NOW;
  assert.equal(planReplicaSet({ set: set(3), owned, isUpToDate: true, now }).create, 2);
  assert.equal(planReplicaSet({ set: set(3), owned, isUpToDate: false, now }).create, 0);
  assert.deepEqual(planReplicaSet({ set: set(0), owned, isUpToDate: false, now }).delete, []);
  const going = { ...set(3), metadata: { ...set(3).metadata, deletionTimestamp: 'now' } };
  assert.equal(planReplicaSet({ set: going, owned, isUpToDate: true, now }).create, 0);
});
