import type { VirtualMachineInstance } from '@podvisor/api';

/**
 * Whether the guest came to its node by a live migration: QEMU and TAP count anew there, and the guest has no reason to
 * read a disk or to ask for its address once more, so that silence shows nothing.
 */
export function hasMoved(vmi: VirtualMachineInstance | undefined): boolean {
  const { nodeName, migrationState } = vmi?.status ?? {};
  return migrationState?.completed === true && migrationState.targetNode === nodeName;
}
