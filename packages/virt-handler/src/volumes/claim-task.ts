/**
 * What is done with the files of claims: any of it may wait for a storage that does not answer. It is done in a process
 * of its own (claim-workers.ts); what is here runs there.
 */
import type { Uid } from '@podvisor/base';
import { isProcessInPod } from '@podvisor/sys';
import type { PluggedVolume } from '../ghost-records/record.ts';
import { PodAccess } from '../network/pod-access.ts';
import { openStateFile } from '../shared-memory/show.ts';
import { giveClaim } from '../sync/claim-directories.ts';
import type { DesiredPlug } from './plan.ts';
import { plug } from './plug.ts';

/** A process of a launcher's container, and its Pod. */
export interface LauncherProcess {
  readonly pid: number;
  readonly podUid: Uid;
}

export type ClaimTask =
  /** Shows a claim to the launcher. `directory`: where the node has its plugged disks. */
  | {
      readonly kind: 'plug';
      readonly launcher: LauncherProcess;
      readonly directory: string;
      readonly desired: DesiredPlug;
    }
  /** Gives the directory of a claim to QEMU's user. `path`: where the launcher has it mounted. */
  | { readonly kind: 'give'; readonly launcher: LauncherProcess; readonly path: string }
  /** Whether the launcher has the state that its guest goes on from. */
  | { readonly kind: 'find-state'; readonly launcher: LauncherProcess; readonly id: string };

export interface ClaimAnswers {
  readonly plug: PluggedVolume;
  readonly give: null;
  readonly 'find-state': boolean;
}

export function perform(task: ClaimTask): ClaimAnswers[ClaimTask['kind']] {
  const { pid, podUid } = task.launcher;
  using pod = PodAccess.open(pid, () => isProcessInPod(pid, podUid));
  switch (task.kind) {
    case 'plug':
      return plug(task.directory, { pid, users: pod.users }, task.desired);
    case 'give':
      giveClaim(pod, task.path);
      return null;
    case 'find-state': {
      using file = openStateFile(pod.root, task.id);
      return file !== undefined;
    }
  }
}
