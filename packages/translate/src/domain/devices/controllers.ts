/** `<controller>`: USB, SCSI, virtio-serial, and the PCI root where it needs a setting. */
import { scsiIoThread } from '../cpu/iothreads.ts';
import type { DomainController } from '../model/devices.ts';
import type { Conversion, Part } from '../part.ts';

const DISABLE_PCIHOLE64_ANNOTATION = 'kubevirt.io/disablePCIHole64';

/** Buses that the guest's devices hang on. */
export const controllersPart: Part = {
  name: 'controllers',
  fields: ['spec.domain.devices', 'metadata.annotations'],
  convert: (input) => ({
    devices: { controllers: [usb(input), ...scsi(input), ...pciRoot(input), ...virtioSerial(input)] },
  }),
};

function usb(input: Conversion): DomainController {
  return { type: 'usb', index: 0, model: needsUsb(input) ? 'qemu-xhci' : 'none' };
}

function needsUsb({ spec, architecture, context }: Conversion): boolean {
  if (architecture.usb !== 'on-demand') return architecture.usb === 'always';
  const { inputs = [], disks = [], clientPassthrough } = spec.domain.devices;
  return (
    clientPassthrough !== undefined ||
    (context.hostDevices ?? []).some(({ type }) => type === 'usb') ||
    inputs.some(({ bus }) => bus === 'usb' || !bus) ||
    disks.some((disk) => [disk.disk?.bus, disk.cdrom?.bus, disk.lun?.bus].includes('usb'))
  );
}

/** Hotplugged disks are SCSI, so the controller is there unless hotplug is off and no disk needs it. */
function scsi(input: Conversion): DomainController[] {
  const { spec, architecture, virtio, encrypted } = input;
  const { disks = [], disableHotplug } = spec.domain.devices;
  const used = disks.some((disk) => [disk.disk?.bus, disk.cdrom?.bus, disk.lun?.bus].includes('scsi'));
  if (disableHotplug && !used) return [];
  const iothread = scsiIoThread(spec);
  const driver = {
    ...(iothread === undefined ? {} : { iothread, queues: input.vcpuCount }),
    ...(encrypted ? { iommu: 'on' } : {}),
  };
  return [
    {
      type: 'scsi',
      index: 0,
      model: architecture.scsiModel === 'virtio-scsi' ? 'virtio-scsi' : virtio,
      ...(Object.keys(driver).length === 0 ? {} : { driver }),
    },
  ];
}

/** The bus of consoles and channels; libvirt adds one for the agent's channel where there is no console. */
function virtioSerial({ spec, virtio, encrypted }: Conversion): DomainController[] {
  if (spec.domain.devices.autoattachSerialConsole === false) return [];
  return [
    { type: 'virtio-serial', index: 0, model: virtio, ...(encrypted ? { driver: { iommu: 'on' } } : {}) },
  ];
}

function pciRoot({ annotations, architecture }: Conversion): DomainController[] {
  if (!architecture.pciHole64 || annotations[DISABLE_PCIHOLE64_ANNOTATION]?.toLowerCase() !== 'true')
    return [];
  return [{ type: 'pci', index: 0, model: 'pcie-root', pcihole64: { unit: 'KiB', value: '0' } }];
}
