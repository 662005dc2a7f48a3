import type { PersistentVolumeClaimSpec, TypedLocalObjectReference } from './kubernetes.ts';
import type { EmbeddedObjectMeta, KubernetesObject, Time } from './meta.ts';
import type { VMStatus } from './vm-status.ts';
import type { VMSpec } from './vm.ts';
import type { VMICondition } from './vmi-status.ts';

/** - */
export interface VirtualMachineSnapshot extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachineSnapshot';
  /** - */
  readonly spec: VirtualMachineSnapshotSpec;
  /** - */
  readonly status?: VirtualMachineSnapshotStatus;
}

/** - */
export interface VirtualMachineSnapshotSpec {
  /** - */
  readonly deletionPolicy?: string;
  /** - */
  readonly failureDeadline?: string;
  /** - */
  readonly source: TypedLocalObjectReference;
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
  /** - */
  readonly error?: SnapshotError;
  /**
   * -
   * @listType set
   */
  readonly indications?: readonly string[];
  /** - */
  readonly phase?: string;
  /** - */
  readonly readyToUse?: boolean;
  /** - */
  readonly snapshotVolumes?: SnapshotVolumes;
  /**
   * -
   * @listType atomic
   */
  readonly sourceIndications?: readonly SourceIndication[];
  /** - */
  readonly sourceUID?: string;
  /** - */
  readonly virtualMachineSnapshotContentName?: string;
}

/** - */
export interface SnapshotError {
  /** - */
  readonly message?: string;
  /** - */
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
export interface SourceIndication {
  /** - */
  readonly indication: string;
  /** - */
  readonly message: string;
}

/** - */
export interface VirtualMachineSnapshotContent extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachineSnapshotContent';
  /** - */
  readonly spec: VirtualMachineSnapshotContentSpec;
  /** - */
  readonly status?: VirtualMachineSnapshotContentStatus;
}

/** - */
export interface VirtualMachineSnapshotContentSpec {
  /** - */
  readonly source: SnapshotContentSource;
  /** - */
  readonly virtualMachineSnapshotName?: string;
  /**
   * -
   * @listType atomic
   */
  readonly volumeBackups?: readonly VolumeBackup[];
}

/** - */
export interface SnapshotContentSource {
  /** - */
  readonly virtualMachine?: SnapshotVirtualMachine;
}

/** - */
export interface SnapshotVirtualMachine {
  /**
   * -
   * @nullable
   */
  readonly metadata?: EmbeddedObjectMeta;
  /** - */
  readonly spec?: VMSpec;
  /** - */
  readonly status?: VMStatus;
}

/** - */
export interface VolumeBackup {
  /** - */
  readonly persistentVolumeClaim: SnapshotPersistentVolumeClaim;
  /** - */
  readonly volumeName: string;
  /** - */
  readonly volumeSnapshotName?: string;
}

/** - */
export interface SnapshotPersistentVolumeClaim {
  /** - */
  readonly metadata?: EmbeddedObjectMeta;
  /** - */
  readonly spec?: PersistentVolumeClaimSpec;
}

/** - */
export interface VirtualMachineSnapshotContentStatus {
  /**
   * -
   * @nullable
   */
  readonly creationTime?: Time;
  /** - */
  readonly error?: SnapshotError;
  /** - */
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
  /** - */
  readonly error?: SnapshotError;
  /** - */
  readonly readyToUse?: boolean;
  /** - */
  readonly volumeSnapshotName: string;
}
