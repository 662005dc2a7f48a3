/** What a VMI asks of a running domain that takes a restart. Pure. Better a clear sentence than silence. */
import type { VirtualMachineInstance } from '@podvisor/api';
import { cpuTopology, guestMemoryBytes, vcpuCountOf } from '@podvisor/translate';

/** A sentence when `now` differs from what the VM was started with in a way that cannot be followed. */
export function frozenChange(
  started: VirtualMachineInstance,
  now: VirtualMachineInstance,
): string | undefined {
  const cpus = [started, now].map(({ spec }) => vcpuCountOf(cpuTopology(spec)));
  const memory = [started, now].map(({ spec }) => guestMemoryBytes(spec));
  const changes = [
    ...(cpus[0] === cpus[1] ? [] : [`${cpus[0]} to ${cpus[1]} CPUs`]),
    ...(memory[0] === memory[1] ? [] : [`${memory[0]} to ${memory[1]} bytes of memory`]),
  ];
  return changes.length === 0
    ? undefined
    : `a running virtual machine cannot go from ${changes.join(' and from ')} yet; restart it, and it has them`;
}
