/** Whoever may create an object writes any owner into it; UIDs are no secret. What another namespace says counts for nobody. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OwnerReference, Pod, ReplicaSet } from '@podvisor/api';
import { systemClock } from '@podvisor/base';
import type { KubeClient, Log } from '@podvisor/kube';
import { expectedPods } from '../disruption/expected-pods.ts';
import { fixedCache } from '../testing/fixed-cache.ts';
import { podIn, template } from '../testing/pods.ts';
import { claim } from './ownership.ts';
import { PodControl } from './pod-control.ts';
import { workloads } from './resources.ts';
import { revisionsOf } from './revision-history.ts';
import type { Revision } from './types.ts';

const set: ReplicaSet = {
  metadata: { namespace: 'ns', name: 'web', uid: 'uid-of-web' },
  spec: { selector: { matchLabels: { app: 'web' } }, template, replicas: 2 },
};
const reference: OwnerReference = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  name: 'web',
  uid: 'uid-of-web',
  controller: true,
};
const lies: readonly (readonly [string, Partial<Pod['metadata']>])[] = [
  ['another namespace', { namespace: 'other', ownerReferences: [reference] }],
  ['another name', { ownerReferences: [{ ...reference, name: 'api' }] }],
  ['another kind', { ownerReferences: [{ ...reference, kind: 'Job' }] }],
  ['another group', { ownerReferences: [{ ...reference, apiVersion: 'evil.io/v1' }] }],
  ['another UID', { ownerReferences: [{ ...reference, uid: 'uid-of' }] }],
];
const { signal } = new AbortController();
const log = { info() {}, warn() {}, error() {}, debug() {} } as unknown as Log;

for (const [what, metadata] of lies) {
  test(`a Pod with ${what} is nobody's creation, and not counted`, async () => {
    const owners = fixedCache([set]);
    const pods = fixedCache<Pod>();
    const client = { create: (_: unknown, pod: Pod) => Promise.resolve(pod) } as unknown as KubeClient;
    const control = new PodControl({
      client,
      resource: workloads.replicaSets,
      owners: owners.informer,
      pods: pods.informer,
      component: 'test',
      clock: systemClock,
      log,
    });
    control.connect(() => undefined);
    await control.create(set, [podIn('pending', 'one', { ownerReferences: [reference] })], signal);
    pods.add(podIn('ready', 'lie', metadata));
    assert.ok(!control.isUpToDate(set), 'the cache does not show what was made');
    assert.deepEqual(control.owned(set).pods, []);
    pods.add(podIn('ready', 'one', { ownerReferences: [reference] }));
    assert.ok(control.isUpToDate(set));
    assert.equal(control.owned(set).pods.length, 1);
  });
}

test('revisions of another namespace are not the history of a set', () => {
  const revision = (namespace: string): Revision => ({
    metadata: {
      namespace,
      name: `web-${namespace}`,
      ownerReferences: [{ ...reference, kind: 'StatefulSet' }],
    },
    data: {},
    revision: 1,
  });
  const { informer } = fixedCache([revision('ns'), revision('other')]);
  const history = revisionsOf(informer, workloads.statefulSets, set);
  assert.deepEqual(
    history.map(({ metadata }) => metadata.name),
    ['web-ns'],
  );
});

test('a controller is what the whole reference says', () => {
  const pods = lies.map(([name, metadata]) => podIn('ready', name, metadata));
  assert.deepEqual(claim(workloads.replicaSets, set, set.spec.selector, pods), {
    owned: [],
    adopt: [],
    release: [],
  });
});

test('the size of an owner is asked for at a path of the API, whatever a Pod says', async () => {
  const asked: string[] = [];
  const client = {
    request: ({ path }: { readonly path: string }) => {
      asked.push(path);
      return Promise.resolve({ spec: { replicas: 3 } });
    },
  } as unknown as KubeClient;
  const sizeFor = (owner: Partial<OwnerReference>): Promise<number | undefined> =>
    expectedPods(
      client,
      [podIn('ready', 'web', { ownerReferences: [{ ...reference, ...owner }] })],
      () => undefined,
      signal,
    );
  for (const owner of [
    { kind: 'pods?watch=true&x=' },
    { kind: 'x/../../../../kube-system/secret' },
    { kind: 'x#' },
    { apiVersion: 'v1/namespaces/kube-system/pods?watch=true&x=' },
    { apiVersion: '../api/v1' },
    { apiVersion: 'a/b/v1' },
  ])
    assert.equal(await sizeFor(owner), undefined, JSON.stringify(owner));
  assert.deepEqual(asked, []);
  assert.equal(await sizeFor({}), 3);
  assert.equal(await sizeFor({ name: 'a?b' }), 3);
  assert.deepEqual(asked, [
    '/apis/apps/v1/namespaces/ns/replicasets/web/scale',
    '/apis/apps/v1/namespaces/ns/replicasets/a%3Fb/scale',
  ]);
});
