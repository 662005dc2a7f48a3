import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DiskPicture, VirtualMachineInstance, VolumeStatus } from '@podvisor/api';
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
    domain: { devices: { disks: [{ name: 'root' }] } },
    volumes: [
      { name: 'root', containerDisk: { image: 'x' } },
      { name: 'data', persistentVolumeClaim: { claimName: 'c', hotpluggable: true } },
    ],
  },
  status: { volumeStatus: [status] },
});
const lines = (status: VolumeStatus, phase = 'Bound', disks?: readonly DiskPicture[]) =>
  diskChains({ vmi: vmi(status), claims: [claim(phase)], ...(disks === undefined ? {} : { disks }) })
    .filter(({ volume }) => volume === 'data')
    .flatMap(diskLines);
const picture = (reads: number, more: Partial<DiskPicture> = {}): DiskPicture => ({
  ...{ volume: 'data', target: 'sda', bus: 'scsi', source: '/d.img', reads, writes: 0 },
  ...more,
});

test('a disk that is whole takes one line', () => {
  assert.deepEqual(lines({ name: 'data', target: 'sda', phase: 'Ready', hotplugVolume: {} }), [
    'data: claim ✓ → bound ✓ → on the node ✓ → in the Pod ✓ → in the domain ✓',
  ]);
});

test('whether the guest has seen the disk is told by what it asks for, or by its agent', () => {
  const ready = { name: 'data', target: 'sda', phase: 'Ready', hotplugVolume: {} };
  const whole =
    'data: claim ✓ → bound ✓ → on the node ✓ → in the Pod ✓ → in the domain ✓ → seen by the guest';
  assert.deepEqual(lines(ready, 'Bound', [picture(7)]), [`${whole} ✓`]);
  assert.deepEqual(lines(ready, 'Bound', [picture(0)]), [
    `${whole} ?`,
    '  ? seen by the guest: the guest has not read from it (yet); see that it has a driver for scsi',
  ]);
  assert.deepEqual(lines(ready, 'Bound', [picture(0, { mountedAt: ['/data'] })]), [`${whole} ✓`]);
});

test('a guest that moved here had its driver before', () => {
  const status = { name: 'data', target: 'sda', phase: 'Ready', hotplugVolume: {} };
  const told = (targetNode: string) => {
    const here = vmi(status);
    const migrationState = { completed: true, targetNode };
    const moved = { ...here, status: { ...here.status, nodeName: 'node-2', migrationState } };
    return diskChains({ vmi: moved, claims: [claim('Bound')], disks: [picture(0)] })
      .flatMap(diskLines)
      .at(-1);
  };
  assert.match(told('node-2') ?? '', /has not used it since it moved to this node$/);
  assert.match(told('node-1') ?? '', /see that it has a driver/, 'the move before the last start');
});

test('a container disk has an overlay, and a claim of the start is mounted with its Pod', () => {
  const own = { name: 'data', target: 'vdb' };
  const still: VirtualMachineInstance = {
    ...vmi(own),
    spec: {
      domain: { devices: { disks: [{ name: 'root' }, { name: 'data' }] } },
      volumes: [
        { name: 'root', containerDisk: { image: 'x' } },
        { name: 'data', persistentVolumeClaim: { claimName: 'c' } },
        { name: 'share', persistentVolumeClaim: { claimName: 'files' } },
      ],
    },
    status: { volumeStatus: [own, { name: 'root', target: 'vda' }] },
  };
  const pod = { metadata: { name: 'p' }, spec: { containers: [] }, status: { phase: 'Running' as const } };
  const disks = [picture(3), picture(3, { volume: 'root', backing: '/image' })];
  assert.deepEqual(diskChains({ vmi: still, pod, claims: [claim('Bound')], disks }).flatMap(diskLines), [
    'root: overlay ✓ → in the domain ✓ → seen by the guest ✓',
    'data: claim ✓ → bound ✓ → mounted ✓ → in the domain ✓ → seen by the guest ✓',
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
