import type { Machine } from './domain.ts';
import type { Int32, Int64, Quantity, Time } from '../kubernetes/meta.ts';
import type {
  MigratedVolume,
  MigrationState,
  PersistentVolumeClaimInfo,
} from '../migration/migration-state.ts';

/** What is known of a guest. */
export interface VMIStatus {
  /**
   * Address of the guest on VSOCK.
   * @maximum 4294967295
   * @minimum 0
   */
  readonly VSOCKCID?: Int64;
  /** Launcher Pods that live, by UID, with their nodes. */
  readonly activePods?: Readonly<Record<string, string>>;
  /**
   * Whether changed blocks are tracked for incremental backups.
   * @nullable
   */
  readonly changedBlockTracking?: ChangedBlockTrackingStatus;
  /** Ready, LiveMigratable, Paused, AgentConnected and other conditions. */
  readonly conditions?: readonly VMICondition[];
  /** CPUs that the guest has now. */
  readonly currentCPUTopology?: CPUTopology;
  /** Node that the guest is to leave. */
  readonly evacuationNodeName?: string;
  /** frozen while the guest's filesystems are frozen. */
  readonly fsFreezeStatus?: string;
  /** What the guest agent says of the operating system. */
  readonly guestOSInfo?: GuestOSInfo;
  /**
   * How the hibernation of this guest, or its waking, went. Podvisor's own.
   * @nullable
   */
  readonly hibernation?: VMIHibernation;
  /** Interfaces with their addresses. */
  readonly interfaces?: readonly InterfaceStatus[];
  /** Checksums of a kernel from an image. */
  readonly kernelBootStatus?: KernelBootStatus;
  /** Image of the launcher. */
  readonly launcherContainerImageVersion?: string;
  /** Machine type that the guest was started with. */
  readonly machine?: Machine;
  /** Memory that the guest has and may get. */
  readonly memory?: MemoryStatus;
  /**
   * How a snapshot of this guest's memory goes. Podvisor's own.
   * @nullable
   */
  readonly memorySnapshot?: VMIMemorySnapshot;
  /**
   * Volumes whose data is being moved.
   * @listType atomic
   */
  readonly migratedVolumes?: readonly MigratedVolume[];
  /** LiveMigration, or BlockMigration when disks are copied too. */
  readonly migrationMethod?: string;
  /** The last migration, or the one under way. */
  readonly migrationState?: MigrationState;
  /** How migration data travels: Unix. */
  readonly migrationTransport?: string;
  /** Node that runs the guest. */
  readonly nodeName?: string;
  /** Pending, Scheduling, Scheduled, Running, Succeeded, Failed, WaitingForSync or Unknown. */
  readonly phase?: string;
  /**
   * When each phase was first reached.
   * @listType atomic
   */
  readonly phaseTransitionTimestamps?: readonly PhaseTransitionTimestamp[];
  /** Quality of service of the Pod. */
  readonly qosClass?: string;
  /** Why the instance is in its phase, in one word. */
  readonly reason?: string;
  /** User that QEMU runs as: 107, or 0 for root. */
  readonly runtimeUser?: Int64;
  /** SELinux context of the Pod, or none. */
  readonly selinuxContext?: string;
  /** Needs of the guest that limit where it can run. */
  readonly topologyHints?: TopologyHints;
  /** ControllerRevision with the VM spec that this instance was started from. */
  readonly virtualMachineRevisionName?: string;
  /**
   * State of every volume.
   * @listType atomic
   */
  readonly volumeStatus?: readonly VolumeStatus[];
}

/** Whether changed blocks are tracked. */
export interface ChangedBlockTrackingStatus {
  /**
   * The last backup, or the one under way.
   * @nullable
   */
  readonly backupStatus?: BackupRuntimeStatus;
  /** PendingRestart, Initializing, Enabled, Disabled or IncrementalBackupFeatureGateDisabled. */
  readonly state: string;
}

/** A backup as the guest's node sees it. */
export interface BackupRuntimeStatus {
  /** What happened, for people. */
  readonly backupMsg?: string;
  /** Name of the backup. */
  readonly backupName?: string;
  /** Checkpoint that the backup made. */
  readonly checkpointName?: string;
  /** True when it ended. */
  readonly completed?: boolean;
  /** When it ended. */
  readonly endTimestamp?: Time;
  /** True when it failed. */
  readonly failed?: boolean;
  /** Whether the guest's filesystems were frozen. */
  readonly quiesceStatus?: string;
  /** When it began. */
  readonly startTimestamp?: Time;
  /**
   * Volumes in the backup.
   * @listType atomic
   */
  readonly volumes?: readonly BackupVolumeInfo[];
}

/** A volume in a backup. */
export interface BackupVolumeInfo {
  /** Name of the volume. */
  readonly volumeName: string;
}

/** One aspect of the state. */
export interface VMICondition {
  /**
   * When it was last looked at.
   * @nullable
   */
  readonly lastProbeTime?: Time;
  /**
   * When it last changed.
   * @nullable
   */
  readonly lastTransitionTime?: Time;
  /** What happened, for people. */
  readonly message?: string;
  /** Why, in one word. */
  readonly reason?: string;
  /** True, False or Unknown. */
  readonly status: string;
  /** What it is about. */
  readonly type: string;
}

/** The conditions of a VM have the shape of a VMI's. */
export type VMCondition = VMICondition;

/** Sockets, cores and threads. */
export interface CPUTopology {
  /** Cores in a socket. */
  readonly cores?: Int32;
  /** Sockets. */
  readonly sockets?: Int32;
  /** Threads in a core. */
  readonly threads?: Int32;
}

/** What the guest agent says of the operating system. */
export interface GuestOSInfo {
  /** Short name, such as fedora. */
  readonly id?: string;
  /** Release of the kernel. */
  readonly kernelRelease?: string;
  /** Version of the kernel. */
  readonly kernelVersion?: string;
  /** Architecture. */
  readonly machine?: string;
  /** Name. */
  readonly name?: string;
  /** Name and version, for people. */
  readonly prettyName?: string;
  /** Version. */
  readonly version?: string;
  /** Version, for programs. */
  readonly versionId?: string;
}

/** An interface as it is found. */
export interface InterfaceStatus {
  /** Who knows of it: domain, guest-agent, multus-status. */
  readonly infoSource?: string;
  /** Name inside the guest. */
  readonly interfaceName?: string;
  /** First address. */
  readonly ipAddress?: string;
  /** All addresses. */
  readonly ipAddresses?: readonly string[];
  /** up or down. */
  readonly linkState?: string;
  /** MAC address. */
  readonly mac?: string;
  /** Name in the spec; empty for interfaces that only the guest knows. */
  readonly name?: string;
  /** Name inside the Pod. */
  readonly podInterfaceName?: string;
  /** Number of queues. */
  readonly queueCount?: Int32;
}

/** Checksums of a kernel from an image. */
export interface KernelBootStatus {
  /** Checksum of the initial ramdisk. */
  readonly initrdInfo?: ChecksumInfo;
  /** Checksum of the kernel. */
  readonly kernelInfo?: ChecksumInfo;
}

/** A checksum, to notice that an image changed before a migration. */
export interface ChecksumInfo {
  /**
   * CRC-32 of the file.
   * @maximum 4294967295
   * @minimum 0
   */
  readonly checksum?: Int64;
}

/** Memory that the guest has and may get. */
export interface MemoryStatus {
  /** Memory at the start. */
  readonly guestAtBoot?: Quantity;
  /** Memory now. */
  readonly guestCurrent?: Quantity;
  /** Memory that was asked for. */
  readonly guestRequested?: Quantity;
  /** Memory that the Pod needs beyond the guest's. */
  readonly memoryOverhead?: Quantity;
}

/** When a phase was first reached. */
export interface PhaseTransitionTimestamp {
  /** The phase. */
  readonly phase?: string;
  /** The time. */
  readonly phaseTransitionTimestamp?: Time;
}

/** Needs of the guest that limit where it can run. */
export interface TopologyHints {
  /** Frequency of the time stamp counter in Hz. */
  readonly tscFrequency?: Int64;
}

/** A volume as it is found. */
export interface VolumeStatus {
  /** Checksum of a disk from an image. */
  readonly containerDiskVolume?: ChecksumInfo;
  /** Set for a volume that was plugged. */
  readonly hotplugVolume?: HotplugVolumeStatus;
  /** Set for a volume that receives a memory dump. */
  readonly memoryDumpVolume?: MemoryDumpVolumeInfo;
  /** What happened, for people. */
  readonly message?: string;
  /** Name of the volume. */
  readonly name: string;
  /** What is known of the claim. */
  readonly persistentVolumeClaimInfo?: PersistentVolumeClaimInfo;
  /**
   * Pending, Bound, AttachedToNode, MountedToPod, Ready, Detaching or UnMountedFromPod, or the phase of
   * a dump.
   */
  readonly phase?: string;
  /** Why, in one word. */
  readonly reason?: string;
  /** Size in bytes. */
  readonly size?: Int64;
  /** Device in the guest, such as vda. */
  readonly target: string;
}

/** A volume that was plugged. */
export interface HotplugVolumeStatus {
  /** Pod that holds the volume on the node. */
  readonly attachPodName?: string;
  /** UID of that Pod. */
  readonly attachPodUID?: string;
}

/** A volume that receives a memory dump. */
export interface MemoryDumpVolumeInfo {
  /** Claim of the volume. */
  readonly claimName?: string;
  /** When the dump ended. */
  readonly endTimestamp?: Time;
  /** When the dump began. */
  readonly startTimestamp?: Time;
  /** File that holds the dump. */
  readonly targetFileName?: string;
}

/** The hibernation of a guest, or its waking. */
export interface VMIHibernation {
  /** When it ended. */
  readonly endTimestamp?: Time;
  /** UID of the instance whose memory the state is. */
  readonly id?: string;
  /** What went wrong, or what a reader should know. */
  readonly message?: string;
  /** Saving, Saved, Failed, Woken, Booted (there was no state) or Refused. */
  readonly phase: string;
  /** Why the state was refused. */
  readonly reason?: string;
  /** Bytes that the state takes. */
  readonly sizeBytes?: Int64;
  /** When it began. */
  readonly startTimestamp?: Time;
}

/** A snapshot of a guest's memory. */
export interface VMIMemorySnapshot {
  /** Claim that the memory is written to; it says which snapshot it is. */
  readonly claimName: string;
  /** When it ended. */
  readonly endTimestamp?: Time;
  /** What went wrong. */
  readonly message?: string;
  /** How long the guest stood still. */
  readonly pauseMilliseconds?: Int64;
  /** Saving, Saved (the guest stands still until its disks are taken), Taken or Failed. */
  readonly phase: string;
  /** Bytes that the memory takes. */
  readonly sizeBytes?: Int64;
  /** When it began. */
  readonly startTimestamp?: Time;
}
