/** Why a device is there and is called as it is, where one entry of a list in the VMI is the reason. */
import type { VirtualMachineInstance } from '@podvisor/api';
import { childrenNamed, type XmlElement } from '../../xml/tree.ts';

/** The reason in words, or undefined when the device does not come from an entry of a list. */
export function reasonOfDevice(device: XmlElement, vmi: VirtualMachineInstance): string | undefined {
  if (device.name === 'controller') return controllerReason(device);
  if (device.name === 'emulator')
    return 'without KVM, for QEMU before 9.0: a script that keeps writes in a migration';
  if (attributeOf(device, 'target', 'name') === 'org.qemu.guest_agent.0') return 'the guest agent, always';
  const name = attributeOf(device, 'alias', 'name')?.replace(/^ua-/, '');
  if (name === undefined) return undefined;
  const { disks = [], interfaces = [] } = vmi.spec.domain.devices;
  if (device.name === 'disk') {
    const index = disks.findIndex((disk) => disk.name === name);
    if (index < 0) return undefined;
    return `spec.domain.devices.disks[${index}] "${name}" on spec.volumes "${name}"; ${targetReason(device, name, vmi)}`;
  }
  if (device.name === 'interface') {
    const index = interfaces.findIndex((nic) => nic.name === name);
    return index < 0
      ? undefined
      : `spec.domain.devices.interfaces[${index}] "${name}" on spec.networks "${name}"`;
  }
  return undefined;
}

const CONTROLLER_REASONS: Readonly<Record<string, string>> = {
  usb: 'there as soon as an input, a disk or client passthrough needs USB',
  scsi: 'for disks that are plugged in later, unless spec.domain.devices.disableHotplug',
  'virtio-serial': 'for console and guest agent, unless spec.domain.devices.autoattachSerialConsole is false',
  'pcie-root-port': 'kept for a device, now or plugged in later; more for guests beyond 2Gi',
};

function controllerReason({ attributes }: XmlElement): string | undefined {
  return CONTROLLER_REASONS[attributes['model'] ?? ''] ?? CONTROLLER_REASONS[attributes['type'] ?? ''];
}

const COUNTS = ['first', 'second', 'third'];

/** Why the guest sees the disk under this name. */
function targetReason(device: XmlElement, name: string, vmi: VirtualMachineInstance): string {
  const dev = attributeOf(device, 'target', 'dev') ?? '';
  const bus = attributeOf(device, 'target', 'bus') ?? '';
  const kept = vmi.status?.volumeStatus?.find((status) => status.name === name)?.target;
  if (kept === dev) return `${dev} is kept from status.volumeStatus: a disk is never renamed`;
  const letters = dev.slice(2);
  const position = letters.length === 1 ? letters.charCodeAt(0) - 97 : -1;
  const count = COUNTS[position] ?? (position < 0 ? 'next' : `${position + 1}th`);
  const others = bus === 'virtio' ? 'virtio disk' : `disk named ${dev.slice(0, 2)}*`;
  return `${dev}: the ${count} ${others}, in the order of spec.domain.devices.disks`;
}

function attributeOf(element: XmlElement, child: string, attribute: string): string | undefined {
  return childrenNamed(element, child)[0]?.attributes[attribute];
}
