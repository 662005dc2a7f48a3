/**
 * data-volumes as it runs on a cluster: with caches of its own, over TLS, with the rights of its service account, on a
 * storage class of others. The test plays the provisioner and the kubelet.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type DataVolume, dataVolumesAccount, type KubernetesObject } from '@podvisor/api';
import { systemClock } from '@podvisor/base';
import { runDataVolumes } from '@podvisor/data-volumes';
import { KubeClient, loadKubeconfig, resources } from '@podvisor/kube';
import { dataVolumeDefinitions, type Manifest, rbacObjects } from '@podvisor/virt-operator';
import { installObjects } from '../bootstrap-objects/install.ts';
import { eventually, type SmallCluster, startSmallCluster } from './testing/small-cluster.ts';

const namespace = 'default';
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const stop = new AbortController();
let cluster: SmallCluster;
let own: KubeClient;
let running: Promise<void> = Promise.resolve();

before(async () => {
  cluster = await startSmallCluster({ dataVolumes: false });
  const named = (apiVersion: string, kind: string, name: string): Manifest => ({
    apiVersion,
    kind,
    metadata: { name },
  });
  const objects: KubernetesObject[] = [
    named('v1', 'Namespace', 'kubevirt'),
    ...dataVolumeDefinitions(),
    ...rbacObjects('kubevirt', true),
    { ...named('storage.k8s.io/v1', 'StorageClass', 'csi'), ...{ provisioner: 'csi.example.com' } },
  ];
  await installObjects(
    cluster.client,
    objects.map((object) => ({ ...object })),
    systemClock,
  );
  const { status } = await cluster.client.request<{ status: { token: string } }>({
    method: 'POST',
    path: `/api/v1/namespaces/kubevirt/serviceaccounts/${dataVolumesAccount}/token`,
    body: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }),
  });
  const { ca } = loadKubeconfig(cluster.paths.kubeconfig);
  own = KubeClient.fromAccess({
    server: cluster.url,
    ...(ca === undefined ? {} : { ca }),
    token: status.token,
  });
  const worker = { image: 'registry/virt-importer:v1', pullPolicy: 'IfNotPresent' } as const;
  running = runDataVolumes({ client: own, worker, clock: systemClock, log }, stop.signal);
});
after(async () => {
  stop.abort();
  await running;
  await own?.close();
  await cluster?.close();
});

function create(
  name: string,
  source: DataVolume['spec']['source'],
  annotations: Readonly<Record<string, string>> = {},
): Promise<DataVolume> {
  const storage = {
    accessModes: ['ReadWriteOnce'],
    storageClassName: 'csi',
    resources: { requests: { storage: '1Gi' } },
  };
  return cluster.client.create(resources.dataVolumes, {
    metadata: { namespace, name, annotations },
    spec: { source, storage },
  });
}
const phaseOf = async (name: string): Promise<string | undefined> =>
  (await cluster.client.get(resources.dataVolumes, { namespace, name })).status?.phase;
const claimOf = (name: string) =>
  eventually(`claim ${name}`, () =>
    cluster.client.find(resources.persistentVolumeClaims, { namespace, name }),
  );

test('an import over http, from the claim to the end of its Pod', async () => {
  const { client } = cluster;
  await create('imported', { http: { url: 'https://images.example.com/disk.qcow2' } });
  await claimOf('imported');
  const key = { namespace, name: 'imported' };
  const bound = { status: { phase: 'Bound', capacity: { storage: '1Gi' } } };
  await client.patch(resources.persistentVolumeClaims, key, {
    type: 'merge',
    subresource: 'status',
    body: bound,
  });
  const pod = await eventually('a worker', () =>
    client.find(resources.pods, { namespace, name: 'importer-imported' }),
  );
  assert.equal(pod.spec.containers[0]?.image, 'registry/virt-importer:v1');
  assert.equal(pod.spec.automountServiceAccountToken, false);
  const done = { status: { phase: 'Succeeded' } };
  await client.patch(
    resources.pods,
    { namespace, name: 'importer-imported' },
    { type: 'merge', subresource: 'status', body: done },
  );
  await eventually('Succeeded', async () => (await phaseOf('imported')) === 'Succeeded');
});

test('a clone is asked of the class by its claim, within the namespace only', async () => {
  await create('copy', { pvc: { namespace, name: 'imported' } });
  const { spec } = await claimOf('copy');
  assert.deepEqual(spec.dataSource, { kind: 'PersistentVolumeClaim', name: 'imported' });
  const foreign = { pvc: { namespace: 'kube-system', name: 'x' } };
  const allowed = { 'podvisor.io/clone-allowed-from': 'pvc kube-system/x' };
  for (const [name, annotations, reason] of [
    ['stranger', {}, /nobody asked whether the maker of the DataVolume may read it/],
    ['guest', allowed, /within a namespace only/],
  ] as const) {
    await create(name, foreign, annotations);
    await eventually(`a reason for ${name}`, async () => {
      const { status } = await cluster.client.get(resources.dataVolumes, { namespace, name });
      return status?.conditions?.some(({ message }) => reason.test(message ?? ''));
    });
  }
});

test('a claim that is refused is told with the DataVolume', async () => {
  const { client } = cluster;
  await installObjects(
    client,
    [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'tight' } },
      {
        apiVersion: 'v1',
        kind: 'ResourceQuota',
        metadata: { namespace: 'tight', name: 'none' },
        spec: { hard: { persistentvolumeclaims: '0' } },
      },
    ],
    systemClock,
  );
  const storage = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  await client.create(resources.dataVolumes, {
    metadata: { namespace: 'tight', name: 'refused' },
    spec: { source: { blank: {} }, storage },
  });
  await eventually('an event', async () => {
    const { items } = await client.list(resources.events, { namespace: 'tight' });
    const told = items.map((event) => Object.assign({ reason: '', message: '' }, event));
    return told.some(
      ({ reason, message }) =>
        reason === 'ErrExceededQuota' &&
        /^PersistentVolumeClaim refused could not be created: .*exceeded quota: none/.test(message),
    );
  });
});

test('clients find a profile of the class and the configuration', async () => {
  await eventually('a profile', () => cluster.client.find(resources.storageProfiles, { name: 'csi' }));
});
