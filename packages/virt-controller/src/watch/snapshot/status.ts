/** The status of a snapshot from what is seen of its parts. Pure. */
import type {
  VirtualMachineInstance,
  VirtualMachineSnapshot,
  VirtualMachineSnapshotContentStatus,
  VirtualMachineSnapshotStatus,
  VolumeSnapshot,
} from '@podvisor/api';
import { rfc3339, goDurationMs } from '@podvisor/base';
import { hasCondition, setCondition } from '../conditions.ts';

const DEFAULT_DEADLINE_MS = 5 * 60_000;

/** How long a snapshot may take; undefined: for ever. */
export function deadlineMs({ spec }: VirtualMachineSnapshot): number | undefined {
  if (spec.failureDeadline === undefined) return DEFAULT_DEADLINE_MS;
  const ms = goDurationMs(spec.failureDeadline) ?? 0;
  return ms === 0 ? undefined : ms;
}

const MESSAGES: Readonly<Record<string, string>> = {
  Online: 'Snapshot taken while the VM was running',
  GuestAgent: 'The guest agent froze the filesystems of the guest before the snapshot was taken',
  NoGuestAgent:
    'The guest agent was not active: the snapshot is crash-consistent, as after a power failure of the guest',
  Paused:
    'The VM was paused: the snapshot shows its disks at that moment, without what the guest had not written yet',
  Memory: 'The memory of the guest is in the snapshot, of the same instant as its disks',
  PartialSnapshot: 'Some volumes were left out because their storage cannot take snapshots',
};

/** What a reader of the snapshot should know about how it was taken. */
export function indicationsOf(
  vmi: VirtualMachineInstance | undefined,
  excluded: readonly string[],
  withMemory = false,
): readonly string[] {
  const partial = excluded.length === 0 ? [] : ['PartialSnapshot'];
  if (vmi === undefined) return partial;
  const paused = hasCondition(vmi.status?.conditions, 'Paused', 'True');
  // Frozen file systems would be frozen in that memory too; and memory holds what its disks do not.
  if (withMemory) return ['Online', 'Memory', ...(paused ? ['Paused'] : []), ...partial];
  const agent = hasCondition(vmi.status?.conditions, 'AgentConnected', 'True') && !paused;
  return ['Online', ...(paused ? ['Paused'] : [agent ? 'GuestAgent' : 'NoGuestAgent']), ...partial];
}

export function withIndications(indications: readonly string[]): Partial<VirtualMachineSnapshotStatus> {
  if (indications.length === 0) return {};
  const sourceIndications = indications.map((indication) => ({
    indication,
    message: MESSAGES[indication] ?? indication,
  }));
  return { indications, sourceIndications };
}

export type SnapshotProgress =
  | { readonly kind: 'progressing'; readonly message: string }
  | { readonly kind: 'done'; readonly creationTime: string }
  | { readonly kind: 'failed'; readonly message: string };

export function snapshotStatus(
  old: VirtualMachineSnapshotStatus,
  progress: SnapshotProgress,
  nowMs: number,
): VirtualMachineSnapshotStatus {
  const set = (ready: string, progressing: string, reason: string, failure?: string) => {
    const base = setCondition(
      setCondition(old.conditions ?? [], { type: 'Progressing', status: progressing, reason }, nowMs),
      // What clients wait for; what is under way stands in the other condition.
      { type: 'Ready', status: ready, reason: ready === 'True' ? 'Ready' : 'Not ready' },
      nowMs,
    );
    return failure === undefined
      ? base
      : setCondition(base, { type: 'Failure', status: 'True', reason: failure }, nowMs);
  };
  switch (progress.kind) {
    case 'progressing':
      return {
        ...old,
        phase: 'InProgress',
        readyToUse: false,
        conditions: set('False', 'True', progress.message),
      };
    case 'done': {
      const { error: _error, ...rest } = old;
      return {
        ...rest,
        phase: 'Succeeded',
        readyToUse: true,
        creationTime: progress.creationTime,
        conditions: set('True', 'False', 'Operation complete'),
      };
    }
    case 'failed':
      return {
        ...old,
        phase: 'Failed',
        readyToUse: false,
        error: { message: progress.message, time: rfc3339(nowMs) },
        conditions: set('False', 'False', progress.message, progress.message),
      };
  }
}

/** The content's view of its VolumeSnapshots. */
export function contentStatus(
  names: readonly string[],
  taken: ReadonlyMap<string, VolumeSnapshot>,
  nowMs: number,
  old: VirtualMachineSnapshotContentStatus = {},
): VirtualMachineSnapshotContentStatus {
  const volumeSnapshotStatus = names.map((volumeSnapshotName) => {
    const { creationTime, readyToUse = false, error } = taken.get(volumeSnapshotName)?.status ?? {};
    return {
      volumeSnapshotName,
      readyToUse,
      ...(creationTime === undefined ? {} : { creationTime }),
      ...(error === undefined ? {} : { error: { message: error.message, time: error.time } }),
    };
  });
  const isTaken = volumeSnapshotStatus.every(({ creationTime }) => creationTime !== undefined);
  return {
    ...old,
    readyToUse: volumeSnapshotStatus.every(({ readyToUse }) => readyToUse),
    ...(isTaken ? { creationTime: old.creationTime ?? rfc3339(nowMs) } : {}),
    ...(volumeSnapshotStatus.length === 0 ? {} : { volumeSnapshotStatus }),
  } as VirtualMachineSnapshotContentStatus;
}
