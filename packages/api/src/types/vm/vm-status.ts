import type { Disk } from '../vmi/disk.ts';
import type { Int, Int64, Time } from '../kubernetes/meta.ts';
import type { MigratedVolume } from '../migration/migration-state.ts';
import type { ChangedBlockTrackingStatus, VMCondition } from '../vmi/vmi-status.ts';
import type { DataVolumeSource, PersistentVolumeClaimVolumeSource } from '../vmi/volume.ts';

/** What is known of a virtual machine. */
export interface VMStatus {
  /**
   * Whether changed blocks are tracked for incremental backups.
   * @nullable
   */
  readonly changedBlockTracking?: ChangedBlockTrackingStatus;
  /** Ready, Paused, Failure and other conditions, including those of the running instance. */
  readonly conditions?: readonly VMCondition[];
  /** True while an instance exists that has not ended. */
  readonly created?: boolean;
  /** Generation of the spec that the user wants to run. */
  readonly desiredGeneration?: Int64;
  /**
   * The hibernation that is under way, or the state that the guest wakes from at its next start. Podvisor's own.
   * @nullable
   */
  readonly hibernation?: VMHibernation;
  /**
   * The instance type in use and the revision that was captured.
   * @nullable
   */
  readonly instancetypeRef?: InstancetypeStatusRef;
  /**
   * The memory dump that was asked for, if any.
   * @nullable
   */
  readonly memoryDumpRequest?: VMMemoryDumpRequest;
  /** Generation of the spec that the running instance was started from. */
  readonly observedGeneration?: Int64;
  /**
   * The preference in use and the revision that was captured.
   * @nullable
   */
  readonly preferenceRef?: InstancetypeStatusRef;
  /**
   * The state in one word, for people: Stopped, Starting, Running, Migrating, CrashLoopBackOff and
   * others.
   * @default "Stopped"
   */
  readonly printableStatus?: string;
  /** True while the guest runs and is ready. */
  readonly ready?: boolean;
  /** Name of the restore that is under way. */
  readonly restoreInProgress?: string;
  /** The run strategy that is in effect. */
  readonly runStrategy?: string;
  /** Name of the snapshot that is under way. */
  readonly snapshotInProgress?: string;
  /**
   * How often the start failed in a row and when the next try is due.
   * @nullable
   */
  readonly startFailure?: VMStartFailure;
  /** Requests to start or stop that wait to be handled, oldest first. */
  readonly stateChangeRequests?: readonly StateChangeRequest[];
  /**
   * Volumes that wait to be plugged or unplugged.
   * @listType atomic
   */
  readonly volumeRequests?: readonly VolumeRequest[];
  /** Whether each volume can be snapshotted. */
  readonly volumeSnapshotStatuses?: readonly VMVolumeSnapshotStatus[];
  /** How far a change of volumes has come. */
  readonly volumeUpdateState?: VolumeUpdateState;
}

/** The instance type or preference that is in effect. */
export interface InstancetypeStatusRef {
  /** The revision that holds the object as it was when it was captured. */
  readonly controllerRevisionRef?: ControllerRevisionRef;
  /** Volume from which the name was inferred. */
  readonly inferFromVolume?: string;
  /** What happens when nothing can be inferred. */
  readonly inferFromVolumeFailurePolicy?: string;
  /** Kind of the object. */
  readonly kind?: string;
  /** Name of the object. */
  readonly name?: string;
}

/** Names a ControllerRevision. */
export interface ControllerRevisionRef {
  /** Name of the ControllerRevision. */
  readonly name?: string;
}

/** A dump of the guest's memory into a claim. */
export interface VMMemoryDumpRequest {
  /** Claim that receives the dump. */
  readonly claimName: string;
  /** When the dump ended. */
  readonly endTimestamp?: Time;
  /** File in the claim that holds the dump. */
  readonly fileName?: string;
  /** Why the dump failed. */
  readonly message?: string;
  /** How far it is: Associating, InProgress, Unmounting, Completed, Dissociating or Failed. */
  readonly phase: string;
  /** True when the claim is to be detached again. */
  readonly remove?: boolean;
  /** When the dump began. */
  readonly startTimestamp?: Time;
}

/** A guest whose memory is, or will be, on a claim. */
export interface VMHibernation {
  /** Claim with the state of the guest. */
  readonly claimName: string;
  /** When the guest had been saved. */
  readonly hibernatedTimestamp?: Time;
  /** MAC addresses that the guest knows its interfaces by. */
  readonly interfaces?: readonly HibernatedInterface[];
  /** True while the virtual machine stays off, whatever its run strategy says, until it is started by name. */
  readonly isHeld?: boolean;
  /** True when the state is the memory of a snapshot, and the disks were restored with it. */
  readonly isOfSnapshot?: boolean;
  /** True when the state is known to be whole; otherwise the next start finds out. */
  readonly isWhole?: boolean;
  /** Why it failed, or why the state was not loaded. */
  readonly message?: string;
  /** True when the guest gets an identity of its own through its agent before it counts as running. */
  readonly newIdentity?: boolean;
  /** Saving, Hibernated or Failed. */
  readonly phase: string;
  /** Why the state was not loaded: StateDamaged, StateMissing, StateDoesNotFit or StateInUse. */
  readonly reason?: string;
  /** When hibernation was asked for. */
  readonly requestTimestamp?: Time;
  /** Bytes that the state takes. */
  readonly sizeBytes?: Int64;
  /** The instance that was hibernated. */
  readonly vmiUID: string;
}

/** An interface of a guest that hibernates. */
export interface HibernatedInterface {
  /** MAC address. */
  readonly mac: string;
  /** Name in the specification. */
  readonly name: string;
}

/** Failed starts in a row. */
export interface VMStartFailure {
  /** How many starts failed in a row. */
  readonly consecutiveFailCount?: Int;
  /** The instance that failed last. */
  readonly lastFailedVMIUID?: string;
  /** When the next start is tried. */
  readonly retryAfterTimestamp?: Time;
}

/** A request to start or stop the guest. */
export interface StateChangeRequest {
  /** Start, Stop or Hibernate. */
  readonly action: string;
  /** Details of the request, such as paused. */
  readonly data?: Readonly<Record<string, string>>;
  /** The instance to stop or to hibernate; a request without it is ignored. */
  readonly uid?: string;
}

/** A volume to plug or unplug; one of the two options is set. */
export interface VolumeRequest {
  /** The volume to plug. */
  readonly addVolumeOptions?: AddVolumeOptions;
  /** The volume to unplug. */
  readonly removeVolumeOptions?: RemoveVolumeOptions;
}

/** A volume to plug and the disk that shows it to the guest. */
export interface AddVolumeOptions {
  /** The disk that shows the volume to the guest. */
  readonly disk: Disk;
  /**
   * All to check the request without doing it.
   * @listType atomic
   */
  readonly dryRun?: readonly string[];
  /** Name of the new volume and disk. */
  readonly name: string;
  /** Where the data comes from. */
  readonly volumeSource: HotplugVolumeSource;
}

/** Source of a plugged volume; one is set. */
export interface HotplugVolumeSource {
  /** A DataVolume of the same namespace. */
  readonly dataVolume?: DataVolumeSource;
  /** A PersistentVolumeClaim of the same namespace. */
  readonly persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
}

/** A volume to unplug. */
export interface RemoveVolumeOptions {
  /**
   * All to check the request without doing it.
   * @listType atomic
   */
  readonly dryRun?: readonly string[];
  /** Name of the volume. */
  readonly name: string;
}

/** Whether a volume can be snapshotted. */
export interface VMVolumeSnapshotStatus {
  /** True when it can. */
  readonly enabled: boolean;
  /** Name of the volume. */
  readonly name: string;
  /** Why, or why not. */
  readonly reason?: string;
}

/** How far a change of volumes has come. */
export interface VolumeUpdateState {
  /** Volumes whose data is being moved. */
  readonly volumeMigrationState?: VolumeMigrationState;
}

/** Volumes whose data is being moved while the guest runs. */
export interface VolumeMigrationState {
  /**
   * The volumes with their old and new claims.
   * @listType atomic
   */
  readonly migratedVolumes?: readonly MigratedVolume[];
}
