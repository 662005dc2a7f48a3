import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualMachineInstance, VolumeStatus } from '@podvisor/api';
import { diskChains, diskLines } from './disk-chain.ts';

const claim = (phase: string) => ({
  metadata: { name: 'c' },
  spec: { volumeName: 'pv' },
  status: { phase, capacity: { storage: '1Gi' } },
});
const vmi = (status: VolumeStatus): VirtualMachineInstance => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  spec: {
    domain: { devices: {} },
    volumes: [
      { name: 'root', containerDisk: { image: 'x' } },
      { name: 'data', persistentVolumeClaim: { claimName: 'c', hotpluggable: true } },
    ],
  },
  status: { volumeStatus: [status] },
});
const lines = (status: VolumeStatus, phase = 'Bound') =>
  diskChains({ vmi: vmi(status), claims: [claim(phase)] }).flatMap(diskLines);

test('a disk that is whole takes one line', () => {
  assert.deepEqual(lines({ name: 'data', target: 'sda', phase: 'Ready', hotplugVolume: {} }), [
    'data: claim ✓ → bound ✓ → on the node ✓ → in the Pod ✓ → in the domain ✓',
  ]);
});

test('the first broken link says why', () => {
  assert.deepEqual(
    lines({ name: 'data', target: '', phase: 'Pending', hotplugVolume: {} }, 'Pending').at(1),
    '  ✗ bound: the claim is Pending',
  );
  const failed = {
    name: 'data',
    target: '',
    phase: 'AttachedToNode',
    hotplugVolume: { attachPodName: 'hp' },
    message: 'disk.img is not a file',
  };
  assert.deepEqual(lines(failed).at(1), '  ✗ in the Pod: disk.img is not a file');
});
