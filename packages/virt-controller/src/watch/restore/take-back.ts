/** A restore whose target is off: its claims are made, the VM is changed to them, its memory prepared. Pure. */
import type {
  PersistentVolumeClaim,
  VirtualMachine,
  VirtualMachineSnapshot,
  VirtualMachineSnapshotContent,
  VolumeRestore,
} from '@podvisor/api';
import { deepEqual } from '@podvisor/base';
import { isMemoryOf, memoryOf, restoredHibernation, restoredState, runAgain } from './memory.ts';
import {
  fails,
  lookAgain,
  type RestoreAction,
  type RestoreObservation,
  type RestorePlan,
  waits,
} from './observation.ts';
import { obsoleteDataVolumes, RESTORE_NAME, restoredClaim, restoredDataVolumes, restoredVm } from './plan.ts';

/** Makes the claims; without a step all of them can be used. */
export function claimActions(
  observed: RestoreObservation,
  content: VirtualMachineSnapshotContent,
  restores: readonly VolumeRestore[],
): Pick<RestorePlan, 'actions' | 'step'> {
  const { restore, claims, taken } = observed;
  const actions: RestoreAction[] = [];
  let waiting: string | undefined;
  for (const desired of restores) {
    const name = desired.persistentVolumeClaim;
    const claim = claims.get(name);
    if (claim !== undefined && claim.metadata.annotations?.[RESTORE_NAME] !== restore.metadata?.name) {
      if (restore.spec.volumeRestorePolicy !== 'InPlace') {
        const reason = `PVC ${name} exists already and does not belong to this restore`;
        return { actions, step: { kind: 'failed', reason, event: 'VirtualMachineRestoreError' } };
      }
      if (claim.metadata.deletionTimestamp === undefined) actions.push({ kind: 'deleteClaim', name });
      waiting = `Waiting for the old PVC ${name} to go`;
    } else if (claim === undefined) {
      const backup = content.spec.volumeBackups?.find(({ volumeName }) => volumeName === desired.volumeName);
      if (backup === undefined) continue;
      const source = taken.get(desired.volumeSnapshotName);
      actions.push({ kind: 'createClaim', claim: restoredClaim(restore, backup, desired, source) });
      waiting = 'Creating new PVCs';
    } else if (!isUsable(claim, observed)) waiting = `PVC ${name} is not bound yet`;
  }
  return waiting === undefined ? { actions } : { actions, step: { kind: 'waits', reason: waiting } };
}

/** Bound, or to be bound when the VM starts. */
function isUsable({ spec, status }: PersistentVolumeClaim, { waitingClasses }: RestoreObservation): boolean {
  return status?.phase === 'Bound' || waitingClasses.has(spec.storageClassName ?? '');
}

export function changeVm(
  { restore, target }: RestoreObservation,
  content: VirtualMachineSnapshotContent,
  restores: readonly VolumeRestore[],
  begun: readonly RestoreAction[],
): RestorePlan {
  const vm = restoredVm(restore, content, restores, target);
  const obsolete = target === undefined ? [] : obsoleteDataVolumes(target.spec, vm.spec);
  const isNoted = deepEqual(restore.status?.deletedDataVolumes ?? [], obsolete);
  return {
    actions: [
      ...begun,
      // Before the VM names them: it would make, and import, them itself.
      ...restoredDataVolumes(restore, content, restores).map(
        (dataVolume) => ({ kind: 'createDataVolume', dataVolume }) as const,
      ),
      ...(obsolete.length === 0 || isNoted ? [] : [{ kind: 'noteObsolete', names: obsolete } as const]),
      { kind: 'writeVm', vm, isNew: target === undefined },
    ],
    requeueAfterMs: 0,
  };
}

/** The VM is written. What is noted about its memory comes before what lets it go on, in one pass. */
export function afterChange(
  observed: RestoreObservation,
  target: VirtualMachine,
  snapshot: VirtualMachineSnapshot,
  content: VirtualMachineSnapshotContent,
  restores: readonly VolumeRestore[],
): RestorePlan {
  const memory = prepareMemory(observed, target, snapshot, content);
  if (memory !== 'ready' && memory !== 'none') return memory;
  const end = finish(observed, target, content, restores);
  return memory === 'none' ? end : { ...end, actions: [{ kind: 'noteMemory' }, ...end.actions] };
}

/** Gives the VM its memory, while it is off. `none`: it has it, or gets none. */
function prepareMemory(
  observed: RestoreObservation,
  vm: VirtualMachine,
  snapshot: VirtualMachineSnapshot,
  content: VirtualMachineSnapshotContent,
): RestorePlan | 'ready' | 'none' {
  const { restore, memoryClaim, stateClaim } = observed;
  const memory = memoryOf(restore, content);
  if (memory === undefined || restore.status?.memoryPrepared === true) return 'none';
  const isOurs = stateClaim?.metadata.annotations?.[RESTORE_NAME] === restore.metadata?.name;
  if (stateClaim !== undefined && !isOurs)
    return waits(`Waiting for the old PVC ${stateClaim.metadata.name} to go`);
  const hibernation = restoredHibernation(restore, vm, memory, snapshot);
  // First: the claim of a VM that does not hibernate is deleted.
  const remember: readonly RestoreAction[] =
    vm.status?.hibernation?.isOfSnapshot === true ? [] : [{ kind: 'remember', vm, hibernation }];
  if (stateClaim === undefined) {
    if (!isMemoryOf(memoryClaim, content)) return fails(noMemory(observed, content));
    const actions = [
      ...remember,
      { kind: 'createClaim', claim: restoredState(restore, vm, memoryClaim) } as const,
    ];
    return { ...waits('Copying the memory'), actions, ...lookAgain(actions) };
  }
  if (remember.length > 0) return { actions: remember, requeueAfterMs: 0 };
  if (!isUsable(stateClaim, observed)) return waits(`PVC ${stateClaim.metadata.name} is not bound yet`);
  return 'ready';
}

function finish(
  observed: RestoreObservation,
  vm: VirtualMachine,
  content: VirtualMachineSnapshotContent,
  restores: readonly VolumeRestore[],
): RestorePlan {
  const { restore } = observed;
  const source = content.spec.source.virtualMachine?.spec;
  const again =
    source === undefined || memoryOf(restore, content) === undefined ? undefined : runAgain(source);
  return {
    actions: [
      ...(restore.spec.volumeOwnershipPolicy === 'None' ? [] : [{ kind: 'own', vm, restores } as const]),
      { kind: 'deleteObsolete', vm, names: restore.status?.deletedDataVolumes ?? [] },
      ...unlock(observed),
      // It runs as it ran at that instant; not before it is unlocked, which is when its run strategy may change.
      ...(again === undefined ? [] : [{ kind: 'run', vm, spec: again } as const]),
    ],
    step: { kind: 'done' },
  };
}

export function unlock({
  restore,
  target,
}: Pick<RestoreObservation, 'restore' | 'target'>): readonly RestoreAction[] {
  return target !== undefined && target.status?.restoreInProgress === restore.metadata?.name
    ? [{ kind: 'unlock', target }]
    : [];
}

export function noMemory({ restore }: RestoreObservation, { spec }: VirtualMachineSnapshotContent): string {
  return `The memory of snapshot ${restore.spec.virtualMachineSnapshotName} is gone (claim ${spec.memoryBackup?.claimName}); with spec.discardMemory its disks are restored alone`;
}
