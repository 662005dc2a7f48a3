/**
 * The next actions of a restore, from what is seen. Pure. Until every new claim is there, nothing of the VM has
 * changed; the change of the VM is one write, marked with the restore that made it, so that a pass that was cut short
 * knows where it was.
 */
import {
  type PersistentVolumeClaim,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VirtualMachineRestore,
  type VirtualMachineSnapshot,
  type VirtualMachineSnapshotContent,
  type VolumeRestore,
  type VMHibernation,
  type VMSpec,
  type VolumeSnapshot,
  type DataVolume,
} from '@podvisor/api';
import { deepEqual } from '@podvisor/base';
import { isMemoryOf, memoryOf, restoredHibernation, restoredState, runAgain } from './memory.ts';
import {
  LAST_RESTORE,
  obsoleteDataVolumes,
  RESTORE_NAME,
  restoredClaim,
  restoredDataVolumes,
  restoredVm,
  volumeRestores,
} from './plan.ts';

export interface RestoreObservation {
  readonly restore: VirtualMachineRestore;
  readonly snapshot: VirtualMachineSnapshot | undefined;
  readonly content: VirtualMachineSnapshotContent | undefined;
  /** The VM that is restored; undefined: it will be made. */
  readonly target: VirtualMachine | undefined;
  readonly vmi: VirtualMachineInstance | undefined;
  /** Claims of the restored volumes that are there, by name. */
  readonly claims: ReadonlyMap<string, PersistentVolumeClaim>;
  /** VolumeSnapshots of the content, by name. */
  readonly taken: ReadonlyMap<string, VolumeSnapshot>;
  /** Storage classes that bind a claim when its first user comes. */
  readonly waitingClasses: ReadonlySet<string>;
  /** The claim of the snapshot's memory, whoever made it. */
  readonly memoryClaim?: PersistentVolumeClaim;
  /** The claim of the name that the target's own memory has, whoever made it. */
  readonly stateClaim?: PersistentVolumeClaim;
  readonly nowMs: number;
}

/** What the status says afterwards. */
export type RestoreStep =
  | { readonly kind: 'waits'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly event: string }
  | { readonly kind: 'done' };

export type RestoreAction =
  | { readonly kind: 'lock'; readonly target: VirtualMachine }
  | { readonly kind: 'unlock'; readonly target: VirtualMachine }
  | { readonly kind: 'stop'; readonly target: VirtualMachine }
  | { readonly kind: 'note'; readonly restores: readonly VolumeRestore[] }
  | { readonly kind: 'deleteClaim'; readonly name: string }
  | { readonly kind: 'createClaim'; readonly claim: PersistentVolumeClaim }
  | { readonly kind: 'createDataVolume'; readonly dataVolume: DataVolume }
  /** Which DataVolumes the VM has before it is changed: afterwards nobody would know. */
  | { readonly kind: 'noteObsolete'; readonly names: readonly string[] }
  | { readonly kind: 'writeVm'; readonly vm: VirtualMachine; readonly isNew: boolean }
  | { readonly kind: 'own'; readonly vm: VirtualMachine; readonly restores: readonly VolumeRestore[] }
  | { readonly kind: 'deleteObsolete'; readonly vm: VirtualMachine; readonly names: readonly string[] }
  /** The VM hibernates from here on. */
  | { readonly kind: 'remember'; readonly vm: VirtualMachine; readonly hibernation: VMHibernation }
  /** Noted before it may go on: from here on it is never given that memory again. */
  | { readonly kind: 'noteMemory' }
  | { readonly kind: 'run'; readonly vm: VirtualMachine; readonly spec: Partial<VMSpec> }
  | { readonly kind: 'notReadyEvent'; readonly reason: string };

export interface RestorePlan {
  readonly actions: readonly RestoreAction[];
  /** Undefined: the status stays as it is. */
  readonly step?: RestoreStep;
  readonly requeueAfterMs?: number;
  /** Comes again, later and later: another restore has the VM. */
  readonly retry?: string;
}

/** How long a running target may take to stop. */
const GRACE_MS = 5 * 60_000;

export function hasRestoreFailed({ status }: VirtualMachineRestore): boolean {
  return status?.conditions?.some((c) => c.type === 'Failure' && c.status === 'True') === true;
}

export function planRestore(observed: RestoreObservation): RestorePlan {
  const { restore, snapshot, content, target } = observed;
  if (restore.status?.complete === true || hasRestoreFailed(restore)) return { actions: [] };
  if (restore.metadata?.deletionTimestamp !== undefined) return { actions: unlock(observed) };
  const { virtualMachineSnapshotName: from } = restore.spec;
  if (snapshot === undefined && restore.status?.restores !== undefined)
    return fails(`Snapshot ${from} was deleted before it was restored; the VirtualMachine stays as it is`);
  if (snapshot?.status?.readyToUse !== true || content === undefined)
    return waits(`Snapshot ${from} is not ready`);
  const restores = volumeRestores(restore, content);
  if (target !== undefined && isChanged(observed))
    return afterChange(observed, target, snapshot, content, restores);
  if (memoryOf(restore, content) !== undefined && !isMemoryOf(observed.memoryClaim, content))
    return fails(noMemory(observed, content));
  if (target !== undefined && observed.vmi !== undefined) return whileRunning(observed, target);
  if (target?.status?.hibernation?.phase === 'Hibernated') return whileHibernated(target);
  const holder = target?.status?.restoreInProgress;
  if (holder !== undefined && holder !== restore.metadata?.name)
    return { actions: [], retry: `restore ${holder} of the same VirtualMachine is in progress` };
  // Alone: the write of the VM holds only for the VM as it was seen locked.
  if (target !== undefined && holder === undefined)
    return { actions: [{ kind: 'lock', target }], requeueAfterMs: 0 };
  const begun: readonly RestoreAction[] = deepEqual(restore.status?.restores ?? [], restores)
    ? []
    : [{ kind: 'note', restores }];
  const claims = claimActions(observed, content, restores);
  if (claims.step !== undefined)
    return { actions: [...begun, ...claims.actions], step: claims.step, ...lookAgain(claims.actions) };
  return changeVm(observed, content, restores, begun);
}

const fails = (reason: string): RestorePlan => ({
  actions: [],
  step: { kind: 'failed', reason, event: 'VirtualMachineRestoreError' },
});

function noMemory({ restore }: RestoreObservation, { spec }: VirtualMachineSnapshotContent): string {
  return `The memory of snapshot ${restore.spec.virtualMachineSnapshotName} is gone (claim ${spec.memoryBackup?.claimName}); with spec.discardMemory its disks are restored alone`;
}

const waits = (reason: string): RestorePlan => ({ actions: [], step: { kind: 'waits', reason } });

/** This restore has written the VM. */
function isChanged({ restore, target }: RestoreObservation): boolean {
  return (
    target?.metadata?.annotations?.[LAST_RESTORE] === `${restore.metadata?.name}-${restore.metadata?.uid}`
  );
}

/** Its memory belongs to the disks that it has: on restored ones it would destroy them. */
function whileHibernated({ metadata }: VirtualMachine): RestorePlan {
  const reason = `The restore target ${metadata?.name} is hibernated; wake and stop it, or give its memory up (virtctl start --discard-state)`;
  return { actions: [], step: { kind: 'failed', reason, event: 'RestoreTargetNotReady' } };
}

function whileRunning({ restore, nowMs }: RestoreObservation, target: VirtualMachine): RestorePlan {
  const name = target.metadata?.name;
  const reason = `The restore target ${name} is running; stop it`;
  const failed: RestorePlan = {
    actions: [],
    step: { kind: 'failed', reason, event: 'RestoreTargetNotReady' },
  };
  switch (restore.spec.targetReadinessPolicy ?? 'WaitGracePeriod') {
    case 'FailImmediate':
      return failed;
    case 'StopTarget':
      return { ...waits(`Waiting for ${name} to stop`), actions: [{ kind: 'stop', target }] };
    case 'WaitEventually':
      return waits(reason);
    default: {
      const leftMs = Date.parse(restore.metadata?.creationTimestamp ?? '') + GRACE_MS - nowMs;
      if (leftMs <= 0) return failed;
      const isNews = restore.status?.conditions === undefined;
      return {
        ...waits(reason),
        actions: isNews ? [{ kind: 'notReadyEvent', reason }] : [],
        requeueAfterMs: leftMs,
      };
    }
  }
}

/** Makes the claims; without a step all of them can be used. */
function claimActions(
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

function changeVm(
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

/** A claim that is only bound when its first user comes tells of nothing more after it was made. */
function lookAgain(actions: readonly RestoreAction[]): Pick<RestorePlan, 'requeueAfterMs'> {
  return actions.some(({ kind }) => kind === 'createClaim') ? { requeueAfterMs: 0 } : {};
}

/** The VM is written. What is noted about its memory comes before what lets it go on, in one pass. */
function afterChange(
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
