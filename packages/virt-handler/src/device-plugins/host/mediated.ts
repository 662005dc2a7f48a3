/** Mediated devices (slices of a GPU, for the most part) of permitted types. Making them is the node's owner's part. */
import { join } from 'node:path';
import { readlinkSync } from 'node:fs';
import type { MediatedHostDevice } from '@podvisor/api';
import { entriesOf, linkedName, numaNodeOf, textOf } from './sysfs.ts';
import { type DeviceRoots, type DeviceUnit, type UnitsByResource, vfioNodes } from './units.ts';

const PCI_ADDRESS = /^[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]$/i;

export function mediatedUnits(
  { sys }: DeviceRoots,
  permitted: readonly MediatedHostDevice[],
): UnitsByResource {
  const bus = join(sys, 'bus/mdev/devices');
  const resources = new Map(
    permitted.map(({ mdevNameSelector, resourceName }) => [withoutSpaces(mdevNameSelector), resourceName]),
  );
  const found = new Map<string, DeviceUnit[]>();
  for (const uuid of entriesOf(bus)) {
    const device = join(bus, uuid);
    const resource = resources.get(typeOf(device));
    const group = linkedName(device, 'iommu_group');
    if (resource === undefined || group === undefined) continue;
    const parent = parentOf(device);
    const numa = parent === undefined ? {} : numaNodeOf(join(sys, 'bus/pci/devices', parent));
    const unit = { id: group, kind: 'mdev', values: [uuid], nodes: vfioNodes(group), ...numa };
    found.set(resource, [...(found.get(resource) ?? []), unit as DeviceUnit]);
  }
  return found;
}

/** A type's name, or where it has none, that of its directory. */
function typeOf(device: string): string {
  return withoutSpaces(textOf(device, 'mdev_type/name') ?? linkedName(device, 'mdev_type') ?? '');
}

function withoutSpaces(name: string): string {
  return name.trim().replaceAll(' ', '_');
}

/** The PCI device that it is a part of: its directory lies in that of its parent. */
function parentOf(device: string): string | undefined {
  try {
    const parent = readlinkSync(device).split('/').at(-2) ?? '';
    return PCI_ADDRESS.test(parent) ? parent : undefined;
  } catch {
    return undefined; // It went away.
  }
}
