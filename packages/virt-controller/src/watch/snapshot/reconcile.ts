/**
 * The next actions of a snapshot, from what is seen. Pure. The VM is locked, its guest frozen through the agent, a
 * VolumeSnapshot asked for each claim, the guest thawed as soon as all are taken, the VM unlocked. Each plan does what
 * is missing, so a pass that was cut short is simply continued. The launcher thaws by itself at the deadline.
 */
import {
  type MemoryBackup,
  memorySnapshotTypes,
  type MemorySnapshotType,
  movesVolumes,
  type PersistentVolumeClaim,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VirtualMachineSnapshot,
  type VirtualMachineSnapshotContent,
  type VirtualMachineSnapshotContentStatus,
  type VirtualMachineSnapshotStatus,
  type VMSpec,
  type VolumeSnapshot,
} from '@podvisor/api';
import { deepEqual } from '@podvisor/base';
import type { JsonPatchOperation } from '@podvisor/kube';
import { isFinal } from '../vmi-phase.ts';
import { needsRecovery } from '../volume-migration/status.ts';
import { buildContent, contentName, type SourceVolume } from './content.ts';
import {
  contentStatus,
  deadlineMs,
  indicationsOf,
  snapshotStatus,
  type SnapshotProgress,
  withIndications,
} from './status.ts';
import { memoryProblem, plugPatch, toldOf } from './memory.ts';
import { volumeSnapshotsOf } from './volume-snapshots.ts';

export interface SnapshotObservation {
  readonly snapshot: VirtualMachineSnapshot;
  readonly vm: VirtualMachine | undefined;
  /** Also one that has ended. */
  readonly vmi: VirtualMachineInstance | undefined;
  readonly content: VirtualMachineSnapshotContent | undefined;
  /** Claims of the VM, and of the content when there is one, with the class that takes snapshots of each. */
  readonly volumes: readonly SourceVolume[];
  /** VolumeSnapshots of the content, by name. */
  readonly taken: ReadonlyMap<string, VolumeSnapshot>;
  /** The spec that the running guest was started from. */
  readonly startedFrom: VMSpec | undefined;
  /** The cluster serves VolumeSnapshots. */
  readonly isServed: boolean;
  /** The claim that the memory goes to, as it should be; undefined when it is not asked for. */
  readonly memoryClaim?: PersistentVolumeClaim;
  readonly nowMs: number;
}

export type SnapshotAction =
  | { readonly kind: 'addFinalizer' }
  | { readonly kind: 'removeFinalizer' }
  | { readonly kind: 'status'; readonly status: VirtualMachineSnapshotStatus }
  | { readonly kind: 'lock'; readonly vm: VirtualMachine }
  | { readonly kind: 'unlock'; readonly vm: VirtualMachine }
  | { readonly kind: 'createContent'; readonly content: VirtualMachineSnapshotContent }
  | { readonly kind: 'deleteContent'; readonly name: string }
  | {
      readonly kind: 'contentStatus';
      readonly content: VirtualMachineSnapshotContent;
      readonly status: VirtualMachineSnapshotContentStatus;
    }
  | { readonly kind: 'freeze'; readonly vmi: VirtualMachineInstance; readonly thawAfterMs: number }
  /** When the snapshot has failed, a thaw that fails too changes nothing: the launcher thaws by itself. */
  | { readonly kind: 'thaw'; readonly vmi: VirtualMachineInstance; readonly mayFail: boolean }
  | { readonly kind: 'createVolumeSnapshot'; readonly object: VolumeSnapshot }
  | { readonly kind: 'createClaim'; readonly claim: PersistentVolumeClaim }
  | {
      readonly kind: 'patchVmi';
      readonly vmi: VirtualMachineInstance;
      readonly patch: readonly JsonPatchOperation[];
    }
  | { readonly kind: 'memoryEvent'; readonly message: string }
  | { readonly kind: 'failedEvent'; readonly message: string };

export interface SnapshotPlan {
  readonly actions: readonly SnapshotAction[];
  readonly requeueAfterMs?: number;
}

const IN_PROGRESS: SnapshotProgress = {
  kind: 'progressing',
  message: 'Source locked and operation in progress',
};

export function planSnapshot(observed: SnapshotObservation): SnapshotPlan {
  const { snapshot, nowMs } = observed;
  if (snapshot.metadata?.deletionTimestamp !== undefined) return { actions: removal(observed) };
  const phase = snapshot.status?.phase;
  if (phase === 'Succeeded' || phase === 'Failed') return { actions: unlock(observed) };
  const limitMs = deadlineMs(snapshot);
  const endsMs = Date.parse(snapshot.metadata?.creationTimestamp ?? '') + (limitMs ?? 0);
  if (limitMs !== undefined && nowMs >= endsMs)
    return { actions: failure(observed, 'snapshot deadline exceeded') };
  const { actions, isOver, again } = take(observed);
  const requeueAfterMs = again ? 0 : isOver || limitMs === undefined ? undefined : endsMs - nowMs;
  return {
    actions: [{ kind: 'addFinalizer' }, ...actions],
    ...(requeueAfterMs === undefined ? {} : { requeueAfterMs }),
  };
}

interface Taking {
  readonly actions: readonly SnapshotAction[];
  readonly isOver?: boolean;
  /** The actions change what the next ones depend on. */
  readonly again?: boolean;
}

function take(observed: SnapshotObservation): Taking {
  const { snapshot, vm, vmi, content, volumes, isServed } = observed;
  const waits = (message: string): Taking => ({
    actions: [status(observed, { kind: 'progressing', message })],
  });
  if (vm === undefined) return waits(`VirtualMachine ${snapshot.spec.source.name} does not exist`);
  if (!isServed) return waits('This cluster does not serve VolumeSnapshots (snapshot.storage.k8s.io/v1)');
  const holder = vm.status?.snapshotInProgress;
  if (holder !== undefined && holder !== snapshot.metadata?.name)
    return waits(`Waiting for snapshot ${holder} of the same VirtualMachine`);
  if (vm.status?.restoreInProgress !== undefined)
    return waits(`Waiting for restore ${vm.status.restoreInProgress} of the VirtualMachine`);
  if (content?.spec.memoryBackup !== undefined) return takeAll(observed, content, content.spec.memoryBackup);
  if (content !== undefined) return takeVolumes(observed, content);
  const running = runningGuest(observed);
  if (snapshot.spec.includeMemory === true && isBusy(vm, running))
    return waits('Waiting for the migration or hibernation of the VirtualMachine');
  // The VM names claims that its data has not reached.
  if (running !== undefined ? movesVolumes(running) : needsRecovery(vm, vmi))
    return waits('Waiting until the volumes of the VirtualMachine have moved, or are put back');
  const missing = volumes.find(({ claim }) => claim?.status?.phase !== 'Bound');
  if (missing !== undefined) return waits(`PVC ${missing.claimName} is not bound`);
  const problem =
    snapshot.spec.includeMemory === true ? memoryProblem(running, excludedOf(volumes)) : undefined;
  if (problem !== undefined) return { actions: failure(observed, problem), isOver: true };
  return { actions: begin(observed, vm, running), again: true };
}

/** Its memory is on the way to somewhere else. */
function isBusy({ status }: VirtualMachine, vmi: VirtualMachineInstance | undefined): boolean {
  const { migrationState } = vmi?.status ?? {};
  const isMoving = migrationState !== undefined && !migrationState.completed && !migrationState.failed;
  return isMoving || status?.hibernation?.phase === 'Saving';
}

const excludedOf = (volumes: readonly SourceVolume[]): readonly string[] =>
  volumes.filter((v) => v.snapshotClass === undefined).map(({ name }) => name);

function begin(
  observed: SnapshotObservation,
  vm: VirtualMachine,
  vmi: VirtualMachineInstance | undefined,
): readonly SnapshotAction[] {
  const { snapshot, volumes, startedFrom, nowMs } = observed;
  const excluded = excludedOf(volumes);
  const withMemory = snapshot.spec.includeMemory === true;
  const included = volumes.filter((v) => v.snapshotClass !== undefined).map(({ name }) => name);
  return [
    ...(vm.status?.snapshotInProgress === undefined ? [{ kind: 'lock', vm } as const] : []),
    // Noted before anything is frozen: whoever continues this knows that it must thaw.
    {
      kind: 'status',
      status: {
        ...snapshotStatus(snapshot.status ?? {}, IN_PROGRESS, nowMs),
        sourceUID: vm.metadata?.uid,
        virtualMachineSnapshotContentName: contentName(snapshot),
        ...withIndications(indicationsOf(vmi, excluded, withMemory)),
        snapshotVolumes: {
          ...(included.length === 0 ? {} : { includedVolumes: included }),
          ...(excluded.length === 0 ? {} : { excludedVolumes: excluded }),
        },
      },
    },
    { kind: 'createContent', content: buildContent(snapshot, { vm, vmi, startedFrom }, volumes) },
  ];
}

/** Memory and disks of one instant: see `memory.ts` for the order. */
function takeAll(
  observed: SnapshotObservation,
  content: VirtualMachineSnapshotContent,
  backup: MemoryBackup,
): Taking {
  const { snapshot, taken, memoryClaim, nowMs } = observed;
  const vmi = runningGuest(observed);
  // Noted, so whole: what is left is that the disks become usable.
  if (snapshot.status?.memory?.sizeBytes !== undefined) {
    const { actions, ...rest } = takeVolumes(observed, content);
    return { ...rest, actions: [...plug(observed, undefined), ...actions] };
  }
  const failed = (message: string): Taking => ({ actions: failure(observed, message), isOver: true });
  if (vmi === undefined || vmi.metadata?.uid !== backup.vmiUID)
    return failed('the guest ended before its memory was saved');
  const told = toldOf(vmi, backup);
  const broken = [...taken.values()].find(({ status }) => status?.error !== undefined);
  switch (told?.phase) {
    case 'Failed':
      return failed(told.message ?? 'the memory of the guest could not be saved');
    case 'Taken': {
      const { sizeBytes, pauseMilliseconds } = told;
      const memory = { claimName: backup.claimName, sizeBytes: sizeBytes ?? 0, pauseMilliseconds };
      const next = snapshotStatus(snapshot.status ?? {}, IN_PROGRESS, nowMs);
      const message = `The memory of the guest is saved (${memory.sizeBytes} bytes on claim ${backup.claimName}); it stood still for ${pauseMilliseconds ?? 0} ms`;
      return {
        actions: [
          { kind: 'status', status: { ...next, memory } },
          { kind: 'memoryEvent', message },
        ],
        again: true,
      };
    }
    case 'Saved': {
      if (broken !== undefined)
        return failed(`VolumeSnapshot ${broken.metadata.name}: ${broken.status?.error?.message ?? ''}`);
      const missing = missingOf(observed, content);
      if (missing.length > 0) return { actions: missing, again: true };
      const areTaken = namesIn(content).every((name) => taken.get(name)?.status?.creationTime !== undefined);
      return { actions: areTaken ? plug(observed, memorySnapshotTypes.goOn) : [] };
    }
    default:
      return {
        actions: [
          ...(memoryClaim === undefined ? [] : [{ kind: 'createClaim', claim: memoryClaim } as const]),
          ...plug(observed, memorySnapshotTypes.save),
        ],
      };
  }
}

/** The claim of the memory as it should be plugged into the guest, or not at all. */
function plug(
  observed: SnapshotObservation,
  type: MemorySnapshotType | undefined,
): readonly SnapshotAction[] {
  const vmi = runningGuest(observed);
  const backup = observed.content?.spec.memoryBackup;
  if (vmi === undefined || backup === undefined || vmi.metadata?.uid !== backup.vmiUID) return [];
  const patch = plugPatch(vmi, backup.claimName, type);
  return patch.length === 0 ? [] : [{ kind: 'patchVmi', vmi, patch }];
}

/** The disks that are not taken yet. */
function missingOf(
  { snapshot, taken, volumes }: SnapshotObservation,
  content: VirtualMachineSnapshotContent,
): readonly SnapshotAction[] {
  return volumeSnapshotsOf(snapshot, content, volumes)
    .filter(({ metadata }) => !taken.has(metadata.name ?? ''))
    .map((object) => ({ kind: 'createVolumeSnapshot', object }) as const);
}

const namesIn = ({ spec }: VirtualMachineSnapshotContent): readonly string[] =>
  (spec.volumeBackups ?? []).flatMap(({ volumeSnapshotName: name }) => name ?? []);

function takeVolumes(observed: SnapshotObservation, content: VirtualMachineSnapshotContent): Taking {
  const { snapshot, taken, nowMs } = observed;
  const vmi = runningGuest(observed);
  const quiesced = snapshot.status?.indications?.includes('GuestAgent') === true ? vmi : undefined;
  const missing = missingOf(observed, content);
  if (missing.length > 0) {
    const thawAfterMs = deadlineMs(snapshot) ?? 0;
    return {
      actions: [
        ...(quiesced === undefined ? [] : [{ kind: 'freeze', vmi: quiesced, thawAfterMs } as const]),
        ...missing,
      ],
      again: true,
    };
  }
  const names = namesIn(content);
  const next = contentStatus(names, taken, nowMs, content.status);
  // Thawed as soon as every disk is taken; making them usable may take longer.
  const isTaken = next.creationTime !== undefined && content.status?.creationTime === undefined;
  const seen: readonly SnapshotAction[] = [
    ...(quiesced !== undefined && isTaken ? [{ kind: 'thaw', vmi: quiesced, mayFail: false } as const] : []),
    ...(deepEqual(next, content.status ?? {})
      ? []
      : [{ kind: 'contentStatus', content, status: next } as const]),
  ];
  if (next.readyToUse !== true || typeof next.creationTime !== 'string') return { actions: seen };
  const done = status(observed, { kind: 'done', creationTime: next.creationTime });
  return { actions: [...seen, done, ...unlock(observed)], isOver: true };
}

function failure(observed: SnapshotObservation, message: string): readonly SnapshotAction[] {
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

function removal(observed: SnapshotObservation): readonly SnapshotAction[] {
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

function unlock({ snapshot, vm }: SnapshotObservation): readonly SnapshotAction[] {
  return vm !== undefined && vm.status?.snapshotInProgress === snapshot.metadata?.name
    ? [{ kind: 'unlock', vm }]
    : [];
}

function status({ snapshot, nowMs }: SnapshotObservation, progress: SnapshotProgress): SnapshotAction {
  return { kind: 'status', status: snapshotStatus(snapshot.status ?? {}, progress, nowMs) };
}

function runningGuest({ vmi }: SnapshotObservation): VirtualMachineInstance | undefined {
  return vmi === undefined || isFinal(vmi) ? undefined : vmi;
}
