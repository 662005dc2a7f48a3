/**
 * The limit on locked memory of a guest that locks it. A container runtime gives a few MiB, and no field of a Pod asks for
 * more. Lifted before QEMU starts: it has its limit from libvirtd, and a libvirtd that is started anew from the launcher.
 */
import type { VirtualMachineInstance } from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import { identityFields, type Log } from '@podvisor/kube';
import { isProcessInPod, liftMemoryLock, processTree } from '@podvisor/sys';
import { locksMemory } from '@podvisor/translate';
import type { LauncherProcess } from '../volumes/claim-task.ts';

/** More than a launcher has before its guest runs: itself, libvirtd and what it asks QEMU by. */
const MOST_PROCESSES = 64;

interface Processes {
  readonly tree: (pid: number, most: number) => readonly number[];
  readonly isInPod: (pid: number, podUid: LauncherProcess['podUid']) => boolean;
  readonly lift: (pid: number) => void;
}

const OF_THIS_NODE: Processes = { tree: processTree, isInPod: isProcessInPod, lift: liftMemoryLock };

/**
 * Throws when a limit cannot be lifted (a node whose virt-handler may not) and the VMI asks for it by name. Otherwise that
 * is logged: the runtime may give enough, and QEMU says what it cannot lock.
 */
export function allowLockedMemory(
  vmi: VirtualMachineInstance,
  { pid, podUid }: LauncherProcess,
  log: Pick<Log, 'warn'>,
  { tree, isInPod, lift }: Processes = OF_THIS_NODE,
): void {
  if (!locksMemory(vmi.spec)) return;
  try {
    for (const process of tree(pid, MOST_PROCESSES)) if (isInPod(process, podUid)) lift(process);
  } catch (error) {
    if (vmi.spec.domain.memory?.reservedOverhead?.memLock === 'Required')
      throw new Error(`the guest may not lock its memory (memLock): ${messageOf(error)}`, { cause: error });
    log.warn(
      { ...identityFields(vmi), error: messageOf(error) },
      'the limit on locked memory was not lifted',
    );
  }
}
