import type { PersistentVolumeClaimSpec, TypedLocalObjectReference } from '../kubernetes/kubernetes.ts';
import type { EmbeddedObjectMeta, Int64, KubernetesObject, Time } from '../kubernetes/meta.ts';
import type { HibernatedInterface, VMStatus } from '../vm/vm-status.ts';
import type { VMSpec } from '../vm/vm.ts';
import type { VMICondition } from '../vmi/vmi-status.ts';

/** A snapshot of a virtual machine: its spec and its volumes. */
export interface VirtualMachineSnapshot extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachineSnapshot';
  /** What is snapshotted. */
  readonly spec: VirtualMachineSnapshotSpec;
  /** How far the snapshot is. */
  readonly status?: VirtualMachineSnapshotStatus;
}

/** What is snapshotted. */
export interface VirtualMachineSnapshotSpec {
  /** Whether the content goes with the snapshot: Delete (default) or Retain. */
  readonly deletionPolicy?: string;
  /** Time after which the snapshot has failed; 5m when unset, 0 for never. */
  readonly failureDeadline?: string;
  /**
   * Takes the memory of the running guest too, of the same instant as its volumes: a restore then goes on from there.
   * Podvisor's own.
   */
  readonly includeMemory?: boolean;
  /** The virtual machine. */
  readonly source: TypedLocalObjectReference;
}

/** How far a snapshot is. */
export interface VirtualMachineSnapshotStatus {
  /**
   * Ready, Progressing and Failure.
   * @listType atomic
   */
  readonly conditions?: readonly VMICondition[];
  /**
   * When the snapshot was taken.
   * @nullable
   */
  readonly creationTime?: Time;
  /** The last error. */
  readonly error?: SnapshotError;
  /**
   * Old form of sourceIndications.
   * @listType set
   */
  readonly indications?: readonly string[];
  /**
   * The memory of the guest, where it was asked for. Podvisor's own.
   * @nullable
   */
  readonly memory?: SnapshotMemory;
  /** InProgress, Succeeded, Failed, Deleting or Unknown. */
  readonly phase?: string;
  /** Whether it can be restored. */
  readonly readyToUse?: boolean;
  /** Which volumes are in it. */
  readonly snapshotVolumes?: SnapshotVolumes;
  /**
   * What was special: Online, GuestAgent, NoGuestAgent, QuiesceTimeout, Paused.
   * @listType atomic
   */
  readonly sourceIndications?: readonly SourceIndication[];
  /** UID of the machine. */
  readonly sourceUID?: string;
  /** Object that holds the content. */
  readonly virtualMachineSnapshotContentName?: string;
}

/** The memory in a snapshot. */
export interface SnapshotMemory {
  /** Claim that holds it, encrypted. */
  readonly claimName: string;
  /** How long the guest stood still. */
  readonly pauseMilliseconds?: Int64;
  /** Bytes that it takes. */
  readonly sizeBytes?: Int64;
}

/** An error. */
export interface SnapshotError {
  /** What happened. */
  readonly message?: string;
  /** When. */
  readonly time?: Time;
}

/** Which volumes are in a snapshot. */
export interface SnapshotVolumes {
  /**
   * Volumes that cannot be snapshotted.
   * @listType set
   */
  readonly excludedVolumes?: readonly string[];
  /**
   * Volumes that are in it.
   * @listType set
   */
  readonly includedVolumes?: readonly string[];
}

/** Something special about the source. */
export interface SourceIndication {
  /** Its name. */
  readonly indication: string;
  /** What it means. */
  readonly message: string;
}

/** The content of a snapshot. */
export interface VirtualMachineSnapshotContent extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachineSnapshotContent';
  /** The machine and its volumes. */
  readonly spec: VirtualMachineSnapshotContentSpec;
  /** Whether it can be restored. */
  readonly status?: VirtualMachineSnapshotContentStatus;
}

/** The machine and its volumes at the time of the snapshot. */
export interface VirtualMachineSnapshotContentSpec {
  /**
   * The memory of the guest, where it was asked for. Podvisor's own.
   * @nullable
   */
  readonly memoryBackup?: MemoryBackup;
  /** The machine. */
  readonly source: SnapshotContentSource;
  /** The snapshot that this content belongs to. */
  readonly virtualMachineSnapshotName?: string;
  /**
   * The volumes.
   * @listType atomic
   */
  readonly volumeBackups?: readonly VolumeBackup[];
}

/** What was snapshotted. */
export interface SnapshotContentSource {
  /** The virtual machine. */
  readonly virtualMachine?: SnapshotVirtualMachine;
}

/** A virtual machine at the time of the snapshot. */
export interface SnapshotVirtualMachine {
  /**
   * Its metadata.
   * @nullable
   */
  readonly metadata?: EmbeddedObjectMeta;
  /** Its spec. */
  readonly spec?: VMSpec;
  /** Its status. */
  readonly status?: VMStatus;
}

/** The memory of a guest in a snapshot. */
export interface MemoryBackup {
  /** Claim that holds it, encrypted. */
  readonly claimName: string;
  /** True when the agent of the guest answered: copies can be given an identity of their own. */
  readonly hasGuestAgent?: boolean;
  /**
   * MAC addresses that the guest knows its interfaces by.
   * @listType atomic
   */
  readonly interfaces?: readonly HibernatedInterface[];
  /** The instance whose memory it is. */
  readonly vmiUID: string;
}

/** A volume in a snapshot. */
export interface VolumeBackup {
  /** Its claim. */
  readonly persistentVolumeClaim: SnapshotPersistentVolumeClaim;
  /** Its name. */
  readonly volumeName: string;
  /** The VolumeSnapshot that holds its data. */
  readonly volumeSnapshotName?: string;
}

/** A claim at the time of the snapshot. */
export interface SnapshotPersistentVolumeClaim {
  /** Its metadata. */
  readonly metadata?: EmbeddedObjectMeta;
  /** Its spec. */
  readonly spec?: PersistentVolumeClaimSpec;
}

/** Whether the content of a snapshot can be restored. */
export interface VirtualMachineSnapshotContentStatus {
  /**
   * When the snapshot was taken.
   * @nullable
   */
  readonly creationTime?: Time;
  /** The last error. */
  readonly error?: SnapshotError;
  /** Whether it can be restored. */
  readonly readyToUse?: boolean;
  /**
   * State of every VolumeSnapshot.
   * @listType atomic
   */
  readonly volumeSnapshotStatus?: readonly VolumeSnapshotStatus[];
}

/** State of a VolumeSnapshot. */
export interface VolumeSnapshotStatus {
  /**
   * When it was taken.
   * @nullable
   */
  readonly creationTime?: Time;
  /** The last error. */
  readonly error?: SnapshotError;
  /** Whether it can be restored. */
  readonly readyToUse?: boolean;
  /** Its name. */
  readonly volumeSnapshotName: string;
}
