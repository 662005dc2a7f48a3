/** How virt-controller asks for more CPUs or memory without a migration, and virt-handler and virt-launcher see it. Pure. */
import { vmiConditions } from '../names.ts';
import type { VirtualMachineInstance } from '../types/index.ts';

/** Reason of `HotVCPUChange` and `HotMemoryChange` when the guest takes the change over where it is. Ours. */
export const IN_PLACE = 'InPlace';

/** The VMI waits for such a change. */
export function growsInPlace({ status }: VirtualMachineInstance): boolean {
  const { hotVCPUChange, hotMemoryChange } = vmiConditions;
  return (status?.conditions ?? []).some(
    ({ type, status: value, reason }) =>
      (type === hotVCPUChange || type === hotMemoryChange) && value === 'True' && reason === IN_PLACE,
  );
}
