import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod, StatefulSet } from '@podvisor/api';
import { workloads } from '../workloads/resources.ts';
import { planRevision, REVISION_LABEL } from '../workloads/revision-history.ts';
import { NOW, podIn, type PodState, template } from '../testing/pods.ts';
import { claimsFor, planStateful, planStatefulSet, statefulPod } from './reconcile.ts';

const set = (replicas: number, spec: Partial<StatefulSet['spec']> = {}): StatefulSet => ({
  metadata: { namespace: 'ns', name: 'db', uid: 'u' },
  spec: { replicas, serviceName: 'db', selector: { matchLabels: { app: 'web' } }, template, ...spec },
});
const at = (ordinal: number, state: PodState, revision = 'new'): Pod =>
  podIn(state, `db-${ordinal}`, { labels: { [REVISION_LABEL]: revision } });
const plan = (subject: StatefulSet, pods: readonly Pod[]): string => {
  const { create, delete: remove } = planStateful(subject, pods, { current: 'old', update: 'new' }, NOW);
  return [...create.map((n) => `+${n}`), ...remove.map(({ metadata }) => `-${metadata.name}`)].join(' ');
};

const cases: readonly [string, StatefulSet, readonly Pod[], string][] = [
  ['the first one first', set(3), [], '+0'],
  ['the next waits until it works', set(3), [at(0, 'running')], ''],
  ['then comes the next', set(3), [at(0, 'ready')], '+1'],
  ['in parallel all at once', set(3, { podManagementPolicy: 'Parallel' }), [], '+0 +1 +2'],
  ['the last one goes first', set(1), [at(0, 'ready'), at(1, 'ready'), at(2, 'ready')], '-db-2'],
  ['one at a time', set(1), [at(0, 'ready'), at(1, 'ready'), at(2, 'terminating')], ''],
  ['a new template begins at the end', set(2), [at(0, 'ready', 'old'), at(1, 'ready', 'old')], '-db-1'],
  ['and waits for each', set(2), [at(0, 'ready', 'old'), at(1, 'running')], ''],
  [
    'down to the partition',
    set(2, { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } } }),
    [at(0, 'ready', 'old'), at(1, 'ready')],
    '',
  ],
  ['a failed one is replaced', set(1), [at(0, 'failed')], '-db-0'],
];
for (const [name, subject, pods, expected] of cases)
  test(name, () => assert.equal(plan(subject, pods), expected));

test('a Pod has a name, a place in DNS, and claims of its own', () => {
  const claim = { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'] } };
  const subject = set(1, { volumeClaimTemplates: [claim] });
  const { metadata, spec } = statefulPod(subject, 0, 'db-x');
  assert.deepEqual([metadata.name, spec.hostname, spec.subdomain], ['db-0', 'db-0', 'db']);
  assert.deepEqual(spec.volumes, [{ name: 'data', persistentVolumeClaim: { claimName: 'data-db-0' } }]);
  assert.deepEqual(
    claimsFor(subject, 0).map((c) => c.metadata.name),
    ['data-db-0'],
  );
});

test('one pass: a revision first, claims that are missing, then the Pod', () => {
  const templates = ['data', 'log'].map((name) => ({ metadata: { name }, spec: {} }));
  const subject = set(1, { volumeClaimTemplates: templates });
  const observed = {
    set: subject,
    owned: { pods: [podIn('ready', 'stranger')], adopt: [], release: [] },
    history: [],
    hasClaim: ({ metadata }: { metadata: { name?: string } }) => metadata.name === 'log-db-0',
    isUpToDate: true,
    now: NOW,
  };
  const first = planStatefulSet(observed);
  assert.equal(first.revision.write.kind, 'create');
  assert.deepEqual(
    first.claims.map(({ metadata }) => metadata.name),
    ['data-db-0'],
  );
  assert.deepEqual(
    first.create.map(({ metadata }) => metadata.labels?.[REVISION_LABEL]),
    [first.revision.name],
  );
  // A Pod without a number is not counted.
  assert.equal(first.status.replicas, 0);
  const behind = planStatefulSet({ ...observed, isUpToDate: false });
  assert.deepEqual([behind.claims, behind.create, behind.delete], [[], [], []]);
});

test('below the partition the revision of before is made anew', () => {
  const old = set(1);
  const { write, name } = planRevision(workloads.statefulSets, old, []);
  assert.ok(write.kind === 'create');
  const changed = set(1, {
    template: { ...template, spec: { containers: [{ name: 'c', image: 'i:2' }] } },
    updateStrategy: { rollingUpdate: { partition: 1 } },
  });
  const { create } = planStatefulSet({
    set: { ...changed, status: { replicas: 0, availableReplicas: 0, currentRevision: name } },
    owned: { pods: [], adopt: [], release: [] },
    history: [write.revision],
    hasClaim: () => true,
    isUpToDate: true,
    now: NOW,
  });
  assert.equal(create[0]?.spec.containers[0]?.image, 'i:1');
  assert.equal(create[0]?.metadata.labels?.[REVISION_LABEL], name);
});
