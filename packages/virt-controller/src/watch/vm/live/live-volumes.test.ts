import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Disk, VirtualMachineInstance, VMISpec, Volume } from '@podvisor/api';
import { frozenVolumes, liveVolumes, liveVolumesPatch } from './live-volumes.ts';

const plug = (name: string, claimName = name): Volume => ({
  name,
  persistentVolumeClaim: { claimName, hotpluggable: true },
});
const disk = (name: string): Disk => ({ name, disk: { bus: 'scsi' } });
const drive = (name: string): Disk => ({ name, cdrom: { bus: 'sata' } });
const root: Volume = { name: 'root', containerDisk: { image: 'x' } };

const spec = (volumes: readonly Volume[], disks: readonly Disk[]): VMISpec => ({
  domain: { devices: { disks } },
  volumes,
});
const vmi = (of: VMISpec, status: readonly string[] = []): VirtualMachineInstance => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name: 'a' },
  spec: of,
  status: { volumeStatus: status.map((name) => ({ name, target: '' })) },
});
const names = ({ volumes, disks }: { volumes: readonly Volume[]; disks: readonly Disk[] }) => [
  volumes.map(({ name }) => name),
  disks.map(({ name }) => name),
];

test('a claim comes with its disk and goes with it', () => {
  const bare = spec([root], [disk('root')]);
  const full = spec([root, plug('data')], [disk('root'), disk('data')]);
  assert.deepEqual(names(liveVolumes(full, vmi(bare))), [
    ['root', 'data'],
    ['root', 'data'],
  ]);
  assert.deepEqual(names(liveVolumes(bare, vmi(full, ['data']))), [['root'], ['root']]);
  assert.deepEqual(liveVolumesPatch(full, vmi(full)), []);
});

test('an exchange waits until nothing of the old claim is left', () => {
  const old = spec([plug('data', 'one')], [disk('data')]);
  const desired = spec([plug('data', 'two')], [disk('data')]);
  assert.deepEqual(names(liveVolumes(desired, vmi(old, ['data']))), [[], []]);
  assert.deepEqual(names(liveVolumes(desired, vmi(spec([], []), ['data']))), [[], []]);
  assert.deepEqual(names(liveVolumes(desired, vmi(spec([], []), []))), [['data'], ['data']]);
});

test('a disc goes and comes, the drive stays; a new drive needs a restart', () => {
  const loaded = spec([plug('cd')], [drive('cd')]);
  const empty = spec([], [drive('cd')]);
  assert.deepEqual(names(liveVolumes(empty, vmi(loaded, ['cd']))), [[], ['cd']]);
  assert.deepEqual(names(liveVolumes(loaded, vmi(empty))), [['cd'], ['cd']]);
  assert.deepEqual(names(liveVolumes(loaded, vmi(spec([], [])))), [[], []]);
  assert.deepEqual(frozenVolumes(loaded), frozenVolumes(empty));
  assert.notDeepEqual(frozenVolumes(loaded), frozenVolumes(spec([], [])));
});

test('what is not hotpluggable stays as the guest was started', () => {
  const started = spec([root], [disk('root')]);
  const desired = spec([{ name: 'root', containerDisk: { image: 'y' } }], [disk('root')]);
  assert.deepEqual(liveVolumesPatch(desired, vmi(started)), []);
  assert.notDeepEqual(frozenVolumes(desired), frozenVolumes(started));
});
