/**
 * Devices directly on the root complex, where the VMI asks for it by annotation: some guests cannot work with a port
 * for each device. Addresses are given in a fixed order of devices; one that a user chose is kept.
 */
import { annotations as annotationKeys } from '@podvisor/api';
import type { Address } from '../model/common.ts';
import type { Domain } from '../model/domain.ts';
import { ConversionError, type Conversion } from '../part.ts';

const FIRST_SLOT = 0x02;
const LAST_SLOT = 0x1f;
/** Sound card and SATA controller, where QEMU's q35 board has them. */
const BOARD_SLOTS: ReadonlySet<number> = new Set([0x1b, 0x1f]);

/** The VMI wants its devices on the root complex. */
export function isOnRootComplex({ annotations, architecture }: Conversion): boolean {
  return architecture.pciVirtio && annotations[annotationKeys.placePCIDevicesOnRootComplex] === 'true';
}

/** `domain` with an address for each PCI device. Throws ConversionError when the bus is full. */
export function placeOnRootComplex(domain: Domain): Domain {
  const { devices } = domain;
  if (devices === undefined) return domain;
  const next = slots();
  const place = <T extends { readonly address?: Address }>(device: T): T =>
    device.address?.domain === undefined ? { ...device, address: next() } : device;
  const placeIf = <T extends { readonly address?: Address }>(
    list: readonly T[] | undefined,
    test: (device: T) => boolean,
  ) => list?.map((device) => (test(device) ? place(device) : device));
  // The order decides about the addresses, which a guest must find again at every start.
  const interfaces = placeIf(devices.interfaces, () => true);
  const hostDevices = placeIf(devices.hostDevices, ({ type }) => type === 'pci');
  const controllers = placeIf(
    devices.controllers,
    ({ model }) => !/^(pcie?-root|pcie-expander-bus)$/.test(model ?? ''),
  );
  const disks = placeIf(devices.disks, ({ target }) => target?.bus === 'virtio');
  const inputs = placeIf(devices.inputs, ({ bus }) => bus === 'virtio');
  const watchdogs = placeIf(devices.watchdogs, () => true);
  const rng = devices.rng && place(devices.rng);
  const memoryBalloon = devices.memoryBalloon && place(devices.memoryBalloon);
  return {
    ...domain,
    devices: {
      ...devices,
      ...(interfaces && { interfaces }),
      ...(hostDevices && { hostDevices }),
      ...(controllers && { controllers }),
      ...(disks && { disks }),
      ...(inputs && { inputs }),
      ...(watchdogs && { watchdogs }),
      ...(rng && { rng }),
      ...(memoryBalloon && { memoryBalloon }),
    },
  };
}

/** Addresses on bus 0, one after the other. */
function slots(): () => Address {
  let slot = FIRST_SLOT - 1;
  return () => {
    do slot += 1;
    while (BOARD_SLOTS.has(slot));
    if (slot > LAST_SLOT)
      throw new ConversionError('No space left on the root PCI bus.', 'spec.domain.devices');
    const hex = slot.toString(16).padStart(2, '0');
    return { type: 'pci', domain: '0x0000', bus: '0x00', slot: `0x${hex}`, function: '0x0' };
  };
}
