import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deployment, ReplicaSet } from '@podvisor/api';
import { template } from '../testing/pods.ts';
import { expiredReplicaSets, newReplicaSet, renderReplicaSet, REVISION } from './revisions.ts';
import { firstSize, isScaling, limitsOf, recreateSteps, rollingSteps, scaleSteps } from './rollout.ts';
import { deploymentStatus } from './status.ts';

type Strategy = Deployment['spec']['strategy'];

const deployment = (replicas: number, strategy?: Strategy): Deployment => ({
  metadata: { namespace: 'ns', name: 'web', uid: 'd', generation: 2 },
  spec: { replicas, strategy, selector: { matchLabels: { app: 'web' } }, template },
});
const rolling = (maxUnavailable: number | string, maxSurge: number | string): Strategy => ({
  type: 'RollingUpdate',
  rollingUpdate: { maxUnavailable, maxSurge },
});
const set = (name: string, replicas: number, available = replicas, desired?: number): ReplicaSet => ({
  metadata: {
    namespace: 'ns',
    name,
    uid: name,
    creationTimestamp: name,
    annotations: {
      [REVISION]: '1',
      ...(desired === undefined ? {} : { 'deployment.kubernetes.io/desired-replicas': String(desired) }),
    },
  },
  spec: { replicas, template },
  status: { replicas, readyReplicas: available, availableReplicas: available },
});
const shown = (steps: readonly { set: ReplicaSet; replicas: number }[]): string =>
  steps.map(({ set: { metadata }, replicas }) => `${metadata.name}=${replicas}`).join(' ');

const limits: readonly [string, number, Strategy, string][] = [
  ['a quarter of ten', 10, rolling('25%', '25%'), '2 missing, 3 more'],
  ['a quarter of one', 1, rolling('25%', '25%'), '0 missing, 1 more'],
  ['nothing at all would never move', 4, rolling(0, 0), '1 missing, 0 more'],
];
for (const [name, replicas, strategy, expected] of limits) {
  test(name, () => {
    const { maxUnavailable, maxSurge } = limitsOf(deployment(replicas, strategy));
    assert.equal(`${maxUnavailable} missing, ${maxSurge} more`, expected);
  });
}

const steps: readonly [string, Strategy, ReplicaSet, readonly ReplicaSet[], string][] = [
  ['the new one grows by the surge', rolling(1, 1), set('new', 0), [set('old', 3)], 'new=1'],
  [
    'while it is not available, the old shrinks by what may be missing',
    rolling(1, 1),
    set('new', 1, 0),
    [set('old', 3)],
    'old=2',
  ],
  ['no step while nobody may go', rolling(0, 1), set('new', 1, 0), [set('old', 3)], ''],
  ['the new one works: an old one goes', rolling(0, 1), set('new', 1), [set('old', 3)], 'old=2'],
  ['broken old ones go first', rolling(0, 1), set('new', 1, 1), [set('a', 2, 0), set('b', 1)], 'a=1'],
  ['done', rolling(0, 1), set('new', 3), [set('old', 0)], ''],
  ['too many new ones', rolling(0, 1), set('new', 5), [], 'new=3'],
];
for (const [name, strategy, newest, old, expected] of steps)
  test(name, () => assert.equal(shown(rollingSteps(deployment(3, strategy), newest, old)), expected));

test('recreate waits for the last old Pod', () => {
  const subject = deployment(3, { type: 'Recreate' });
  assert.equal(firstSize(subject, [set('old', 3)]), 0);
  assert.equal(shown(recreateSteps(subject, set('new', 0), [set('old', 3)], 3)), 'old=0');
  assert.equal(shown(recreateSteps(subject, set('new', 0), [set('old', 0)], 1)), '');
  assert.equal(shown(recreateSteps(subject, set('new', 0), [set('old', 0)], 0)), 'new=3');
});

test('a new number of replicas in the middle of a rollout is shared', () => {
  const sets = [set('new', 2, 2, 4), set('old', 3, 3, 4)];
  const subject = deployment(8, rolling(1, 2));
  assert.ok(isScaling(subject, sets));
  assert.equal(
    scaleSteps(subject, sets[0], sets.slice(1)).reduce((sum, { replicas }) => sum + replicas, 0),
    10,
  );
});

test('equal templates are one revision, whatever labels we add', () => {
  const subject = deployment(1);
  const made = renderReplicaSet(subject, 1, 1, 2);
  assert.equal(newReplicaSet(subject, [made]), made);
  const changed = {
    ...subject,
    spec: { ...subject.spec, template: { ...template, spec: { containers: [{ name: 'c', image: 'i:2' }] } } },
  };
  assert.equal(newReplicaSet(changed, [made]), undefined);
  assert.notEqual(renderReplicaSet(changed, 1, 1, 2).metadata.name, made.metadata.name);
});

test('the history keeps its limit', () => {
  const old = [1, 2, 3].map((revision) => ({
    ...set(`r${revision}`, 0),
    metadata: { ...set(`r${revision}`, 0).metadata, annotations: { [REVISION]: String(revision) } },
  }));
  const subject = deployment(1);
  const names = expiredReplicaSets(
    { ...subject, spec: { ...subject.spec, revisionHistoryLimit: 1 } },
    old,
  ).map(({ metadata }) => metadata.name);
  assert.deepEqual(names, ['r1', 'r2']);
});

const NOW = Date.parse('2026-01-01T00:00:00Z');
const progressing = (subject: Deployment, newest: ReplicaSet, now: number): string => {
  const { conditions = [] } = deploymentStatus(subject, { newest, old: [], now });
  const found = conditions.find(({ type }) => type === 'Progressing');
  return `${found?.status} ${found?.reason}`;
};

test('a rollout that is done, moves, stands still, or is paused', () => {
  const subject = deployment(2);
  assert.equal(progressing(subject, set('new', 2), NOW), 'True NewReplicaSetAvailable');
  assert.equal(progressing(subject, set('new', 2, 1), NOW), 'True ReplicaSetUpdated');
  const begun = deploymentStatus(subject, { newest: set('new', 2, 1), old: [], now: NOW });
  assert.equal(
    progressing({ ...subject, status: begun }, set('new', 2, 1), NOW + 601_000),
    'False ProgressDeadlineExceeded',
  );
  assert.equal(
    progressing({ ...subject, spec: { ...subject.spec, paused: true } }, set('new', 2, 1), NOW),
    'Unknown DeploymentPaused',
  );
});
