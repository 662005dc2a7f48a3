import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Disk, Volume } from '@podvisor/api';
import { convertOf } from '../../testing/vmi.ts';
import type { VolumeFacts } from '../context.ts';
import type { DomainDisk } from '../model/disk.ts';

function diskOf(
  disk: Partial<Disk>,
  volume: Partial<Volume>,
  facts: VolumeFacts = {},
): DomainDisk | undefined {
  const domain = convertOf(
    { devices: { disks: [{ name: 'd', ...disk }] } },
    { volumes: [{ name: 'd', ...volume }] },
    { volumes: { d: facts } },
  );
  return domain.devices?.disks?.[0];
}
const claim: Partial<Volume> = { persistentVolumeClaim: { claimName: 'c' } };
const virtio: Partial<Disk> = { disk: { bus: 'virtio' } };

test('sources by kind of volume', () => {
  const file = (volume: Partial<Volume>, facts?: VolumeFacts): string | undefined =>
    diskOf(virtio, volume, facts)?.source?.file ?? diskOf(virtio, volume, facts)?.source?.dev;
  assert.equal(file(claim), '/var/run/kubevirt-private/vmi-disks/d/disk.img');
  assert.equal(file(claim, { block: true }), '/dev/d');
  assert.equal(file(claim, { block: true, hotplugged: true }), '/var/run/kubevirt/hotplug-disks/d');
  assert.equal(file(claim, { hotplugged: true }), '/var/run/kubevirt/hotplug-disks/d.img');
  assert.equal(file({ emptyDisk: { capacity: '1Gi' } }), '/var/run/libvirt/empty-disks/d.qcow2');
  assert.equal(
    file({ cloudInitNoCloud: {} }),
    '/var/run/kubevirt-ephemeral-disks/cloud-init-data/default/vm/noCloud.iso',
  );
});

test('a container disk is an overlay over the image that the launcher found', () => {
  const disk = diskOf(
    virtio,
    { containerDisk: { image: 'i' } },
    { backing: { path: '/img/disk.raw', format: 'raw' } },
  );
  assert.equal(disk?.source?.file, '/var/run/kubevirt-ephemeral-disks/disk-data/d/disk.qcow2');
  assert.deepEqual(disk?.backingStore, {
    type: 'file',
    format: { type: 'raw' },
    source: { file: '/img/disk.raw' },
  });
});

test('cache follows what the storage can do, and the spec wins', () => {
  assert.equal(diskOf(virtio, claim, { directIo: true })?.driver?.cache, 'none');
  assert.equal(diskOf(virtio, claim, { directIo: false })?.driver?.cache, 'writethrough');
  assert.equal(
    diskOf({ ...virtio, cache: 'writeback' }, claim, { directIo: true })?.driver?.cache,
    'writeback',
  );
  assert.equal(diskOf(virtio, claim)?.driver?.cache, undefined);
});

test('native AIO for block devices and allocated files that bypass the cache', () => {
  assert.equal(diskOf(virtio, claim, { directIo: true, block: true })?.driver?.io, 'native');
  assert.equal(diskOf(virtio, claim, { directIo: true, preallocated: true })?.driver?.io, 'native');
  assert.equal(diskOf(virtio, claim, { directIo: true })?.driver?.io, undefined);
  assert.equal(diskOf(virtio, claim, { directIo: false, block: true })?.driver?.io, undefined);
});

test('preallocated files keep their blocks', () => {
  assert.equal(diskOf(virtio, claim)?.driver?.discard, 'unmap');
  assert.equal(diskOf(virtio, claim, { preallocated: true })?.driver?.discard, undefined);
});

test('a shared disk never caches', () => {
  assert.equal(diskOf({ ...virtio, shareable: true }, claim)?.driver?.cache, 'none');
  assert.throws(
    () => diskOf({ ...virtio, shareable: true, cache: 'writeback' }, claim),
    /requires cache = none/,
  );
});

test('a cdrom is read-only unless told, and its tray may be empty', () => {
  assert.equal(diskOf({ cdrom: { bus: 'sata' } }, claim)?.readonly, true);
  assert.equal(diskOf({ cdrom: { bus: 'sata', readonly: false } }, claim)?.readonly, undefined);
  const domain = convertOf({ devices: { disks: [{ name: 'd', cdrom: { bus: 'sata' } }] } });
  assert.deepEqual(domain.devices?.disks?.[0]?.source, {});
});

test('a disk without its volume is an error that names it', () => {
  assert.throws(() => convertOf({ devices: { disks: [{ name: 'd', ...virtio }] } }), /volume with name d/);
});

test('overlays and scratch disks give blocks back whatever was asked of their volume', () => {
  const cdrom: Partial<Disk> = { cdrom: { bus: 'sata' } };
  const allocated: VolumeFacts = { preallocated: true };
  assert.equal(diskOf(virtio, { emptyDisk: { capacity: '1Gi' } }, allocated)?.driver?.discard, 'unmap');
  assert.equal(diskOf(cdrom, { containerDisk: { image: 'i' } }, allocated)?.driver?.discard, 'unmap');
  assert.equal(diskOf(cdrom, claim, allocated)?.driver?.discard, undefined);
  assert.equal(diskOf(cdrom, { hostDisk: { path: '/d', type: 'Disk' } })?.driver?.discard, undefined);
});

test('only what outlives the guest can be plugged in or be tracked', () => {
  assert.throws(
    () => diskOf(virtio, { emptyDisk: { capacity: '1Gi' } }, { hotplugged: true }),
    /hotplug disk d references an unsupported source/,
  );
  const tracked: VolumeFacts = { changedBlockTrackingFile: '/cbt/d.qcow2' };
  assert.equal(diskOf(virtio, claim, tracked)?.source?.file, '/cbt/d.qcow2');
  assert.equal(
    diskOf(virtio, { emptyDisk: { capacity: '1Gi' } }, tracked)?.source?.file,
    '/var/run/libvirt/empty-disks/d.qcow2',
  );
});

test('an address that is none is told with its disk', () => {
  assert.throws(
    () => diskOf({ disk: { bus: 'virtio', pciAddress: 'x' } }, claim),
    /^ConversionError: failed to configure disk d: failed to parse pci address x$/,
  );
});
