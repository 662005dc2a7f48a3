/** Tags of NICs and disks, as the ConfigDrive tells them to the guest: which device is meant, by its place. Pure. */
import type { VirtualMachineInstance } from '@podvisor/api';
import { cloudInitVolume, type DeviceMetadata } from '@podvisor/storage';
import type { Domain } from '@podvisor/translate';

type Address = NonNullable<NonNullable<NonNullable<Domain['devices']>['interfaces']>[number]['address']>;

/** The VMI has a ConfigDrive, and a device with a tag to put on it. */
export function hasDeviceTags(vmi: VirtualMachineInstance): boolean {
  const { interfaces = [], disks = [] } = vmi.spec.domain.devices;
  const tagged = [...interfaces, ...disks].some(({ tag }) => Boolean(tag));
  return tagged && cloudInitVolume(vmi.spec.volumes)?.kind === 'configDrive';
}

/** One entry for each tagged device that has a place; `defined` is the domain with libvirt's addresses. */
export function deviceMetadata(vmi: VirtualMachineInstance, defined: Domain): readonly DeviceMetadata[] {
  const { interfaces = [], disks = [] } = vmi.spec.domain.devices;
  const devices = defined.devices ?? {};
  const nics = interfaces.flatMap(({ name, tag, sriov }) => {
    if (!tag) return [];
    const alias = sriov === undefined ? `ua-${name}` : `ua-sriov-${name}`;
    const candidates = sriov === undefined ? devices.interfaces : devices.hostDevices;
    const nic = candidates?.find((candidate) => candidate.alias?.name === alias);
    const mac = nic !== undefined && 'mac' in nic ? nic.mac?.address : undefined;
    return placed('nic', nic?.address, [tag], mac === undefined ? {} : { mac });
  });
  const drives = disks.flatMap(({ name, tag }) => {
    if (!tag) return [];
    const disk = devices.disks?.find((candidate) => candidate.alias?.name === `ua-${name}`);
    return placed('disk', disk?.address, [tag], disk?.serial === undefined ? {} : { serial: disk.serial });
  });
  return [...nics, ...drives];
}

function placed(
  type: DeviceMetadata['type'],
  address: Address | undefined,
  tags: readonly string[],
  more: Pick<DeviceMetadata, 'mac' | 'serial'>,
): readonly DeviceMetadata[] {
  if (address?.type === undefined) return [];
  return [{ type, bus: address.type, address: textOf(address), ...more, tags }];
}

/** `0000:01:00.0`, or the four numbers of a drive. */
function textOf({ type, domain, bus, slot, function: fn, controller, target, unit }: Address): string {
  if (type !== 'pci') return [controller, bus, target, unit].map((part) => part ?? '0').join(':');
  const hex = (part: string | undefined): string => (part ?? '').replace(/^0x/, '');
  return `${hex(domain)}:${hex(bus)}:${hex(slot)}.${hex(fn)}`;
}
