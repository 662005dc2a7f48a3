/**
 * What stands in virt-operator's way, on a real API server and with the rights of its own account: each is told by a
 * condition and an event with the way out, nothing of what is there is touched, and when it is gone the installation
 * goes on by itself.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { KubernetesObject, KubeVirt } from '@podvisor/api';
import { systemClock } from '@podvisor/base';
import { defineResource, type KubeClient, resources } from '@podvisor/kube';
import { kubevirtObject, type PolicyRule, resourceOf, runOperator } from '@podvisor/virt-operator';
import { namespace, startOperatorWorld } from './testing/operator-world.ts';
import { eventually, type SmallCluster } from './testing/small-cluster.ts';

type Event = KubernetesObject & {
  readonly reason?: string;
  readonly message?: string;
  readonly note?: string;
};
type Role = KubernetesObject & { readonly rules?: readonly PolicyRule[] };

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const events = defineResource<Event>('Event', 'events', 'v1');
const roles = resourceOf({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' });
const deployments = resourceOf({ apiVersion: 'apps/v1', kind: 'Deployment' });
const key = { namespace, name: 'kubevirt' };
let stop = new AbortController();
let cluster: SmallCluster;
let operator: KubeClient;
let running: Promise<void> = Promise.resolve();

/** Every change of the settings is written to a hundred objects before a component is touched. */
const APPLIED_MS = 120_000;

const blocked = async (where = key): Promise<string | undefined> => {
  const { status } = await cluster.client.get(resources.kubeVirts, where);
  const found = status?.conditions?.find(({ type }) => type === 'Synchronized');
  return found?.status === 'False' ? `${found.reason} ${found.message}` : undefined;
};
const told = (reason: string, where = key): Promise<string> =>
  eventually(
    `told: ${reason}`,
    async () => {
      const found = await blocked(where);
      return found?.startsWith(reason) === true ? found : undefined;
    },
    APPLIED_MS,
  );
const happened = (reason: string): Promise<Event> =>
  eventually(`an event: ${reason}`, async () =>
    (await cluster.client.list(events)).items.find((event) => event.reason === reason),
  );
const change = (spec: object): Promise<KubeVirt> =>
  cluster.client.patch(resources.kubeVirts, key, { type: 'merge', body: { spec } });
const freed = (): Promise<true> =>
  eventually('nothing is in the way', async () => (await blocked()) === undefined, APPLIED_MS);
const patchOf = (patch: string): object => ({
  customizeComponents: {
    patches: [{ resourceType: 'Deployment', resourceName: 'virt-api', type: 'merge', patch }],
  },
});

const start = (): void => {
  const image = { registry: 'r', tag: 'v1' };
  stop = new AbortController();
  running = runOperator({ client: operator, namespace, image, clock: systemClock, log }, stop.signal);
};

before(async () => {
  ({ cluster, operator } = await startOperatorWorld());
  start();
});
after(async () => {
  stop.abort();
  await running;
  await operator?.close();
  await cluster?.close();
});

test('a KubeVirt object in another namespace', async () => {
  const { client } = cluster;
  const elsewhere = { namespace: 'default', name: 'kubevirt' };
  const object = kubevirtObject('default') as unknown as KubeVirt;
  await eventually('the kind', () => client.create(resources.kubeVirts, object).catch(() => undefined));
  assert.match(await told('WrongNamespace', elsewhere), /create the KubeVirt object in namespace kubevirt/);
  await happened('WrongNamespace');
  await client.delete(resources.kubeVirts, elsewhere);
});

/** The rules of virt-operator's role but for those of one resource; gives back how to have all again. */
async function withoutRight(resource: string, verbs: readonly string[]): Promise<() => Promise<unknown>> {
  const role = { name: 'kubevirt-operator' };
  const { rules = [] } = (await cluster.client.get(roles, role)) as Role;
  const setRules = (wanted: readonly PolicyRule[]) =>
    cluster.client.patch(roles, role, { type: 'merge', body: { rules: wanted } });
  const isOf = ({ resources: of }: PolicyRule): boolean => of?.includes(resource) === true;
  await setRules(
    rules.map((rule) =>
      isOf(rule) ? { ...rule, verbs: rule.verbs.filter((v) => !verbs.includes(v)) } : rule,
    ),
  );
  return () => setRules(rules);
}

const ensureKubeVirt = async (): Promise<void> => {
  if ((await cluster.client.find(resources.kubeVirts, key)) === undefined)
    await cluster.client.create(resources.kubeVirts, kubevirtObject(namespace) as unknown as KubeVirt);
};

for (const [what, resource, verbs, message] of [
  [
    'write',
    'customresourcedefinitions',
    ['create', 'patch'],
    /CustomResourceDefinition \S+ may not be written/,
  ],
  ['read', 'priorityclasses', ['list', 'watch'], /may not see what it installs: .*priorityclasses/],
] as const)
  test(`virt-operator starts without a right to ${what}`, async () => {
    stop.abort();
    await running;
    const restore = await withoutRight(resource, verbs);
    start();
    await ensureKubeVirt();
    const said = await told('MissingPermissions');
    assert.match(said, message);
    assert.match(said, /Apply the manifest of virt-operator/);
    await happened('MissingPermissions');
    await restore();
    // Somebody looks again by and by; a change of the object is faster.
    await change({ productName: 'again' });
    await freed();
  });

test('a patch that cannot be applied, and one that gives what the API server refuses', async () => {
  const { client } = cluster;
  const api = { namespace, name: 'virt-api' };
  const before = await eventually('virt-api', () => client.find(deployments, api), APPLIED_MS);
  await change(patchOf('{'));
  await told('InvalidCustomization');
  await happened('InvalidCustomization');
  await change(patchOf('{"spec":{"replicas":-1}}'));
  assert.match(await told('DeploymentFailed'), /Deployment kubevirt\/virt-api was refused: .*replicas/s);
  await happened('DeploymentFailed');
  const after_ = await client.get(deployments, api);
  assert.equal(after_.metadata?.generation, before.metadata?.generation, 'what runs is not touched');
  await change({ customizeComponents: null });
  await freed();
});
