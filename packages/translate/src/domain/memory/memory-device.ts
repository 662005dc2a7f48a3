/** Memory that was plugged into a running guest: a virtio-mem device over the room between boot and ceiling. */
import type { VirtualMachineInstance } from '@podvisor/api';
import { parseQuantity } from '@podvisor/base';
import type { DomainMemoryDevice } from '../model/devices.ts';

const MIB = 1024 ** 2;

/**
 * The device, or undefined while the guest has what it was started with. Its size is fixed (`maxGuest` less the
 * memory at boot); `requested` is what the guest shall have of it.
 */
export function memoryDeviceOf({ spec, status }: VirtualMachineInstance): DomainMemoryDevice | undefined {
  const { guest, maxGuest, hugepages } = spec.domain.memory ?? {};
  const atBoot = status?.memory?.guestAtBoot;
  if (guest === undefined || maxGuest === undefined || atBoot === undefined) return undefined;
  const [wanted, most, booted] = [guest, maxGuest, atBoot].map((text) => parseQuantity(text).value());
  if (wanted === undefined || most === undefined || booted === undefined || wanted <= booted)
    return undefined;
  const bytes = (value: number) => ({ unit: 'b', value });
  return {
    model: 'virtio-mem',
    target: {
      size: bytes(most - booted),
      node: 0,
      // Blocks are pages of the host: a huge page, transparent or not.
      block: bytes(hugepages?.pageSize === '1Gi' ? 1024 * MIB : 2 * MIB),
      requested: bytes(wanted - booted),
    },
  };
}
