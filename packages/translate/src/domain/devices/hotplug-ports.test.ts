import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DomainSpec } from '@podvisor/api';
import { plainContext, vmiOf } from '../../testing/vmi.ts';
import { convertVmiToDomain } from '../convert.ts';

function ports(
  domain: Partial<DomainSpec> = {},
  annotations: Record<string, string> = {},
  architecture?: string,
): number {
  const volumes = (domain.devices?.disks ?? []).map(({ name }) => ({ name, emptyDisk: { capacity: '1Mi' } }));
  const vmi = vmiOf(domain, { volumes, ...(architecture && { architecture }) }, { annotations });
  const controllers = convertVmiToDomain(vmi, plainContext).devices?.controllers ?? [];
  return controllers.filter(({ model }) => model === 'pcie-root-port').length;
}

/** A guest whose devices are `count` virtio disks and, always, SCSI, serial and balloon. */
function withDisks(count: number): Partial<DomainSpec> {
  const disks = Array.from({ length: count }, (_, i) => ({ name: `d${i}`, disk: { bus: 'virtio' } }));
  return { devices: { disks } };
}

test('eight in all, and at least three of them free', () => {
  assert.deepEqual(
    [0, 2, 3, 10].map((disks) => ports(withDisks(disks))),
    [8, 8, 9, 16],
  );
});

test('a large guest has twice as many', () => {
  assert.equal(ports({ memory: { guest: '2Gi' } }), 8);
  assert.equal(ports({ memory: { guest: '2049Mi' } }), 16);
});

test('none without hotplug, on the root complex, or on a board without PCIe', () => {
  assert.equal(ports({ devices: { disableHotplug: true } }), 0);
  assert.equal(ports({}, { 'kubevirt.io/placePCIDevicesOnRootComplex': 'true' }), 0);
  assert.equal(ports({ machine: { type: 'pc-i440fx-7.2' } }), 0);
  assert.equal(ports({}, {}, 's390x'), 0);
  assert.equal(ports({}, {}, 'arm64'), 8);
});
