import type { TypedLocalObjectReference } from './kubernetes.ts';
import type { KubernetesObject, Time } from './meta.ts';
import type { VMICondition } from './vmi-status.ts';

/** - */
export interface VirtualMachineRestore extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachineRestore';
  /** - */
  readonly spec: VirtualMachineRestoreSpec;
  /** - */
  readonly status?: VirtualMachineRestoreStatus;
}

/** - */
export interface VirtualMachineRestoreSpec {
  /**
   * -
   * @listType atomic
   */
  readonly patches?: readonly string[];
  /** - */
  readonly target: TypedLocalObjectReference;
  /**
   * -
   * @default "WaitGracePeriod"
   */
  readonly targetReadinessPolicy?: 'StopTarget' | 'WaitGracePeriod' | 'FailImmediate' | 'WaitEventually';
  /** - */
  readonly virtualMachineSnapshotName: string;
  /** - */
  readonly volumeOwnershipPolicy?: string;
  /**
   * -
   * @listType atomic
   */
  readonly volumeRestoreOverrides?: readonly VolumeRestoreOverride[];
  /** - */
  readonly volumeRestorePolicy?: string;
}

/** - */
export interface VolumeRestoreOverride {
  /** - */
  readonly annotations?: Readonly<Record<string, string>>;
  /** - */
  readonly labels?: Readonly<Record<string, string>>;
  /** - */
  readonly restoreName?: string;
  /** - */
  readonly volumeName?: string;
}

/** - */
export interface VirtualMachineRestoreStatus {
  /** - */
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
  /** - */
  readonly restoreTime?: Time;
  /**
   * -
   * @listType atomic
   */
  readonly restores?: readonly VolumeRestore[];
}

/** - */
export interface VolumeRestore {
  /** - */
  readonly dataVolumeName?: string;
  /** - */
  readonly persistentVolumeClaim: string;
  /** - */
  readonly volumeName: string;
  /** - */
  readonly volumeSnapshotName: string;
}
