/** How a snapshot ends: the failure, the removal of what it made, the lock that it held. Pure. */
import type { MemorySnapshotType, VirtualMachineInstance } from '@podvisor/api';
import { isFinal } from '../vmi-phase.ts';
import { plugPatch } from './memory.ts';
import type { SnapshotAction, SnapshotObservation } from './plan.ts';
import { type SnapshotProgress, snapshotStatus } from './status.ts';

export const IN_PROGRESS: SnapshotProgress = {
  kind: 'progressing',
  message: 'Source locked and operation in progress',
};

export function failure(observed: SnapshotObservation, message: string): readonly SnapshotAction[] {
  const { snapshot, vmi } = observed;
  const isFrozen = vmi !== undefined && snapshot.status?.indications?.includes('GuestAgent') === true;
  return [
    ...(isFrozen ? [{ kind: 'thaw', vmi, mayFail: true } as const] : []),
    ...plug(observed, undefined),
    ...deleteContent(observed),
    status(observed, { kind: 'failed', message }),
    ...unlock(observed),
    { kind: 'failedEvent', message },
  ];
}

export function removal(observed: SnapshotObservation): readonly SnapshotAction[] {
  const { snapshot, content } = observed;
  const keeps = snapshot.spec.deletionPolicy === 'Retain';
  const free = [...plug(observed, undefined), ...unlock(observed)];
  if (!keeps && content !== undefined) return [...free, ...deleteContent(observed)];
  return [...free, { kind: 'removeFinalizer' }];
}

function deleteContent({ content }: SnapshotObservation): readonly SnapshotAction[] {
  if (content === undefined || content.metadata?.deletionTimestamp !== undefined) return [];
  return [{ kind: 'deleteContent', name: content.metadata?.name ?? '' }];
}

export function unlock({ snapshot, vm }: SnapshotObservation): readonly SnapshotAction[] {
  return vm !== undefined && vm.status?.snapshotInProgress === snapshot.metadata?.name
    ? [{ kind: 'unlock', vm }]
    : [];
}

export function status({ snapshot, nowMs }: SnapshotObservation, progress: SnapshotProgress): SnapshotAction {
  return { kind: 'status', status: snapshotStatus(snapshot.status ?? {}, progress, nowMs) };
}

/** The claim of the memory as it should be plugged into the guest, or not at all. */
export function plug(
  observed: SnapshotObservation,
  type: MemorySnapshotType | undefined,
): readonly SnapshotAction[] {
  const vmi = runningGuest(observed);
  const backup = observed.content?.spec.memoryBackup;
  if (vmi === undefined || backup === undefined || vmi.metadata?.uid !== backup.vmiUID) return [];
  const patch = plugPatch(vmi, backup.claimName, type);
  return patch.length === 0 ? [] : [{ kind: 'patchVmi', vmi, patch }];
}

export function runningGuest({ vmi }: SnapshotObservation): VirtualMachineInstance | undefined {
  return vmi === undefined || isFinal(vmi) ? undefined : vmi;
}
