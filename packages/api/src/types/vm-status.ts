import type { Disk } from './disk.ts';
import type { Int, Int64, Time } from './meta.ts';
import type { MigratedVolume } from './migration-state.ts';
import type { ChangedBlockTrackingStatus, VMCondition } from './vmi-status.ts';
import type { DataVolumeSource, PersistentVolumeClaimVolumeSource } from './volume.ts';

/** - */
export interface VMStatus {
  /**
   * -
   * @nullable
   */
  readonly changedBlockTracking?: ChangedBlockTrackingStatus;
  /** - */
  readonly conditions?: readonly VMCondition[];
  /** - */
  readonly created?: boolean;
  /** - */
  readonly desiredGeneration?: Int64;
  /**
   * -
   * @nullable
   */
  readonly instancetypeRef?: InstancetypeStatusRef;
  /**
   * -
   * @nullable
   */
  readonly memoryDumpRequest?: VMMemoryDumpRequest;
  /** - */
  readonly observedGeneration?: Int64;
  /**
   * -
   * @nullable
   */
  readonly preferenceRef?: InstancetypeStatusRef;
  /**
   * -
   * @default "Stopped"
   */
  readonly printableStatus?: string;
  /** - */
  readonly ready?: boolean;
  /** - */
  readonly restoreInProgress?: string;
  /** - */
  readonly runStrategy?: string;
  /** - */
  readonly snapshotInProgress?: string;
  /**
   * -
   * @nullable
   */
  readonly startFailure?: VMStartFailure;
  /** - */
  readonly stateChangeRequests?: readonly StateChangeRequest[];
  /**
   * -
   * @listType atomic
   */
  readonly volumeRequests?: readonly VolumeRequest[];
  /** - */
  readonly volumeSnapshotStatuses?: readonly VMVolumeSnapshotStatus[];
  /** - */
  readonly volumeUpdateState?: VolumeUpdateState;
}

/** - */
export interface InstancetypeStatusRef {
  /** - */
  readonly controllerRevisionRef?: ControllerRevisionRef;
  /** - */
  readonly inferFromVolume?: string;
  /** - */
  readonly inferFromVolumeFailurePolicy?: string;
  /** - */
  readonly kind?: string;
  /** - */
  readonly name?: string;
}

/** - */
export interface ControllerRevisionRef {
  /** - */
  readonly name?: string;
}

/** - */
export interface VMMemoryDumpRequest {
  /** - */
  readonly claimName: string;
  /** - */
  readonly endTimestamp?: Time;
  /** - */
  readonly fileName?: string;
  /** - */
  readonly message?: string;
  /** - */
  readonly phase: string;
  /** - */
  readonly remove?: boolean;
  /** - */
  readonly startTimestamp?: Time;
}

/** - */
export interface VMStartFailure {
  /** - */
  readonly consecutiveFailCount?: Int;
  /** - */
  readonly lastFailedVMIUID?: string;
  /** - */
  readonly retryAfterTimestamp?: Time;
}

/** - */
export interface StateChangeRequest {
  /** - */
  readonly action: string;
  /** - */
  readonly data?: Readonly<Record<string, string>>;
  /** - */
  readonly uid?: string;
}

/** - */
export interface VolumeRequest {
  /** - */
  readonly addVolumeOptions?: AddVolumeOptions;
  /** - */
  readonly removeVolumeOptions?: RemoveVolumeOptions;
}

/** - */
export interface AddVolumeOptions {
  /** - */
  readonly disk: Disk;
  /**
   * -
   * @listType atomic
   */
  readonly dryRun?: readonly string[];
  /** - */
  readonly name: string;
  /** - */
  readonly volumeSource: HotplugVolumeSource;
}

/** - */
export interface HotplugVolumeSource {
  /** - */
  readonly dataVolume?: DataVolumeSource;
  /** - */
  readonly persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
}

/** - */
export interface RemoveVolumeOptions {
  /**
   * -
   * @listType atomic
   */
  readonly dryRun?: readonly string[];
  /** - */
  readonly name: string;
}

/** - */
export interface VMVolumeSnapshotStatus {
  /** - */
  readonly enabled: boolean;
  /** - */
  readonly name: string;
  /** - */
  readonly reason?: string;
}

/** - */
export interface VolumeUpdateState {
  /** - */
  readonly volumeMigrationState?: VolumeMigrationState;
}

/** - */
export interface VolumeMigrationState {
  /**
   * -
   * @listType atomic
   */
  readonly migratedVolumes?: readonly MigratedVolume[];
}
