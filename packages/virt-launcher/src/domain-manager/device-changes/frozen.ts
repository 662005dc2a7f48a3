/** What a VMI asks of a running domain that takes a restart. Pure. Better a clear sentence than silence. */
import type { VirtualMachineInstance } from '@podvisor/api';
import { cpuTopology, guestMemoryBytes, vcpuCountOf } from '@podvisor/translate';

/**
 * A sentence when `now` differs from what the VM was started with in a way that cannot be followed. What fits into the
 * room that was made at the start comes with the next migration: there is nothing to complain about.
 */
export function frozenChange(
  started: VirtualMachineInstance,
  now: VirtualMachineInstance,
): string | undefined {
  const [cpusBefore, cpusNow] = [cpusOf(started), cpusOf(now)];
  const [bytesBefore, bytesNow] = [guestMemoryBytes(started.spec), guestMemoryBytes(now.spec)];
  const { maxSockets = 0 } = now.spec.domain.cpu ?? {};
  const cpusFit = (now.spec.domain.cpu?.sockets ?? 1) <= maxSockets && cpusNow >= cpusBefore;
  const memoryFits = now.spec.domain.memory?.maxGuest !== undefined;
  const changes = [
    ...(cpusBefore === cpusNow || cpusFit ? [] : [`${cpusBefore} to ${cpusNow} CPUs`]),
    ...(bytesBefore === bytesNow || memoryFits ? [] : [`${bytesBefore} to ${bytesNow} bytes of memory`]),
  ];
  return changes.length === 0
    ? undefined
    : `a running virtual machine cannot go from ${changes.join(' and from ')} yet; restart it, and it has them`;
}

function cpusOf({ spec }: VirtualMachineInstance): number {
  return vcpuCountOf(cpuTopology(spec));
}
