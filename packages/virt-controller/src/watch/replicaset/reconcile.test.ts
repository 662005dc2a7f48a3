import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualMachineInstance, VirtualMachineInstanceReplicaSet, VMIStatus } from '@podvisor/api';
import { BURST, buildReplica, isReady, reconcileReplicaSet } from './reconcile.ts';
import { replicaStatus } from '../replicas/status.ts';

const labels = { app: 'web' };

function set(spec: Partial<VirtualMachineInstanceReplicaSet['spec']> = {}): VirtualMachineInstanceReplicaSet {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstanceReplicaSet',
    metadata: { name: 'web', namespace: 'default', uid: 'set' },
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { domain: { devices: {} } } },
      ...spec,
    },
  };
}

const owner = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstanceReplicaSet',
  name: 'web',
  uid: 'set',
  controller: true,
};

function vmi(
  name: string,
  status: VMIStatus = { phase: 'Running' },
  metadata: object = {},
): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name, namespace: 'default', uid: name, labels, ownerReferences: [owner], ...metadata },
    spec: { domain: { devices: {} } },
    status,
  };
}

const ready: VMIStatus = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
const plan = (candidates: readonly VirtualMachineInstance[], spec = {}, cacheCaughtUp = true) => {
  const made = reconcileReplicaSet({ replicaSet: set(spec), candidates, cacheCaughtUp });
  const names = (vmis: readonly VirtualMachineInstance[]) => vmis.map(({ metadata }) => metadata?.name);
  return {
    create: made.create,
    delete: names(made.delete),
    adopt: names(made.adopt),
    release: names(made.release),
  };
};
const NOTHING = { create: 0, delete: [], adopt: [], release: [] };

const cases: readonly [string, ReturnType<typeof plan>, Partial<ReturnType<typeof plan>>][] = [
  ['what is missing is made', plan([vmi('a')]), { create: 2 }],
  ['one unless told', plan([], { replicas: undefined }), { create: 1 }],
  ['a burst at most', plan([], { replicas: 1000 }), { create: BURST }],
  [
    'what is not ready goes first',
    plan([vmi('a', ready), vmi('b', { phase: 'Scheduling' }), vmi('c', ready)], { replicas: 2 }),
    { delete: ['b'] },
  ],
  ['zero takes all', plan([vmi('a'), vmi('b')], { replicas: 0 }), { delete: ['a', 'b'] }],
  [
    'the finished are replaced',
    plan([vmi('a', { phase: 'Failed' }), vmi('b'), vmi('c')]),
    { create: 1, delete: ['a'] },
  ],
  [
    'who is going counts no more',
    plan([vmi('a'), vmi('b'), vmi('c', ready, { deletionTimestamp: 'now' })]),
    { create: 1 },
  ],
  ['paused does nothing', plan([], { paused: true }), {}],
  ['a stale cache does nothing', plan([], {}, false), {}],
  ['an orphan that fits is adopted', plan([vmi('a', ready, { ownerReferences: [] })]), { adopt: ['a'] }],
  ['whoever does not fit any more is let go', plan([vmi('a', ready, { labels: {} })]), { release: ['a'] }],
];

for (const [name, made, expected] of cases) {
  test(name, () => assert.deepEqual(made, { ...NOTHING, ...expected }));
}

test('a replica is named after the template, or else the set', () => {
  assert.equal(buildReplica(set()).metadata?.generateName, 'web');
  const named = set({ template: { metadata: { name: 'node' } as never, spec: { domain: { devices: {} } } } });
  assert.equal(buildReplica(named).metadata?.generateName, 'node');
});

test('the status counts, and says why a pass failed', () => {
  const failure = { reason: 'FailedCreate', message: 'quota' } as const;
  const status = replicaStatus(set(), [vmi('a', ready), vmi('b')], isReady, { paused: true, failure }, 0);
  assert.equal(status.replicas, 2);
  assert.equal(status.readyReplicas, 1);
  assert.equal(status.labelSelector, 'app=web');
  assert.deepEqual(
    status.conditions?.map(({ type, reason }) => [type, reason]),
    [
      ['ReplicaPaused', 'Paused'],
      ['ReplicaFailure', 'FailedCreate'],
    ],
  );
});
