/** Phases of VMIs, migrations and volumes; what is printed of a VM, and how it is meant to run. */

export const vmiPhases = {
  unset: '',
  pending: 'Pending',
  scheduling: 'Scheduling',
  scheduled: 'Scheduled',
  running: 'Running',
  succeeded: 'Succeeded',
  failed: 'Failed',
  waitingForSync: 'WaitingForSync',
  unknown: 'Unknown',
} as const;
export type VMIPhase = (typeof vmiPhases)[keyof typeof vmiPhases];

/** True for a phase that a VMI never leaves. */
export function isFinalVmiPhase(phase: string | undefined): boolean {
  return phase === vmiPhases.succeeded || phase === vmiPhases.failed;
}

export const migrationPhases = {
  unset: '',
  pending: 'Pending',
  scheduling: 'Scheduling',
  scheduled: 'Scheduled',
  preparingTarget: 'PreparingTarget',
  targetReady: 'TargetReady',
  running: 'Running',
  succeeded: 'Succeeded',
  failed: 'Failed',
  waitingForSync: 'WaitingForSync',
  synchronizing: 'Synchronizing',
} as const;
export type MigrationPhase = (typeof migrationPhases)[keyof typeof migrationPhases];

/** True for a phase that a migration never leaves. */
export function isFinalMigrationPhase(phase: string | undefined): boolean {
  return phase === migrationPhases.succeeded || phase === migrationPhases.failed;
}

export const volumePhases = {
  pending: 'Pending',
  bound: 'Bound',
  attachedToNode: 'AttachedToNode',
  mountedToPod: 'MountedToPod',
  ready: 'Ready',
  detaching: 'Detaching',
  unmountedFromPod: 'UnMountedFromPod',
  memoryDumpInProgress: 'MemoryDumpVolumeInProgress',
  memoryDumpCompleted: 'MemoryDumpVolumeCompleted',
  memoryDumpFailed: 'MemoryDumpVolumeFailed',
} as const;

/** `status.printableStatus` of a VM, in the order in which the first match wins. */
export const printableStatuses = [
  'Terminating',
  'Stopping',
  'Migrating',
  'Paused',
  'Running',
  'ErrorPvcNotFound',
  'DataVolumeError',
  'ErrorUnschedulable',
  'Provisioning',
  'WaitingForVolumeBinding',
  'ErrImagePull',
  'ImagePullBackOff',
  'Starting',
  'CrashLoopBackOff',
  'Stopped',
  'WaitingForReceiver',
  'Unknown',
] as const;
export type PrintableStatus = (typeof printableStatuses)[number];

export const runStrategies = [
  'Always',
  'Halted',
  'Manual',
  'RerunOnFailure',
  'Once',
  'WaitAsReceiver',
] as const;
export type RunStrategy = (typeof runStrategies)[number];
