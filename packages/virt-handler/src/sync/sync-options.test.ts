import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualMachineInstance } from '@podvisor/api';
import { volumeFacts } from './sync-options.ts';

const MIB = 1024 * 1024;
const claim = (claimName: string, volumeMode: string, storage: string) => ({
  claimName,
  volumeMode,
  capacity: { storage },
});
const vmi: VirtualMachineInstance = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  spec: {
    domain: { devices: {} },
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'new' } }],
  },
  status: {
    volumeStatus: [
      {
        name: 'data',
        target: 'vda',
        size: 60 * MIB,
        persistentVolumeClaimInfo: claim('new', 'Block', '96Mi'),
      },
    ],
  },
};

test('a disk that moves is on its old claim here, and on the new one where it is copied to', () => {
  assert.deepEqual(volumeFacts(vmi), { data: { block: true, capacityBytes: 96 * MIB } });
  const migratedVolumes = [
    {
      volumeName: 'data',
      sourcePVCInfo: claim('old', 'Filesystem', '64Mi'),
      destinationPVCInfo: claim('new', 'Block', '96Mi'),
    },
  ];
  const moving = { ...vmi, status: { ...vmi.status, migratedVolumes } };
  assert.deepEqual(volumeFacts(moving), { data: { block: false, capacityBytes: 64 * MIB } });
  assert.deepEqual(volumeFacts(moving, 'target'), {
    data: { block: true, capacityBytes: 96 * MIB, copiedBytes: 60 * MIB },
  });
});
