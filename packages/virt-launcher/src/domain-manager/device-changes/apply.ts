/** Changes the devices of a running domain, and of its definition, so that a restart keeps them. */
import { devicesXml } from '../../domain/devices-xml.ts';
import { explained } from '../../launcher-error.ts';
import type { DomainRef, LibvirtConnection } from '@podvisor/libvirt';
import { type Domain } from '@podvisor/translate';
import type { DeviceChange } from './plan.ts';

/** Detaching is a question to the guest: libvirt's event tells when it let go. */
export async function applyDeviceChange(
  connection: LibvirtConnection,
  domain: DomainRef,
  change: DeviceChange,
): Promise<void> {
  const { devices } = connection;
  switch (change.kind) {
    case 'attach-disk':
      return explained(
        `disk ${change.name} could not be attached`,
        devices.attach(domain, deviceXml(change)),
      );
    case 'attach-interface':
      return explained(
        `interface ${change.name} could not be attached`,
        devices.attach(domain, deviceXml(change)),
      );
    case 'detach-disk':
      return explained(
        `disk ${change.name} could not be detached`,
        devices.detachAlias(domain, `ua-${change.name}`),
      );
    case 'detach-interface':
      return explained(
        `interface ${change.name} could not be detached`,
        devices.detachAlias(domain, `ua-${change.name}`),
      );
    case 'change-medium':
      return explained(
        `the disc in drive ${change.name} could not be changed`,
        devices.update(domain, deviceXml(change)),
      );
    case 'set-link':
      return explained(
        `the link of interface ${change.name} could not be changed`,
        devices.update(domain, deviceXml(change)),
      );
  }
}

/** The XML of one device: what a domain with nothing else holds in its `<devices>`. */
export function deviceXml(change: Extract<DeviceChange, { readonly device: unknown }>): string {
  const devices: Domain['devices'] =
    change.kind === 'attach-disk' || change.kind === 'change-medium'
      ? { disks: [change.device] }
      : { interfaces: [change.device] };
  return devicesXml(devices);
}
