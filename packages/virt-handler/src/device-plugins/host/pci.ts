/** PCI devices that wait for a guest: bound to `vfio-pci`, and permitted by vendor and product. */
import { join } from 'node:path';
import type { PciHostDevice } from '@podvisor/api';
import { entriesOf, linkedName, numaNodeOf, ueventOf } from './sysfs.ts';
import { type DeviceRoots, type DeviceUnit, type UnitsByResource, vfioNodes } from './units.ts';

const DRIVER = 'vfio-pci';

/**
 * One unit for each IOMMU group: only one guest can open a group, so of several devices in one it is the first that
 * counts.
 */
export function pciUnits({ sys }: DeviceRoots, permitted: readonly PciHostDevice[]): UnitsByResource {
  const bus = join(sys, 'bus/pci/devices');
  // As with KubeVirt, of two entries for the same device the last one has it.
  const resources = new Map(
    permitted.map(({ pciVendorSelector, resourceName }) => [pciVendorSelector.toLowerCase(), resourceName]),
  );
  const found = new Map<string, DeviceUnit[]>();
  for (const address of entriesOf(bus)) {
    const device = join(bus, address);
    const resource = resources.get((ueventOf(device)['PCI_ID'] ?? '').toLowerCase());
    if (resource === undefined || linkedName(device, 'driver') !== DRIVER) continue;
    const group = linkedName(device, 'iommu_group');
    const units = found.get(resource) ?? [];
    if (group === undefined || units.some(({ id }) => id === group)) continue;
    const unit = {
      id: group,
      kind: 'pci',
      values: [address],
      nodes: vfioNodes(group),
      ...numaNodeOf(device),
    };
    found.set(resource, [...units, unit as DeviceUnit]);
  }
  return found;
}
