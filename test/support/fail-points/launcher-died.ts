import type { VirtualMachineInstance } from '@podvisor/api';
import { eventually } from '../eventually.ts';

/**
 * Resolves when a launcher of a VM has died. It cannot say so itself; what is seen is a run that failed, or another one
 * after it. Begun before the VM starts: the next run may be there a moment later.
 */
export async function launcherDied(find: () => Promise<VirtualMachineInstance | undefined>): Promise<void> {
  let first: string | undefined;
  await eventually('a launcher died', 120_000, async () => {
    const vmi = await find();
    first ??= vmi?.metadata?.uid;
    return vmi !== undefined && (vmi.status?.phase === 'Failed' || vmi.metadata?.uid !== first)
      ? true
      : undefined;
  });
}
