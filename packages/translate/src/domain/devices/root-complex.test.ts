import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Devices } from '@podvisor/api';
import { plainContext, vmiOf } from '../../testing/vmi.ts';
import { convertVmiToDomain } from '../convert.ts';

const annotations = { 'kubevirt.io/placePCIDevicesOnRootComplex': 'true' };

function devicesOf(devices: Devices, architecture = 'amd64') {
  const volumes = (devices.disks ?? []).map(({ name }) => ({ name, emptyDisk: { capacity: '1Mi' } }));
  return convertVmiToDomain(
    vmiOf({ devices }, { volumes, networks: [{ name: 'n', pod: {} }], architecture }, { annotations }),
    plainContext,
  ).devices;
}
const disk = (name: string, pciAddress?: string) => ({
  name,
  disk: { bus: 'virtio', ...(pciAddress && { pciAddress }) },
});

test('devices get slots from 2 on: NICs, controllers, disks, then the rest', () => {
  const devices = devicesOf({
    disks: [disk('a'), disk('b')],
    interfaces: [{ name: 'n', bridge: {} }],
    rng: {},
  });
  assert.deepEqual(
    [
      devices?.interfaces?.[0]?.address?.slot,
      ...(devices?.controllers ?? []).map(({ type, address }) => `${type} ${address?.slot}`),
      ...(devices?.disks ?? []).map(({ address }) => address?.slot),
      devices?.rng?.address?.slot,
      devices?.memoryBalloon?.address?.slot,
    ],
    ['0x02', 'usb 0x03', 'scsi 0x04', 'virtio-serial 0x05', '0x06', '0x07', '0x08', '0x09'],
  );
});

test('an address that somebody chose is kept', () => {
  const devices = devicesOf({ disks: [disk('a', '0000:81:01.0'), disk('b')] });
  assert.deepEqual(
    devices?.disks?.map(({ address }) => address?.bus),
    ['0x81', '0x00'],
  );
});

test('slots of the board are left out, and a full bus is said', () => {
  const many = (count: number) => ({ disks: Array.from({ length: count }, (_, i) => disk(`d${i}`)) });
  const taken = devicesOf(many(24))?.disks?.map(({ address }) => address?.slot);
  assert.ok(!taken?.includes('0x1b') && taken?.includes('0x1c'));
  assert.throws(() => devicesOf(many(25)), /No space left on the root PCI bus\./);
});

test('s390x has no PCI root', () => {
  assert.equal(devicesOf({ disks: [disk('a')] }, 's390x')?.disks?.[0]?.address, undefined);
});
