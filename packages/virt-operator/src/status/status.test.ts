import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeVirt } from '@podvisor/api';
import { type InstallState, plannedStatus, type StatusFacts } from './status.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const LATER = NOW + 60_000;
const target = { version: 'v2', registry: 'r', id: 'two' };
const factsOf = (state: InstallState): StatusFacts => ({
  state,
  operatorVersion: 'v2',
  target,
  defaultArchitecture: 'amd64',
});
const kubevirtWith = (status?: KubeVirt['status'], generation = 1): KubeVirt => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'KubeVirt',
  metadata: { name: 'kubevirt', namespace: 'kubevirt', generation },
  spec: {},
  ...(status === undefined ? {} : { status }),
});
const summary = (status: KubeVirt['status']): string =>
  [
    status?.phase,
    ...(status?.conditions ?? []).map(({ type, status: is, reason }) => `${type}=${is}/${reason}`),
  ].join(' ');

const ready = plannedStatus(kubevirtWith(), factsOf({ kind: 'deployed' }), NOW) ?? {};
const older = { ...ready, observedDeploymentID: 'one', observedKubeVirtVersion: 'v1' };

const cases: readonly [string, KubeVirt['status'], InstallState, string][] = [
  [
    'a fresh one',
    undefined,
    { kind: 'deploying', created: false },
    'Deploying Available=False/DeploymentInProgress Progressing=True/DeploymentInProgress Degraded=False/DeploymentInProgress',
  ],
  [
    'all is there and ready',
    undefined,
    { kind: 'deployed' },
    'Deployed Created=True/AllResourcesCreated Available=True/AllComponentsReady Progressing=False/AllComponentsReady Degraded=False/AllComponentsReady',
  ],
  [
    'an update: what is there stays available',
    older,
    { kind: 'deploying', created: true },
    'Deploying Created=True/AllResourcesCreated Available=True/UpdateInProgress Progressing=True/UpdateInProgress Degraded=True/UpdateInProgress',
  ],
  [
    'a second KubeVirt object',
    undefined,
    { kind: 'blocked', reason: 'ExistingDeployment', message: 'x' },
    'Deploying Synchronized=False/ExistingDeployment',
  ],
  [
    'a problem does not end what runs',
    ready,
    { kind: 'blocked', reason: 'DeploymentFailed', message: 'x' },
    'Deployed Created=True/AllResourcesCreated Available=True/AllComponentsReady Progressing=False/AllComponentsReady Degraded=False/AllComponentsReady Synchronized=False/DeploymentFailed',
  ],
  [
    'deletion',
    ready,
    { kind: 'deleting' },
    'Deleting Created=True/AllResourcesCreated Available=False/DeletionInProgress Progressing=False/DeletionInProgress Degraded=True/DeletionInProgress',
  ],
];
for (const [name, old, state, expected] of cases)
  test(`status: ${name}`, () =>
    assert.equal(summary(plannedStatus(kubevirtWith(old), factsOf(state), NOW)), expected));

test('nothing is written when nothing changed, and a new generation is observed', () => {
  assert.equal(plannedStatus(kubevirtWith(ready), factsOf({ kind: 'deployed' }), LATER), undefined);
  const next = plannedStatus(kubevirtWith(ready, 2), factsOf({ kind: 'deployed' }), LATER);
  assert.equal(next?.observedGeneration, 2);
  assert.deepEqual(next?.conditions, ready.conditions);
});

test('a problem that is gone is taken back, one that virt-controller told is not', () => {
  const blocked = (reason: string): KubeVirt['status'] => ({
    ...ready,
    conditions: [...(ready.conditions ?? []), { type: 'Synchronized', status: 'False', reason }],
  });
  const told = (reason: string): boolean =>
    summary(plannedStatus(kubevirtWith(blocked(reason), 2), factsOf({ kind: 'deployed' }), LATER)).includes(
      'Synchronized',
    );
  assert.equal(told('DeploymentFailed'), false);
  assert.equal(told('InvalidConfiguration'), true);
});
