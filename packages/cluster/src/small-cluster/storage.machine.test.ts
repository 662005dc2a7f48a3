/** Local storage against a real API server: clones, snapshots, growth. Tests play the Pods. */
import { systemClock } from '@podvisor/base';
import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { DataVolume, PersistentVolumeClaim, VolumeSnapshot } from '@podvisor/api';
import { type KubeClient, resources } from '@podvisor/kube';
import { bootstrapObjects } from '../bootstrap-objects/bootstrap-objects.ts';
import { installObjects } from '../bootstrap-objects/install.ts';
import { eventually, type SmallCluster, startSmallCluster } from './testing/small-cluster.ts';

const namespace = 'default';
let cluster: SmallCluster;
let client: KubeClient;

before(async () => {
  cluster = await startSmallCluster();
  client = cluster.client;
  const facts = { kubevirtCa: 'CA', kvmUsable: false };
  // Nobody plays virt-api, which answers webhooks.
  const objects = bootstrapObjects(cluster.config, facts).filter(
    ({ kind }) => !kind?.endsWith('WebhookConfiguration'),
  );
  await installObjects(client, objects, systemClock);
});
after(() => cluster.close());

function claim(name: string, spec: Partial<PersistentVolumeClaim['spec']> = {}): Promise<unknown> {
  return client.create(resources.persistentVolumeClaims, {
    metadata: { namespace, name },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '8Mi' } }, ...spec },
  });
}

async function pathOf(name: string): Promise<string> {
  const bound = await eventually(`${name} bound`, async () => {
    const found = await client.get(resources.persistentVolumeClaims, { namespace, name });
    return found.status?.phase === 'Bound' ? found : undefined;
  });
  const volume = await client.get(resources.persistentVolumes, { name: bound.spec.volumeName ?? '' });
  return volume.spec.local?.path ?? '';
}

function snapshot(name: string, claimName: string): Promise<VolumeSnapshot> {
  return client.create(resources.volumeSnapshots, {
    metadata: { namespace, name },
    spec: { source: { persistentVolumeClaimName: claimName } },
  });
}

const statusOf = async (name: string): Promise<NonNullable<VolumeSnapshot['status']>> =>
  (await client.get(resources.volumeSnapshots, { namespace, name })).status ?? {};

const noticeOf = async (name: string, reason: string): Promise<string | undefined> =>
  (await client.list(resources.events, { namespace })).items
    .map((event) => JSON.stringify(event))
    .find((text) => text.includes(name) && text.includes(reason));

test('a snapshot keeps what a claim held, outlives it, and goes with its data', async () => {
  await claim('origin');
  const path = await pathOf('origin');
  writeFileSync(join(path, 'disk.img'), 'before');
  await snapshot('first', 'origin');
  const status = await eventually('ready', async () => {
    const found = await statusOf('first');
    return found.readyToUse === true ? found : undefined;
  });
  assert.equal(status.restoreSize, '8Mi');
  assert.ok(status.creationTime !== undefined && status.error === undefined);
  writeFileSync(join(path, 'disk.img'), 'after');
  await client.delete(resources.persistentVolumeClaims, { namespace, name: 'origin' });
  const dataSource = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'first' };
  await claim('restored', { dataSource, resources: { requests: { storage: '16Mi' } } });
  assert.equal(readFileSync(join(await pathOf('restored'), 'disk.img'), 'utf8'), 'before');
  const content = status.boundVolumeSnapshotContentName ?? '';
  await client.delete(resources.volumeSnapshots, { namespace, name: 'first' });
  await eventually(
    'content gone',
    async () => (await client.find(resources.volumeSnapshotContents, { name: content })) === undefined,
  );
  await eventually(
    'snapshot gone',
    async () => (await client.find(resources.volumeSnapshots, { namespace, name: 'first' })) === undefined,
  );
});

test('a claim starts as a clone, also as a block device', async () => {
  await claim('golden');
  writeFileSync(join(await pathOf('golden'), 'disk.img'), 'golden');
  const dataSource = { kind: 'PersistentVolumeClaim', name: 'golden' };
  await claim('copy', { dataSource });
  assert.equal(readFileSync(join(await pathOf('copy'), 'disk.img'), 'utf8'), 'golden');
  await claim('device', { dataSource, volumeMode: 'Block' });
  const file = await pathOf('device');
  assert.equal(readFileSync(file, 'utf8').slice(0, 6), 'golden');
  assert.equal(statSync(file).size, 8 << 20);
});

test('what cannot be done is said', async () => {
  await claim('too-small', {
    dataSource: { kind: 'PersistentVolumeClaim', name: 'golden' },
    resources: { requests: { storage: '1Mi' } },
  });
  await eventually('event', () =>
    noticeOf('too-small', 'requested volume size 1Mi is less than the size 8Mi'),
  );
  const dataSourceRef = { kind: 'PersistentVolumeClaim', name: 'golden', namespace: 'kube-system' };
  await claim('thief', { dataSourceRef });
  await eventually('event', () => noticeOf('thief', 'from their own namespace only'));
  await snapshot('of-nothing', 'missing');
  const failed = await eventually('error', async () => (await statusOf('of-nothing')).error);
  assert.match(failed.message ?? '', /default\/missing does not exist/);
  await claim('missing');
  await eventually('ready after all', async () => (await statusOf('of-nothing')).readyToUse);
});

const dataVolume = (name: string, spec: DataVolume['spec']): DataVolume => ({
  apiVersion: 'cdi.kubevirt.io/v1beta1',
  kind: 'DataVolume',
  metadata: { namespace, name },
  spec,
});
const storage = { resources: { requests: { storage: '8Mi' } } };
const phaseOf = async (name: string): Promise<string | undefined> =>
  (await client.get(resources.dataVolumes, { namespace, name })).status?.phase;

test('DataVolumes: blank and clones are made with the volume', async () => {
  await client.create(resources.dataVolumes, dataVolume('blank', { source: { blank: {} }, storage }));
  await eventually('blank', async () => (await phaseOf('blank')) === 'Succeeded');
  assert.equal(statSync(join(await pathOf('blank'), 'disk.img')).size, 8 << 20);
  await client.create(resources.dataSources, {
    metadata: { namespace, name: 'images' },
    spec: { source: { pvc: { namespace, name: 'golden' } } },
  });
  const sourceRef = { kind: 'DataSource', name: 'images' };
  await client.create(resources.dataVolumes, dataVolume('from-source', { sourceRef, storage: {} }));
  await eventually('clone', async () => (await phaseOf('from-source')) === 'Succeeded');
  assert.equal(readFileSync(join(await pathOf('from-source'), 'disk.img'), 'utf8'), 'golden');
});

test('a claim grows when its class allows it', async () => {
  await claim('growing', { volumeMode: 'Block' });
  const file = await pathOf('growing');
  const grow = (storage: string): Promise<PersistentVolumeClaim> =>
    client.patch(
      resources.persistentVolumeClaims,
      { namespace, name: 'growing' },
      { type: 'merge', body: { spec: { resources: { requests: { storage } } } } },
    );
  await grow('12Mi');
  await eventually('capacity', async () => {
    const { status } = await client.get(resources.persistentVolumeClaims, { namespace, name: 'growing' });
    return status?.capacity?.['storage'] === '12Mi' && (status.conditions ?? []).length === 0;
  });
  assert.equal(statSync(file).size, 12 << 20);
  await assert.rejects(grow('4Mi'), { reason: 'Invalid' });
  const body = { allowVolumeExpansion: false };
  await client.patch(resources.storageClasses, { name: 'local' }, { type: 'merge', body });
  await assert.rejects(grow('20Mi'), /storageclass that provisions the pvc must support resize/);
});
