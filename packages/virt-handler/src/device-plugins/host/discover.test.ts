import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import type { PermittedHostDevices } from '@podvisor/api';
import { discoverUnits } from './discover.ts';
import { GivenUnits } from './given-units.ts';
import { HostOffer } from './host-offer.ts';
import type { UnitsByResource } from './units.ts';

let root: string;
const roots = (): { sys: string; dev: string } => ({ sys: join(root, 'sys'), dev: join(root, 'dev') });
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pvd-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, text = ''): void {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text);
}
function pci(address: string, id: string, driver: string, group: string): void {
  const device = `sys/bus/pci/devices/${address}`;
  put(`${device}/uevent`, `DRIVER=${driver}\nPCI_ID=${id}\n`);
  put(`${device}/numa_node`, '1\n');
  symlinkSync(`../../drivers/${driver}`, join(root, device, 'driver'));
  symlinkSync(`../../kernel/iommu_groups/${group}`, join(root, device, 'iommu_group'));
}
function usb(port: string, product: string, number: number): void {
  const device = `sys/bus/usb/devices/${port}`;
  put(`${device}/idVendor`, '46f4\n');
  const node = `bus/usb/001/${String(number).padStart(3, '0')}`;
  put(`${device}/uevent`, `DEVNAME=${node}\nPRODUCT=46f4/${product}/100\nBUSNUM=001\nDEVNUM=${number}\n`);
  put(`dev/${node}`);
}

test('PCI devices of vfio-pci are offered once for each group, with their NUMA node', () => {
  pci('0000:3b:00.0', '10DE:1EB8', 'vfio-pci', '45');
  pci('0000:3b:00.1', '10DE:1EB8', 'vfio-pci', '45');
  pci('0000:5e:00.0', '10DE:1EB8', 'nvidia', '46');
  for (const node of ['vfio', '45']) put(`dev/vfio/${node}`);
  const entry = { pciVendorSelector: '10de:1eb8', resourceName: 'nvidia.com/T4-a' };
  const units = discoverUnits(roots(), { pciHostDevices: [entry] }, new Map());
  const offer = new HostOffer('nvidia.com/T4-a', roots());
  offer.update(units.get('nvidia.com/T4-a') ?? []);
  assert.deepEqual(offer.devices(), [{ ID: '45', health: 'Healthy', topology: { nodes: [{ ID: 1 }] } }]);
  const { envs, devices } = offer.allocate(['45']);
  assert.deepEqual(envs, { PCI_RESOURCE_NVIDIA_COM_T4_A: '0000:3b:00.0' });
  assert.deepEqual(
    devices.map(({ hostPath, permissions }) => [hostPath, permissions]),
    [
      ['/dev/vfio/vfio', 'mrw'],
      ['/dev/vfio/45', 'mrw'],
    ],
  );
  rmSync(join(root, 'dev/vfio/45'));
  assert.equal(offer.devices()[0]?.health, 'Unhealthy');
  assert.throws(() => offer.allocate(['45']), /has no \/dev\/vfio\/45/);
  assert.throws(() => offer.allocate(['46']), /not on this node any more/);
  const external = { ...entry, externalResourceProvider: true };
  assert.equal(discoverUnits(roots(), { pciHostDevices: [external] }, new Map()).size, 0);
});

test('USB devices of one resource come together, and stay together when others are plugged in', () => {
  usb('1-2', '0001', 5);
  usb('1-3', '0002', 6);
  const selectors = [
    { vendor: '46f4', product: '0001' },
    { vendor: '46f4', product: '0002' },
  ];
  const permitted = { usb: [{ resourceName: 'example.com/key', selectors }] };
  const first = discoverUnits(roots(), permitted, new Map());
  assert.deepEqual(first.get('example.com/key')?.[0]?.values, ['1:5', '1:6']);
  usb('1-1', '0001', 3);
  usb('1-4', '0002', 9);
  const second = discoverUnits(roots(), permitted, first);
  assert.deepEqual(
    second.get('example.com/key')?.map(({ values }) => values),
    [
      ['1:5', '1:6'],
      ['1:3', '1:9'],
    ],
  );
});

const KEYS: PermittedHostDevices = {
  usb: [
    {
      resourceName: 'example.com/key',
      selectors: [
        { vendor: '46f4', product: '0001' },
        { vendor: '46f4', product: '0002' },
      ],
    },
  ],
};
/** What is offered as whole, by values. */
const healthy = (units: UnitsByResource): readonly (readonly string[])[] => {
  const offer = new HostOffer('example.com/key', roots());
  const all = units.get('example.com/key') ?? [];
  offer.update(all);
  return offer
    .devices()
    .flatMap(({ ID, health }) => all.filter(({ id }) => id === ID && health === 'Healthy'))
    .map(({ values }) => values);
};

test('a USB device that a Pod was given with others is given to no other Pod, also after a restart', () => {
  usb('1-2', '0001', 5);
  usb('1-3', '0002', 6);
  const file = join(root, 'given.json');
  const before = new GivenUnits(file);
  const first = discoverUnits(roots(), KEYS, new Map(), before);
  const offer = new HostOffer('example.com/key', roots(), (id) => before.add('example.com/key', id));
  offer.update(first.get('example.com/key') ?? []);
  offer.allocate(offer.devices().map(({ ID }) => ID));
  usb('1-1', '0001', 3);
  usb('1-4', '0002', 9);
  assert.deepEqual(healthy(discoverUnits(roots(), KEYS, new Map(), new GivenUnits(file))), [
    ['1:5', '1:6'],
    ['1:3', '1:9'],
  ]);
  // Its guest makes one of them come again, as another device.
  rmSync(join(root, 'sys/bus/usb/devices/1-3'), { recursive: true });
  rmSync(join(root, 'dev/bus/usb/001/006'));
  usb('1-3', '0002', 10);
  for (const given of [before, new GivenUnits(file)])
    assert.deepEqual(healthy(discoverUnits(roots(), KEYS, first, given)), [['1:3', '1:9']]);
  // All of it came again: nobody has it any more.
  rmSync(join(root, 'sys/bus/usb/devices/1-2'), { recursive: true });
  rmSync(join(root, 'dev/bus/usb/001/005'));
  usb('1-2', '0001', 11);
  assert.equal(healthy(discoverUnits(roots(), KEYS, first, new GivenUnits(file))).length, 2);
});

test('two entries for one resource of USB devices offer all of them, again and again', () => {
  usb('1-2', '0001', 5);
  usb('1-3', '0002', 6);
  const entry = (product: string) => ({
    resourceName: 'example.com/key',
    selectors: [{ vendor: '46f4', product }],
  });
  const permitted = { usb: [entry('0001'), entry('0002')] };
  let units: UnitsByResource = new Map();
  for (let look = 0; look < 3; look += 1) {
    units = discoverUnits(roots(), permitted, units);
    assert.deepEqual(healthy(units), [['1:5'], ['1:6']]);
  }
});

test('mediated devices are found by the name of their type', () => {
  const device = 'sys/devices/0000:3b:00.0/2f3a4b5c-0000-4000-8000-000000000002';
  put(`${device}/mdev_type/name`, 'GRID T4-1Q\n');
  put('sys/bus/pci/devices/0000:3b:00.0/numa_node', '0\n');
  symlinkSync('../../kernel/iommu_groups/77', join(root, device, 'iommu_group'));
  mkdirSync(join(root, 'sys/bus/mdev/devices'), { recursive: true });
  symlinkSync(
    '../../../devices/0000:3b:00.0/2f3a4b5c-0000-4000-8000-000000000002',
    join(root, 'sys/bus/mdev/devices/2f3a4b5c-0000-4000-8000-000000000002'),
  );
  const entry = { mdevNameSelector: 'GRID_T4-1Q', resourceName: 'nvidia.com/grid' };
  const [unit] = discoverUnits(roots(), { mediatedDevices: [entry] }, new Map()).get('nvidia.com/grid') ?? [];
  assert.deepEqual(
    [unit?.id, unit?.values, unit?.numaNode],
    ['77', ['2f3a4b5c-0000-4000-8000-000000000002'], 0],
  );
});
