/**
 * virt-operator against a real API server with controllers and scheduler, with the rights of its own service account.
 * The test plays the kubelet: Pods become ready, and no program ever runs. So virt-api is never there, and still
 * everything is installed and taken away again.
 */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, test } from 'node:test';
import { annotations, type KubernetesObject, type KubeVirt } from '@podvisor/api';
import { systemClock } from '@podvisor/base';
import { type KubeClient, resources } from '@podvisor/kube';
import { dataVolumeDefinitions, kubevirtObject, resourceOf, runOperator } from '@podvisor/virt-operator';
import { namespace, startOperatorWorld } from './testing/operator-world.ts';
import { eventually, type SmallCluster } from './testing/small-cluster.ts';

const key = { namespace, name: 'kubevirt' };
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const CRD = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };
const DATA_VOLUMES = 'datavolumes.cdi.kubevirt.io';
const stop = new AbortController();
let cluster: SmallCluster;
let operator: KubeClient;
let running: Promise<void> = Promise.resolve();

const kubevirt = (name = 'kubevirt'): Promise<KubeVirt> =>
  cluster.client.get(resources.kubeVirts, { namespace, name });
const condition = async (type: string, name?: string): Promise<string | undefined> => {
  const found = (await kubevirt(name)).status?.conditions?.find((entry) => entry.type === type);
  return found === undefined ? undefined : `${found.status} ${found.reason} ${found.message}`;
};
const names = async (apiVersion: string, kind: string): Promise<string[]> => {
  const { items } = await cluster.client.list(resourceOf({ apiVersion, kind }));
  return items.map(({ metadata }) => `${metadata?.namespace ?? ''}/${metadata?.name}`).toSorted();
};
const everything = async (): Promise<readonly string[][]> =>
  Promise.all([
    names(CRD.apiVersion, CRD.kind),
    names('rbac.authorization.k8s.io/v1', 'ClusterRole'),
    names('rbac.authorization.k8s.io/v1', 'RoleBinding'),
    names('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration'),
    names('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy'),
    names('apiregistration.k8s.io/v1', 'APIService'),
    names('apps/v1', 'Deployment'),
    names('v1', 'Secret'),
  ]);

/** Every Pod that has a node runs. */
async function playKubelet(): Promise<void> {
  const { items } = await cluster.client.list(resources.pods, { namespace });
  for (const pod of items) {
    if (pod.spec.nodeName === undefined || pod.status?.phase === 'Running') continue;
    const status = {
      phase: 'Running',
      podIP: '10.88.0.9',
      podIPs: [{ ip: '10.88.0.9' }],
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }],
    };
    const patch = { type: 'merge', subresource: 'status', body: { status } } as const;
    await cluster.client.patch(resources.pods, { namespace, name: pod.metadata.name ?? '' }, patch);
  }
}

/** Pods that are deleted are gone at once. */
async function endPods(): Promise<void> {
  const { items } = await cluster.client.list(resources.pods, { namespace });
  for (const { metadata } of items)
    if (metadata.deletionTimestamp !== undefined)
      await cluster.client.delete(
        resources.pods,
        { namespace, name: metadata.name ?? '' },
        { gracePeriodSeconds: 0 },
      );
}

before(async () => {
  ({ cluster, operator } = await startOperatorWorld());
});
after(async () => {
  stop.abort();
  await running;
  await operator?.close();
  await cluster?.close();
});

let fresh: readonly string[][];

test('objects of another owner, and a second KubeVirt, are told and not touched', async () => {
  const { client } = cluster;
  const image = { registry: 'r', tag: 'v1' };
  const foreign: KubernetesObject & Record<string, unknown> = {
    ...CRD,
    metadata: {
      name: 'virtualmachines.kubevirt.io',
      labels: { 'app.kubernetes.io/managed-by': 'virt-operator' },
    },
    spec: {
      group: 'kubevirt.io',
      names: { kind: 'VirtualMachine', plural: 'virtualmachines' },
      scope: 'Namespaced',
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
      ],
    },
  };
  fresh = await everything();
  await client.create(resourceOf(CRD), foreign);
  const object = kubevirtObject(namespace) as unknown as KubeVirt;
  await eventually('the kind', () => client.create(resources.kubeVirts, object).catch(() => undefined));
  await new Promise((resolve) => setTimeout(resolve, 1100)); // creation times have seconds
  await client.create(resources.kubeVirts, { ...object, metadata: { name: 'second', namespace } });
  running = runOperator({ client: operator, namespace, image, clock: systemClock, log }, stop.signal);
  const told = await eventually('told', () => condition('Synchronized'));
  assert.match(told, /^False ForeignObject CustomResourceDefinition virtualmachines.kubevirt.io .*Uninstall/);
  const second = await eventually('told', () => condition('Synchronized', 'second'));
  assert.match(second, /^False ExistingDeployment .*kubevirt\/kubevirt/);
  assert.deepEqual(await names('apps/v1', 'Deployment'), ['kubevirt/virt-operator']);
  const [found] = (await client.list(resourceOf(CRD))).items.filter(
    ({ metadata }) => metadata?.name === 'virtualmachines.kubevirt.io',
  );
  assert.deepEqual(found?.metadata?.labels, foreign.metadata?.labels);
  await client.delete(resources.kubeVirts, { namespace, name: 'second' });
  await client.delete(resourceOf(CRD), { name: 'virtualmachines.kubevirt.io' });
  const [ofCdi] = dataVolumeDefinitions();
  assert.equal(ofCdi?.metadata?.name, DATA_VOLUMES);
  await client.create(resourceOf(CRD), ofCdi);
  // Somebody looks again by and by; a change of the object is faster.
  const developerConfiguration = { featureGates: ['DataVolumes'] };
  const body = { spec: { productName: 'test', configuration: { developerConfiguration } } };
  await client.patch(resources.kubeVirts, key, { type: 'merge', body });
});

test('everything is installed, one component after the other, with the rights of virt-operator', async () => {
  const seen: string[] = [];
  await eventually('Deployed', async () => {
    await playKubelet();
    for (const name of [...(await names('apps/v1', 'Deployment')), ...(await names('apps/v1', 'DaemonSet'))])
      if (!seen.includes(name)) seen.push(name);
    const { metadata, status } = await kubevirt();
    return status?.phase === 'Deployed' && status.observedGeneration === metadata?.generation;
  });
  assert.deepEqual(seen, [
    'kubevirt/virt-operator',
    'kubevirt/virt-api',
    'kubevirt/virt-controller',
    'kubevirt/virt-handler',
  ]);
  assert.match((await condition('Available')) ?? '', /^True AllComponentsReady/);
  assert.equal(await condition('Synchronized'), undefined);
});

test('DataVolumes of CDI are left alone, and come from us when it is gone', async () => {
  const { client } = cluster;
  assert.match((await condition('DataVolumes')) ?? '', /^False ProvidedByOthers .*take DataVolumes out of/);
  assert.ok(!(await names('v1', 'ServiceAccount')).includes('kubevirt/kubevirt-data-volumes'));
  await client.delete(resourceOf(CRD), { name: DATA_VOLUMES });
  const service = { apiVersion: 'v1', kind: 'Service' };
  await client.delete(resourceOf(service), { namespace, name: 'virt-api' });
  await eventually('ours', async () => {
    await playKubelet();
    return (await condition('DataVolumes'))?.startsWith('True Installed') === true;
  });
  await eventually('the Deployment', async () =>
    (await names('apps/v1', 'Deployment')).includes('kubevirt/virt-data-volumes'),
  );
});

test('CDI that comes after us gets the kinds with all that there is of them, and ours is in nobody’s way', async () => {
  const { client } = cluster;
  const definitions = resourceOf(CRD);
  // virt-api, which is never there, would be asked about a DataVolume.
  const sources = resources.dataSources;
  const key_ = { namespace: 'default', name: 'kept' };
  const source = { metadata: key_, spec: { source: { pvc: { namespace: 'golden', name: 'disk' } } } };
  const { metadata } = await client.create(sources, source);
  const [scope, served] = ['Cluster', { name: 'v1beta1', served: true, storage: true }];
  const schema = { openAPIV3Schema: { type: 'object' } };
  const names_ = { kind: 'CDI', plural: 'cdis' };
  const spec = { group: 'cdi.kubevirt.io', scope, names: names_, versions: [{ ...served, schema }] };
  const cdi: KubernetesObject & Record<string, unknown> = {
    ...CRD,
    metadata: { name: 'cdis.cdi.kubevirt.io' },
    spec,
  };
  await client.create(definitions, cdi);
  // CDI's operator writes its own definition over the one that it finds, and keeps labels that it does not know.
  const labels = { 'operator.cdi.kubevirt.io/createVersion': 'v1' };
  const patch = { type: 'merge', body: { metadata: { labels } } } as const;
  await client.patch(definitions, { name: DATA_VOLUMES }, patch);
  await eventually('told', async () =>
    (await condition('DataVolumes'))?.startsWith('False ProvidedByOthers') === true ? true : undefined,
  );
  await eventually('ours has gone', async () => {
    const left = [...(await names('apps/v1', 'Deployment')), ...(await names('v1', 'ServiceAccount'))];
    return left.some((found) => found.endsWith('data-volumes')) ? undefined : true;
  });
  const ofCdi = (await client.list(definitions)).items.filter(({ metadata: found }) =>
    found?.name?.endsWith('.cdi.kubevirt.io'),
  );
  assert.equal(ofCdi.length, dataVolumeDefinitions().length + 1);
  for (const { metadata: found } of ofCdi)
    assert.deepEqual(
      Object.keys(found?.labels ?? {}).filter((label) => label.startsWith('operator.podvisor.io/')),
      [],
    );
  const kept = await client.get(sources, key_);
  assert.equal(kept.metadata?.uid, metadata?.uid);
  await client.delete(sources, key_);
  for (const { metadata: found } of ofCdi) await client.delete(definitions, { name: found?.name ?? '' });
});

test('the key of hibernated guests is made once, before virt-handlers start, and is nobody’s to change', async () => {
  const { client } = cluster;
  const secret = { apiVersion: 'v1', kind: 'Secret' };
  const name = 'podvisor-hibernation-key';
  type Key = KubernetesObject & { readonly data?: Readonly<Record<string, string>> };
  const found = (): Promise<Key | undefined> => client.find(resourceOf(secret), { namespace, name });
  const before = await found();
  assert.equal(Buffer.from(before?.data?.['key'] ?? '', 'base64').length, 32);
  const other = { data: { key: Buffer.alloc(32).toString('base64') } };
  await assert.rejects(
    client.patch(resourceOf(secret), { namespace, name }, { type: 'merge', body: other }),
    /immutable/,
  );
  // Something else is mended, so everything was looked at again.
  const service = { apiVersion: 'v1', kind: 'Service' };
  await client.delete(resourceOf(service), { namespace, name: 'virt-api' });
  await eventually('the Service again', () =>
    client.find(resourceOf(service), { namespace, name: 'virt-api' }),
  );
  assert.deepEqual((await found())?.data, before?.data);
});

test('what somebody changes or deletes comes back', async () => {
  const { client } = cluster;
  const service = { apiVersion: 'v1', kind: 'Service' };
  await client.delete(resourceOf(service), { namespace, name: 'virt-api' });
  await eventually('the Service again', () =>
    client.find(resourceOf(service), { namespace, name: 'virt-api' }),
  );
});

test('a ServiceMonitor and rules come with the kinds of the Prometheus operator, also after us', async () => {
  const { client } = cluster;
  const MONITORING = 'monitoring.coreos.com';
  const definition = (kind: string): KubernetesObject & Record<string, unknown> => ({
    ...CRD,
    metadata: { name: `${kind.toLowerCase()}s.${MONITORING}` },
    spec: {
      group: MONITORING,
      names: { kind, plural: `${kind.toLowerCase()}s` },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  });
  const reader = { namespace, name: 'kubevirt-monitoring' };
  const role = resourceOf({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role' });
  assert.equal(await client.find(role, reader), undefined);
  for (const kind of ['ServiceMonitor', 'PrometheusRule'])
    await client.create(resourceOf(CRD), definition(kind));
  for (const [kind, name] of [
    ['ServiceMonitor', 'kubevirt-prometheus-metrics'],
    ['PrometheusRule', 'prometheus-kubevirt-rules'],
  ] as const) {
    const resource = resourceOf({ apiVersion: `${MONITORING}/v1`, kind });
    await eventually(kind, () => client.find(resource, { namespace, name }));
    await client.delete(resource, { namespace, name });
    await eventually(`${kind} again`, () => client.find(resource, { namespace, name }));
  }
  assert.notEqual(await client.find(role, reader), undefined);
  for (const kind of ['ServiceMonitor', 'PrometheusRule'])
    await client.delete(resourceOf(CRD), { name: definition(kind).metadata?.name ?? '' });
  // Without them it goes on as before.
  const service = { apiVersion: 'v1', kind: 'Service' };
  await client.delete(resourceOf(service), { namespace, name: 'virt-api' });
  await eventually('the Service again', () =>
    client.find(resourceOf(service), { namespace, name: 'virt-api' }),
  );
});

test('a virt-handler that asks by its Lease gets certificates of its node', async () => {
  const { client } = cluster;
  const { items } = await client.list(resources.pods, {
    namespace,
    labelSelector: 'kubevirt.io=virt-handler',
  });
  const publicKey = (): string =>
    generateKeyPairSync('ec', { namedCurve: 'P-256' })
      .publicKey.export({ type: 'spki', format: 'der' })
      .toString('base64');
  const request = {
    pod: items[0]?.metadata.uid,
    server: publicKey(),
    migrationServer: publicKey(),
    migrationClient: publicKey(),
  };
  const name = 'virt-handler-node1';
  const asked = { [annotations.certificateRequest]: JSON.stringify(request) };
  await client.create(resources.leases, { metadata: { name, namespace, annotations: asked }, spec: {} });
  await eventually('an answer', async () => {
    const lease = await client.get(resources.leases, { namespace, name });
    return lease.metadata?.annotations?.[annotations.certificates];
  });
});

test('an uninstallation ends without webhooks and virt-api, and leaves nothing', async () => {
  const { client } = cluster;
  await client.delete(resources.kubeVirts, key);
  await eventually('gone', async () => {
    await endPods();
    return (await client.find(resources.kubeVirts, key)) === undefined;
  });
  assert.deepEqual(await everything(), fresh);
  assert.deepEqual(
    (await client.list(resources.leases, { namespace })).items.map(({ metadata }) => metadata?.name),
    [],
  );
});
