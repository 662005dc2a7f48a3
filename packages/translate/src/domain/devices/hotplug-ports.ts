/**
 * PCIe root ports that stay free for devices that are plugged in later. A port cannot be added to a running guest,
 * and one that is added at the next start would move the devices behind it.
 */
import { guestMemoryBytes } from '../memory/memory.ts';
import type { Domain } from '../model/domain.ts';
import type { Conversion } from '../part.ts';
import { isOnRootComplex } from './root-complex.ts';

/** Fields that decide about the ports, for `--explain`. */
export const hotplugPortFields = ['spec.domain.devices.disableHotplug', 'spec.domain.memory.guest'] as const;

const LARGE_GUEST_BYTES = 2 * 1024 ** 3;
const SMALL = { total: 8, free: 3 };
const LARGE = { total: 16, free: 6 };
/** Boards with PCIe. */
const PCIE_MACHINE = /q35|virt/;

/** Controllers for `domain`, which is complete but for them. libvirt gives them their places. */
export function hotplugPorts(domain: Domain, input: Conversion): Domain {
  const { spec, context, architecture } = input;
  const machine = domain.os?.type?.machine ?? architecture.defaultMachine;
  if (context.hotplugPorts === false || spec.domain.devices.disableHotplug) return {};
  if (!architecture.pciVirtio || !PCIE_MACHINE.test(machine)) return {};
  if (isOnRootComplex(input)) return {};
  const { total, free } = guestMemoryBytes(spec) > LARGE_GUEST_BYTES ? LARGE : SMALL;
  const ports = Math.max(total, devicesOnPorts(domain) + free);
  // Index 0 is the root itself, which libvirt adds; buses for passed-through devices come before ours.
  const taken = (domain.devices?.controllers ?? []).filter(({ type }) => type === 'pci');
  const first = 1 + Math.max(0, ...taken.map(({ index = 0 }) => index));
  const controllers = Array.from({ length: ports }, (_, i) => ({
    type: 'pci',
    index: first + i,
    model: 'pcie-root-port',
  }));
  return { devices: { controllers } };
}

/** Devices that libvirt puts behind a port of their own; those with an address of their own are placed already. */
function devicesOnPorts({ devices }: Domain): number {
  const onPci = [
    ...(devices?.disks ?? []).filter(({ target }) => target?.bus === 'virtio'),
    ...(devices?.interfaces ?? []),
    ...(devices?.filesystems ?? []),
    ...(devices?.inputs ?? []).filter(({ bus }) => bus === 'virtio'),
    ...(devices?.hostDevices ?? []).filter(
      ({ address, type }) => (type === 'pci' && address === undefined) || type === 'mdev',
    ),
    ...(devices?.controllers ?? []).filter(
      ({ type, model }) => type !== 'pci' && model !== undefined && model !== 'none',
    ),
    ...[devices?.memoryBalloon].filter((balloon) => balloon !== undefined && balloon.model !== 'none'),
    ...[devices?.rng, devices?.vsock].filter((device) => device !== undefined),
  ];
  const videos = (devices?.videos ?? []).filter(({ model }) => model?.type === 'virtio');
  return onPci.length + videos.length;
}
