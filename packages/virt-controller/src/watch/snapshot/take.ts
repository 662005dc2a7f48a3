/** A snapshot on its way: the lock, the freeze, the claims, the memory, the thaw. Pure. */
import {
  type MemoryBackup,
  memorySnapshotTypes,
  movesVolumes,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VirtualMachineSnapshotContent,
} from '@podvisor/api';
import { deepEqual } from '@podvisor/base';
import { needsRecovery } from '../volume-migration/status.ts';
import { buildContent, contentName, type SourceVolume } from './content.ts';
import { memoryProblem, toldOf } from './memory.ts';
import type { SnapshotAction, SnapshotObservation } from './plan.ts';
import { failure, IN_PROGRESS, plug, runningGuest, status, unlock } from './end.ts';
import { contentStatus, deadlineMs, indicationsOf, snapshotStatus, withIndications } from './status.ts';
import { volumeSnapshotsOf } from './volume-snapshots.ts';

interface Taking {
  readonly actions: readonly SnapshotAction[];
  readonly isOver?: boolean;
  /** The actions change what the next ones depend on. */
  readonly again?: boolean;
}

export function take(observed: SnapshotObservation): Taking {
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
