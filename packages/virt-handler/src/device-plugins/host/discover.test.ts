import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { discoverUnits } from './discover.ts';
import { HostOffer } from './host-offer.ts';

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
