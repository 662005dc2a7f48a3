/** Whether the memory of a guest can be shared at all. Pure. */
import type { VirtualMachineInstance } from '@podvisor/api';
import { guestMemoryBytes } from '@podvisor/translate';

/**
 * Its memory is of ordinary pages and private to its QEMU: huge pages are others, and so is the memory of a guest with
 * shared directories. Whether it is in one block is seen in its stream. Guessing wrong costs time only: QEMU's own
 * arguments decide.
 */
export function canShareMemory({ spec }: VirtualMachineInstance): boolean {
  const { memory, devices } = spec.domain;
  return (
    memory?.hugepages === undefined &&
    (devices?.filesystems ?? []).length === 0 &&
    devices?.disableHotplug !== true
  );
}

export function guestBytes({ spec }: VirtualMachineInstance): number {
  return guestMemoryBytes(spec);
}
