import type { Json, KubernetesObject, Time } from './meta.ts';
import type { DataSource, Pvc, VMSpec, VMStatus } from './vm.ts';
import type { VMICondition } from './vmi-status.ts';

/** - */
export interface VirtualMachineSnapshot extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachineSnapshot';
  /**
   * -
   */
  readonly spec: VirtualMachineSnapshotSpec;
  /**
   * -
   */
  readonly status?: VirtualMachineSnapshotStatus;
}

/** - */
export interface VirtualMachineSnapshotSpec {
  /**
   * -
   */
  readonly deletionPolicy?: string;
  /**
   * -
   */
  readonly failureDeadline?: string;
  /**
   * -
   * @mapType atomic
   */
  readonly source: DataSource;
}

/** - */
export interface VirtualMachineSnapshotStatus {
  /**
   * -
   * @listType atomic
   */
  readonly conditions?: readonly VMICondition[];
  /**
   * -
   * @nullable
   */
  readonly creationTime?: Time;
  /**
   * -
   */
  readonly error?: Error;
  /**
   * -
   * @listType set
   */
  readonly indications?: readonly string[];
  /**
   * -
   */
  readonly phase?: string;
  /**
   * -
   */
  readonly readyToUse?: boolean;
  /**
   * -
   */
  readonly snapshotVolumes?: SnapshotVolumes;
  /**
   * -
   * @listType atomic
   */
  readonly sourceIndications?: readonly SourceIndications[];
  /**
   * -
   */
  readonly sourceUID?: string;
  /**
   * -
   */
  readonly virtualMachineSnapshotContentName?: string;
}

/** - */
export interface Error {
  /**
   * -
   */
  readonly message?: string;
  /**
   * -
   */
  readonly time?: Time;
}

/** - */
export interface SnapshotVolumes {
  /**
   * -
   * @listType set
   */
  readonly excludedVolumes?: readonly string[];
  /**
   * -
   * @listType set
   */
  readonly includedVolumes?: readonly string[];
}

/** - */
export interface SourceIndications {
  /**
   * -
   */
  readonly indication: string;
  /**
   * -
   */
  readonly message: string;
}

/** - */
export interface VirtualMachineSnapshotContent extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachineSnapshotContent';
  /**
   * -
   */
  readonly spec: VirtualMachineSnapshotContentSpec;
  /**
   * -
   */
  readonly status?: VirtualMachineSnapshotContentStatus;
}

/** - */
export interface VirtualMachineSnapshotContentSpec {
  /**
   * -
   */
  readonly source: SpecSource;
  /**
   * -
   */
  readonly virtualMachineSnapshotName?: string;
  /**
   * -
   * @listType atomic
   */
  readonly volumeBackups?: readonly VolumeBackups[];
}

/** - */
export interface SpecSource {
  /**
   * -
   */
  readonly virtualMachine?: SourceVirtualMachine;
}

/** - */
export interface SourceVirtualMachine {
  /**
   * -
   * @nullable
   */
  readonly metadata?: Json;
  /**
   * -
   */
  readonly spec?: VMSpec;
  /**
   * -
   */
  readonly status?: VMStatus;
}

/** - */
export interface VolumeBackups {
  /**
   * -
   */
  readonly persistentVolumeClaim: PersistentVolumeClaim;
  /**
   * -
   */
  readonly volumeName: string;
  /**
   * -
   */
  readonly volumeSnapshotName?: string;
}

/** - */
export interface PersistentVolumeClaim {
  /**
   * -
   */
  readonly metadata?: Json;
  /**
   * -
   */
  readonly spec?: Pvc;
}

/** - */
export interface VirtualMachineSnapshotContentStatus {
  /**
   * -
   * @nullable
   */
  readonly creationTime?: Time;
  /**
   * -
   */
  readonly error?: Error;
  /**
   * -
   */
  readonly readyToUse?: boolean;
  /**
   * -
   * @listType atomic
   */
  readonly volumeSnapshotStatus?: readonly VolumeSnapshotStatus[];
}

/** - */
export interface VolumeSnapshotStatus {
  /**
   * -
   * @nullable
   */
  readonly creationTime?: Time;
  /**
   * -
   */
  readonly error?: Error;
  /**
   * -
   */
  readonly readyToUse?: boolean;
  /**
   * -
   */
  readonly volumeSnapshotName: string;
}

/** - */
export interface VirtualMachineRestore extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachineRestore';
  /**
   * -
   */
  readonly spec: VirtualMachineRestoreSpec;
  /**
   * -
   */
  readonly status?: VirtualMachineRestoreStatus;
}

/** - */
export interface VirtualMachineRestoreSpec {
  /**
   * -
   * @listType atomic
   */
  readonly patches?: readonly string[];
  /**
   * -
   * @mapType atomic
   */
  readonly target: DataSource;
  /**
   * -
   * @default WaitGracePeriod
   */
  readonly targetReadinessPolicy?: 'StopTarget' | 'WaitGracePeriod' | 'FailImmediate' | 'WaitEventually';
  /**
   * -
   */
  readonly virtualMachineSnapshotName: string;
  /**
   * -
   */
  readonly volumeOwnershipPolicy?: string;
  /**
   * -
   * @listType atomic
   */
  readonly volumeRestoreOverrides?: readonly VolumeRestoreOverrides[];
  /**
   * -
   */
  readonly volumeRestorePolicy?: string;
}

/** - */
export interface VolumeRestoreOverrides {
  /**
   * -
   */
  readonly annotations?: Readonly<Record<string, string>>;
  /**
   * -
   */
  readonly labels?: Readonly<Record<string, string>>;
  /**
   * -
   */
  readonly restoreName?: string;
  /**
   * -
   */
  readonly volumeName?: string;
}

/** - */
export interface VirtualMachineRestoreStatus {
  /**
   * -
   */
  readonly complete?: boolean;
  /**
   * -
   * @listType atomic
   */
  readonly conditions?: readonly VMICondition[];
  /**
   * -
   * @listType set
   */
  readonly deletedDataVolumes?: readonly string[];
  /**
   * -
   */
  readonly restoreTime?: Time;
  /**
   * -
   * @listType atomic
   */
  readonly restores?: readonly Restores[];
}

/** - */
export interface Restores {
  /**
   * -
   */
  readonly dataVolumeName?: string;
  /**
   * -
   */
  readonly persistentVolumeClaim: string;
  /**
   * -
   */
  readonly volumeName: string;
  /**
   * -
   */
  readonly volumeSnapshotName: string;
}
