/** Whether QEMU must be able to lock its memory. */
import type { VMISpec } from '@podvisor/api';
import { usesVfio } from './memory-overhead.ts';

/**
 * Devices of the host read and write the guest's memory where it lies, encrypted memory does not move, and a realtime
 * guest waits for no page: their QEMU locks memory. Others may ask for the right to (`reservedOverhead.memLock`).
 */
export function locksMemory(spec: VMISpec): boolean {
  const { cpu, launchSecurity, memory } = spec.domain;
  return (
    usesVfio(spec) ||
    cpu?.realtime !== undefined ||
    launchSecurity?.sev !== undefined ||
    launchSecurity?.snp !== undefined ||
    memory?.reservedOverhead?.memLock === 'Required'
  );
}
