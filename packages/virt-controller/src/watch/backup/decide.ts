/**
 * The next step of a backup, from what is seen. Pure. A backup that began has `status.type`; what the node says about
 * it is in the VMI's `backupStatus`, which is there from its start until everything is tidied up.
 */
import {
  annotations,
  type BackupCheckpoint,
  type BackupOptions,
  type BackupRuntimeStatus,
  claimName,
  trackableVolumes,
  launcherPaths,
  type PersistentVolumeClaim,
  type VirtualMachine,
  type VirtualMachineBackup,
  type VirtualMachineBackupTracker,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { isQuantity, parseQuantity, goDurationMs } from '@podvisor/base';
import { isDeleting, isFinal } from '../vmi-phase.ts';
import { isTerminal } from './status.ts';
import { attachTrouble, isAttached, targetProblem, targetVolume } from './target.ts';

export interface BackupObservation {
  readonly backup: VirtualMachineBackup;
  /** The tracker that the backup names; undefined also when it names a VM. */
  readonly tracker: VirtualMachineBackupTracker | undefined;
  readonly vm: VirtualMachine | undefined;
  readonly vmi: VirtualMachineInstance | undefined;
  readonly nowMs: number;
  /** Claims of the namespace. */
  claim(name: string): PersistentVolumeClaim | undefined;
}

export type BackupStep =
  | { readonly kind: 'nothing' }
  /** It has ended, and the VMI still speaks of it. */
  | { readonly kind: 'tidy' }
  /** Ended and deleted: it may go. */
  | { readonly kind: 'release' }
  /** Something outside has to change first. */
  | { readonly kind: 'wait'; readonly message: string }
  | {
      readonly kind: 'fail';
      readonly reason: string;
      readonly message: string;
      /** Asked of the node first, should it have begun. */
      readonly abort?: BackupOptions;
    }
  /** The tracker's checkpoint is of no use: the backup will be a full one. */
  | { readonly kind: 'forget-checkpoint'; readonly why: string }
  | { readonly kind: 'attach'; readonly volume: string; readonly claim: string; readonly message: string }
  | { readonly kind: 'start'; readonly options: BackupOptions; readonly since: BackupCheckpoint | undefined }
  | { readonly kind: 'follow'; readonly runtime: BackupRuntimeStatus }
  /** It waits for a reader, until `endsMs`. */
  | { readonly kind: 'serve'; readonly runtime: BackupRuntimeStatus; readonly endsMs: number }
  | { readonly kind: 'abort'; readonly options: BackupOptions; readonly runtime: BackupRuntimeStatus }
  | { readonly kind: 'finish'; readonly runtime: BackupRuntimeStatus };

const TRACKER = 'VirtualMachineBackupTracker';

const DEFAULT_TTL_MS = 2 * 3_600_000;

/** A client reads it, as opposed to being written into a claim. */
export function isPulled({ spec }: VirtualMachineBackup): boolean {
  return spec.mode === 'Pull';
}

/** When a backup that is pulled ends by itself. */
export function lastsUntilMs({ metadata, spec }: VirtualMachineBackup): number {
  const ttlMs = goDurationMs(spec.ttlDuration) ?? DEFAULT_TTL_MS;
  return Date.parse(metadata?.creationTimestamp ?? '') + ttlMs;
}

/** Name of the VM. */
export function sourceName({ backup, tracker }: Pick<BackupObservation, 'backup' | 'tracker'>): string {
  return tracker?.spec.source.name ?? backup.spec.source.name;
}

export function decide(observed: BackupObservation): BackupStep {
  const { backup, tracker, vmi } = observed;
  const deleting = backup.metadata?.deletionTimestamp !== undefined;
  const runtime = vmi?.status?.changedBlockTracking?.backupStatus ?? undefined;
  const isOurs =
    runtime?.backupName === backup.metadata?.name &&
    runtime?.startTimestamp === backup.metadata?.creationTimestamp;
  if (isTerminal(backup)) {
    if (vmi !== undefined && runtime !== undefined && isOurs) return { kind: 'tidy' };
    return deleting ? { kind: 'release' } : { kind: 'nothing' };
  }
  if (backup.spec.source.kind === TRACKER && tracker === undefined)
    return deleting ? { kind: 'release' } : wait(`BackupTracker ${backup.spec.source.name} does not exist`);
  if (vmi !== undefined && runtime !== undefined && isOurs)
    return runtime.completed === true
      ? { kind: 'finish', runtime }
      : active(observed, vmi, runtime, deleting);
  if (deleting) return beforeStart(backup, vmi);
  if (backup.status?.type !== undefined)
    return {
      kind: 'fail',
      reason: 'SourceLost',
      message: vmi === undefined ? 'VMI was deleted during backup' : 'VMI backup status was lost',
    };
  return begin(observed, runtime);
}

function beforeStart(backup: VirtualMachineBackup, vmi: VirtualMachineInstance | undefined): BackupStep {
  if (vmi === undefined) return { kind: 'release' };
  const mayRun = isAttached(vmi, targetVolume(backup.metadata?.name ?? ''));
  return {
    kind: 'fail',
    reason: 'DeletedDuringInit',
    message: 'backup was deleted during initialization',
    ...(mayRun ? { abort: { ...identity(backup), cmd: 'Abort' } } : {}),
  };
}

function active(
  { backup, nowMs }: BackupObservation,
  vmi: VirtualMachineInstance,
  runtime: BackupRuntimeStatus,
  deleting: boolean,
): BackupStep {
  if (isFinal(vmi) || isDeleting(vmi))
    return {
      kind: 'fail',
      reason: 'SourceUnhealthy',
      message: `VMI is not in a running state: ${vmi.status?.phase ?? ''}`,
    };
  const endsMs = isPulled(backup) ? lastsUntilMs(backup) : undefined;
  if (deleting || (endsMs !== undefined && nowMs >= endsMs))
    return { kind: 'abort', options: { ...identity(backup), cmd: 'Abort' }, runtime };
  return endsMs === undefined ? { kind: 'follow', runtime } : { kind: 'serve', runtime, endsMs };
}

function begin(observed: BackupObservation, other: BackupRuntimeStatus | undefined): BackupStep {
  const { backup, tracker, vm, vmi } = observed;
  const name = sourceName(observed);
  if (vm === undefined) return wait(`VM ${backup.metadata?.namespace}/${name} doesnt exist`);
  if (vmi === undefined || isFinal(vmi) || isDeleting(vmi))
    return wait(`vm ${name} is not running, cannot do backup`);
  const volumes = trackableVolumes(vmi.spec);
  if (volumes.length === 0) return wait(`vm ${name} has no volumes to backup`);
  if (vmi.status?.changedBlockTracking?.state !== 'Enabled')
    return wait(`vm ${name} has no ChangedBlockTracking, cannot start backup`);
  if (isMigrating(vmi))
    return wait(
      `vm ${name} is currently migrating, waiting for migration to complete before starting backup`,
    );
  if (other !== undefined)
    return wait(`backup ${other.backupName} of vm ${name} is in progress: one runs at a time`);
  const since = backup.spec.forceFullBackup === true ? undefined : tracker?.status?.latestCheckpoint;
  const replaced = since === undefined ? undefined : replacedSince(since, vmi, observed);
  if (replaced !== undefined) return { kind: 'forget-checkpoint', why: replaced };
  const claim = backup.spec.pvcName ?? '';
  const problem = targetProblem(claim, observed.claim(claim), vmi);
  if (problem !== undefined) return wait(problem);
  const volume = targetVolume(backup.metadata?.name ?? '');
  if (!isAttached(vmi, volume)) {
    const message = attachTrouble(vmi, volume) ?? `attaching backup target pvc ${claim} to vmi ${name}`;
    return { kind: 'attach', volume, claim, message };
  }
  const old = tracker?.status?.latestCheckpoint?.name;
  const limit = limitOf(backup);
  if (limit === 'invalid')
    return wait(`annotation ${annotations.backupBandwidth} must be a quantity of bytes a second, e.g. 50Mi`);
  return {
    kind: 'start',
    since,
    options: {
      ...identity(backup),
      cmd: 'Start',
      mode: isPulled(backup) ? 'Pull' : 'Push',
      targetPath: `${launcherPaths().hotplugDisks}/${volume}`,
      skipQuiesce: backup.spec.skipQuiesce === true,
      checkpoint: tracker !== undefined,
      ...(since?.name === undefined
        ? {}
        : {
            incremental: since.name,
            ...(since.volumes === undefined
              ? {}
              : { incrementalVolumes: since.volumes.map(({ volumeName }) => volumeName) }),
          }),
      ...(old === undefined ? {} : { supersedes: old }),
      ...(limit === undefined ? {} : { bytesPerSecond: limit }),
    },
  };
}

/** What may be read from each disk, a second. */
function limitOf({ metadata }: VirtualMachineBackup): number | 'invalid' | undefined {
  const text = metadata?.annotations?.[annotations.backupBandwidth];
  if (text === undefined) return undefined;
  const bytes = isQuantity(text) ? parseQuantity(text).value() : 0;
  return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : 'invalid';
}

/** A claim that was made after the checkpoint holds other data than the bitmaps know of. */
function replacedSince(
  { name, creationTime, volumes }: BackupCheckpoint,
  vmi: VirtualMachineInstance,
  { claim }: BackupObservation,
): string | undefined {
  const covered = new Set(volumes?.map(({ volumeName }) => volumeName));
  for (const volume of trackableVolumes(vmi.spec)) {
    const found = claim(claimName(volume) ?? '');
    if (found === undefined || !covered.has(volume.name)) continue;
    if (Date.parse(found.metadata.creationTimestamp ?? '') > Date.parse(String(creationTime)))
      return `PVC ${found.metadata.name} is younger than checkpoint ${name}`;
  }
  return undefined;
}

function isMigrating({ status }: VirtualMachineInstance): boolean {
  const state = status?.migrationState;
  return state?.startTimestamp != null && state.completed !== true && state.failed !== true;
}

function identity({ metadata }: VirtualMachineBackup): Pick<BackupOptions, 'backupName' | 'backupStartTime'> {
  return { backupName: metadata?.name ?? '', backupStartTime: metadata?.creationTimestamp ?? '' };
}

function wait(message: string): BackupStep {
  return { kind: 'wait', message };
}
