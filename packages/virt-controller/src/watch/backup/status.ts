/** Conditions of a backup, in the words that clients of KubeVirt know. Pure. */
import type {
  BackupProgress,
  BackupRuntimeStatus,
  StandardCondition,
  VirtualMachineBackup,
  VirtualMachineBackupStatus,
} from '@podvisor/api';
import { memberOf, rfc3339 } from '@podvisor/base';

type Status = VirtualMachineBackupStatus;

export const IN_PROGRESS = 'Backup is in progress';
export const ABORTING = 'Backup is aborting';
const COMPLETED = 'Successfully completed VirtualMachineBackup';

export function isTrue({ status }: VirtualMachineBackup, type: string): boolean {
  return (status?.conditions ?? []).some((c) => c.type === type && c.status === 'True');
}

export function isTerminal(backup: VirtualMachineBackup): boolean {
  return isTrue(backup, 'Complete') || isTrue(backup, 'Failed');
}

/** Adds or replaces a condition; the time moves with the status only. */
function set(status: Status, next: Omit<StandardCondition, 'lastTransitionTime'>, nowMs: number): Status {
  const old = status.conditions ?? [];
  const before = old.find(({ type }) => type === next.type);
  const lastTransitionTime = before?.status === next.status ? before.lastTransitionTime : rfc3339(nowMs);
  const built: StandardCondition = { ...next, lastTransitionTime };
  const conditions =
    before === undefined
      ? [...old, built]
      : old.map((condition) => (condition === before ? built : condition));
  return { ...status, conditions };
}

export function progressing(status: Status, reason: string, message: string, nowMs: number): Status {
  return set(status, { type: 'Progressing', status: 'True', reason, message }, nowMs);
}

export function failed(status: Status, reason: string, why: string, nowMs: number): Status {
  const message = `Backup has failed: ${why}`;
  const base = set(status, { type: 'Failed', status: 'True', reason, message }, nowMs);
  return set(base, { type: 'Progressing', status: 'False', reason, message }, nowMs);
}

/** `warning`: what a reader of the backup should know. */
export function completed(status: Status, warning: string | undefined, nowMs: number): Status {
  const reason = warning === undefined ? 'Completed' : 'CompletedWithWarning';
  const message = warning === undefined ? COMPLETED : `Completed VirtualMachineBackup, warning: ${warning}`;
  const base = set(status, { type: 'Complete', status: 'True', reason, message }, nowMs);
  return set(base, { type: 'Progressing', status: 'False', reason, message }, nowMs);
}

const QUIESCED: Readonly<Record<string, readonly [status: 'True' | 'False', message: string]>> = {
  Succeeded: ['True', 'Guest filesystem was successfully quiesced'],
  Failed: ['False', 'Guest filesystem quiesce failed'],
  Skipped: ['False', 'Guest filesystem quiesce was skipped'],
};

/** What the node tells of the backup while it runs, and at its end. */
export function seen(status: Status, runtime: BackupRuntimeStatus, nowMs: number): Status {
  const { volumes, checkpointName, quiesceStatus = '' } = runtime;
  const base: Status = {
    ...status,
    ...(volumes === undefined || status.includedVolumes !== undefined ? {} : { includedVolumes: volumes }),
    ...(checkpointName === undefined ? {} : { checkpointName }),
  };
  const known = memberOf(QUIESCED, quiesceStatus);
  if (known === undefined) return base;
  const [value, message] = known;
  return set(base, { type: 'Quiesced', status: value, reason: `Quiesce${quiesceStatus}`, message }, nowMs);
}

/** How far a copy is, for people. Disks that grow while they are copied are never more than done. */
export function percentOf({ totalBytes, doneBytes }: BackupProgress): string {
  return `${totalBytes === 0 ? 0 : Math.floor((Math.min(doneBytes, totalBytes) / totalBytes) * 100)}%`;
}
