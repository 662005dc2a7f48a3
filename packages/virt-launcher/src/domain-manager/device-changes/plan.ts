/**
 * What has to change on a running domain so that it has the devices of its VMI. Pure: compares the devices that
 * are there with those that the VMI gives now, by their aliases. Devices without an alias of ours are not ours.
 */
import type { VirtualMachineInstance } from '@podvisor/api';
import type { Domain, DomainDisk, DomainNetworkInterface } from '@podvisor/translate';

export type DeviceChange =
  | { readonly kind: 'attach-disk'; readonly name: string; readonly device: DomainDisk }
  | { readonly kind: 'detach-disk'; readonly name: string }
  /** Another disc in the drive, or none. */
  | { readonly kind: 'change-medium'; readonly name: string; readonly device: DomainDisk }
  | { readonly kind: 'attach-interface'; readonly name: string; readonly device: DomainNetworkInterface }
  | { readonly kind: 'detach-interface'; readonly name: string }
  | { readonly kind: 'set-link'; readonly name: string; readonly device: DomainNetworkInterface };

export interface DeviceChangesInput {
  readonly vmi: VirtualMachineInstance;
  readonly live: Domain;
  readonly wanted: Domain;
  /** Disks below it were plugged into the running Pod; only those may be unplugged. */
  readonly hotplugDirectory: string;
  /** Interfaces that network phase 1 has prepared. */
  readonly attachedInterfaces: ReadonlySet<string>;
}

export function planDeviceChanges(input: DeviceChangesInput): readonly DeviceChange[] {
  return [...diskChanges(input), ...interfaceChanges(input)];
}

function diskChanges({ live, wanted, hotplugDirectory }: DeviceChangesInput): DeviceChange[] {
  const present = byName(live.devices?.disks);
  const declared = byName(wanted.devices?.disks);
  const isPlugged = (disk: DomainDisk): boolean =>
    sourceOf(disk)?.startsWith(`${hotplugDirectory}/`) === true;
  const gone = [...present]
    .filter(([name, disk]) => !declared.has(name) && isPlugged(disk))
    .map(([name]) => ({ kind: 'detach-disk' as const, name }));
  const changed = [...declared].flatMap(([name, device]): DeviceChange[] => {
    const now = present.get(name);
    if (now === undefined) return [{ kind: 'attach-disk', name, device }];
    if (device.device !== 'cdrom' || sourceOf(now) === sourceOf(device)) return [];
    // The drive stays what it is: only its disc may change.
    const { source: _before, backingStore: _under, ...drive } = now;
    const medium = device.source === undefined ? {} : { source: device.source };
    return [{ kind: 'change-medium', name, device: { ...drive, type: device.type, ...medium } }];
  });
  // What leaves makes room for what comes.
  return [...gone, ...changed];
}

function interfaceChanges({ vmi, live, wanted, attachedInterfaces }: DeviceChangesInput): DeviceChange[] {
  const present = byName(live.devices?.interfaces);
  const declared = byName(wanted.devices?.interfaces);
  return (vmi.spec.domain.devices.interfaces ?? []).flatMap(({ name, state }): DeviceChange[] => {
    const now = present.get(name);
    if (state === 'absent') return now === undefined ? [] : [{ kind: 'detach-interface', name }];
    const device = declared.get(name);
    if (device === undefined) return []; // not an interface of libvirt's, or one that a sidecar makes
    if (now === undefined)
      return attachedInterfaces.has(name) ? [{ kind: 'attach-interface', name, device }] : [];
    const link = state === 'down' ? 'down' : 'up';
    if ((now.link?.state ?? 'up') === link) return [];
    return [{ kind: 'set-link', name, device: { ...now, link: { state: link } } }];
  });
}

function byName<T extends { readonly alias?: { readonly name?: string } }>(
  devices: readonly T[] | undefined,
): Map<string, T> {
  return new Map(
    (devices ?? []).flatMap((device) =>
      device.alias?.name?.startsWith('ua-') ? [[device.alias.name.slice('ua-'.length), device]] : [],
    ),
  );
}

/** libvirt writes an empty drive's source as nothing at all. */
function sourceOf({ source }: DomainDisk): string | undefined {
  return source?.file ?? source?.dev;
}
