import type { TypedLocalObjectReference } from '../kubernetes/kubernetes.ts';
import type { KubernetesObject, Time } from '../kubernetes/meta.ts';
import type { VMICondition } from '../vmi/vmi-status.ts';

/** Puts a virtual machine back to a snapshot. */
export interface VirtualMachineRestore extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachineRestore';
  /** Which machine, and which snapshot. */
  readonly spec: VirtualMachineRestoreSpec;
  /** How far the restore is. */
  readonly status?: VirtualMachineRestoreStatus;
}

/** Which machine, and which snapshot. */
export interface VirtualMachineRestoreSpec {
  /** Leaves the memory of the snapshot alone: the restored machine boots. Podvisor's own. */
  readonly discardMemory?: boolean;
  /**
   * The guest gets a host name, machine id, SSH host keys, entropy and time of its own through its agent when it goes on
   * from the memory of the snapshot. Podvisor's own.
   */
  readonly newIdentity?: boolean;
  /**
   * JSON patches of the restored machine, one object each.
   * @listType atomic
   */
  readonly patches?: readonly string[];
  /** The machine to restore; another one is made when it does not exist. */
  readonly target: TypedLocalObjectReference;
  /**
   * What happens while the machine runs: StopTarget, WaitGracePeriod (default), FailImmediate or
   * WaitEventually.
   * @default "WaitGracePeriod"
   */
  readonly targetReadinessPolicy?: 'StopTarget' | 'WaitGracePeriod' | 'FailImmediate' | 'WaitEventually';
  /** The snapshot. */
  readonly virtualMachineSnapshotName: string;
  /** Who owns the restored volumes: Vm (default) or None. */
  readonly volumeOwnershipPolicy?: string;
  /**
   * Names, labels and annotations of restored volumes.
   * @listType atomic
   */
  readonly volumeRestoreOverrides?: readonly VolumeRestoreOverride[];
  /** How restored volumes are named: RandomizeNames (default), InPlace or PrefixTargetName. */
  readonly volumeRestorePolicy?: string;
}

/** Name, labels and annotations of a restored volume. */
export interface VolumeRestoreOverride {
  /** Annotations of the new claim. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Labels of the new claim. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Name of the new claim. */
  readonly restoreName?: string;
  /** Volume in the snapshot. */
  readonly volumeName?: string;
}

/** How far a restore is. */
export interface VirtualMachineRestoreStatus {
  /** True when it is done. */
  readonly complete?: boolean;
  /**
   * Ready, Progressing and Failure.
   * @listType atomic
   */
  readonly conditions?: readonly VMICondition[];
  /**
   * DataVolumes that the restore replaced.
   * @listType set
   */
  readonly deletedDataVolumes?: readonly string[];
  /** True when the machine has the memory that it goes on from; from then on it is never given it again. */
  readonly memoryPrepared?: boolean;
  /** When it was done. */
  readonly restoreTime?: Time;
  /**
   * The restored volumes.
   * @listType atomic
   */
  readonly restores?: readonly VolumeRestore[];
}

/** A restored volume. */
export interface VolumeRestore {
  /** DataVolume that was made for it. */
  readonly dataVolumeName?: string;
  /** Its new claim. */
  readonly persistentVolumeClaim: string;
  /** Its name. */
  readonly volumeName: string;
  /** The VolumeSnapshot that it came from. */
  readonly volumeSnapshotName: string;
}
