import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PersistentVolumeClaim, VirtualMachine, Volume } from '@podvisor/api';
import { volumeSnapshotStatuses } from './volume-snapshots.ts';

const vm = (volumes: readonly Volume[]): VirtualMachine => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  spec: { template: { spec: { domain: { devices: {} }, volumes } } },
});
const claim = (name: string, storageClassName: string): PersistentVolumeClaim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name },
  spec: { storageClassName },
});
const claims: Readonly<Record<string, PersistentVolumeClaim>> = {
  fast: claim('fast', 'csi'),
  plain: claim('plain', 'nfs'),
};

test('every volume says whether it can be snapshotted, and why not', () => {
  const volumes: readonly Volume[] = [
    { name: 'one', persistentVolumeClaim: { claimName: 'fast' } },
    { name: 'two', dataVolume: { name: 'plain' } },
    { name: 'three', persistentVolumeClaim: { claimName: 'none' } },
    { name: 'four', containerDisk: { image: 'i' } },
    { name: 'five', ephemeral: { persistentVolumeClaim: { claimName: 'fast' } } },
  ];
  const told = volumeSnapshotStatuses(vm(volumes), {
    claim: (name) => claims[name],
    snapshotClass: ({ spec }) => (spec.storageClassName === 'csi' ? 'snap' : undefined),
  });
  assert.deepEqual(told, [
    { name: 'one', enabled: true },
    {
      name: 'two',
      enabled: false,
      reason: 'No VolumeSnapshotClass: Volume snapshots are not configured for this StorageClass [nfs] [two]',
    },
    { name: 'three', enabled: false, reason: 'PVC not found' },
    { name: 'four', enabled: false, reason: 'Snapshot is not supported for this volumeSource type [four]' },
    { name: 'five', enabled: false, reason: 'Snapshot is not supported for this volumeSource type [five]' },
  ]);
  assert.equal(
    volumeSnapshotStatuses(vm([]), { claim: () => undefined, snapshotClass: () => undefined }),
    undefined,
  );
});
