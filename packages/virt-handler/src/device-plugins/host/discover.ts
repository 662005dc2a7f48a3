/** Which permitted devices this node has. Reads sysfs; what another plugin offers is left to it. */
import type { PermittedHostDevices } from '@podvisor/api';
import { GivenUnits } from './given-units.ts';
import { mediatedUnits } from './mediated.ts';
import { pciUnits } from './pci.ts';
import type { DeviceRoots, DeviceUnit, UnitsByResource } from './units.ts';
import { usbUnits } from './usb.ts';

/** Units by resource name; resources without a device here are left out. `before`: the answer of last time; `given`: units that Pods may have. */
export function discoverUnits(
  roots: DeviceRoots,
  permitted: PermittedHostDevices,
  before: UnitsByResource,
  given = new GivenUnits(),
): UnitsByResource {
  const ours = <T extends { readonly externalResourceProvider?: boolean }>(
    entries: readonly T[] | undefined,
  ): readonly T[] => (entries ?? []).filter((entry) => entry.externalResourceProvider !== true);
  const found = new Map<string, readonly DeviceUnit[]>();
  for (const units of [
    pciUnits(roots, ours(permitted.pciHostDevices)),
    mediatedUnits(roots, ours(permitted.mediatedDevices)),
    usbUnits(roots, ours(permitted.usb), before, given),
  ])
    for (const [resource, more] of units) found.set(resource, [...(found.get(resource) ?? []), ...more]);
  return found;
}

/** Names of the resources that this node would offer if it had the devices. */
export function offeredNames(permitted: PermittedHostDevices): ReadonlySet<string> {
  const { pciHostDevices = [], mediatedDevices = [], usb = [] } = permitted;
  return new Set(
    [...pciHostDevices, ...mediatedDevices, ...usb]
      .filter(({ externalResourceProvider }) => externalResourceProvider !== true)
      .map(({ resourceName }) => resourceName),
  );
}
