import type { Machine } from './domain.ts';
import type { Int32, Int64, Quantity, Time } from './meta.ts';
import type { MigratedVolume, MigrationState, PersistentVolumeClaimInfo } from './migration-state.ts';

/** - */
export interface VMIStatus {
  /**
   * -
   * @maximum 4294967295
   * @minimum 0
   */
  readonly VSOCKCID?: Int64;
  /** - */
  readonly activePods?: Readonly<Record<string, string>>;
  /**
   * -
   * @nullable
   */
  readonly changedBlockTracking?: ChangedBlockTrackingStatus;
  /** - */
  readonly conditions?: readonly VMICondition[];
  /** - */
  readonly currentCPUTopology?: CPUTopology;
  /** - */
  readonly evacuationNodeName?: string;
  /** - */
  readonly fsFreezeStatus?: string;
  /** - */
  readonly guestOSInfo?: GuestOSInfo;
  /** - */
  readonly interfaces?: readonly InterfaceStatus[];
  /** - */
  readonly kernelBootStatus?: KernelBootStatus;
  /** - */
  readonly launcherContainerImageVersion?: string;
  /** - */
  readonly machine?: Machine;
  /** - */
  readonly memory?: MemoryStatus;
  /**
   * -
   * @listType atomic
   */
  readonly migratedVolumes?: readonly MigratedVolume[];
  /** - */
  readonly migrationMethod?: string;
  /** - */
  readonly migrationState?: MigrationState;
  /** - */
  readonly migrationTransport?: string;
  /** - */
  readonly nodeName?: string;
  /** - */
  readonly phase?: string;
  /**
   * -
   * @listType atomic
   */
  readonly phaseTransitionTimestamps?: readonly PhaseTransitionTimestamp[];
  /** - */
  readonly qosClass?: string;
  /** - */
  readonly reason?: string;
  /** - */
  readonly runtimeUser?: Int64;
  /** - */
  readonly selinuxContext?: string;
  /** - */
  readonly topologyHints?: TopologyHints;
  /** - */
  readonly virtualMachineRevisionName?: string;
  /**
   * -
   * @listType atomic
   */
  readonly volumeStatus?: readonly VolumeStatus[];
}

/** - */
export interface ChangedBlockTrackingStatus {
  /**
   * -
   * @nullable
   */
  readonly backupStatus?: BackupRuntimeStatus;
  /** - */
  readonly state: string;
}

/** - */
export interface BackupRuntimeStatus {
  /** - */
  readonly backupMsg?: string;
  /** - */
  readonly backupName?: string;
  /** - */
  readonly checkpointName?: string;
  /** - */
  readonly completed?: boolean;
  /** - */
  readonly endTimestamp?: Time;
  /** - */
  readonly failed?: boolean;
  /** - */
  readonly quiesceStatus?: string;
  /** - */
  readonly startTimestamp?: Time;
  /**
   * -
   * @listType atomic
   */
  readonly volumes?: readonly BackupVolumeInfo[];
}

/** - */
export interface BackupVolumeInfo {
  /** - */
  readonly volumeName: string;
}

/** - */
export interface VMICondition {
  /**
   * -
   * @nullable
   */
  readonly lastProbeTime?: Time;
  /**
   * -
   * @nullable
   */
  readonly lastTransitionTime?: Time;
  /** - */
  readonly message?: string;
  /** - */
  readonly reason?: string;
  /** - */
  readonly status: string;
  /** - */
  readonly type: string;
}

/** The conditions of a VM have the shape of a VMI's. */
export type VMCondition = VMICondition;

/** - */
export interface CPUTopology {
  /** - */
  readonly cores?: Int32;
  /** - */
  readonly sockets?: Int32;
  /** - */
  readonly threads?: Int32;
}

/** - */
export interface GuestOSInfo {
  /** - */
  readonly id?: string;
  /** - */
  readonly kernelRelease?: string;
  /** - */
  readonly kernelVersion?: string;
  /** - */
  readonly machine?: string;
  /** - */
  readonly name?: string;
  /** - */
  readonly prettyName?: string;
  /** - */
  readonly version?: string;
  /** - */
  readonly versionId?: string;
}

/** - */
export interface InterfaceStatus {
  /** - */
  readonly infoSource?: string;
  /** - */
  readonly interfaceName?: string;
  /** - */
  readonly ipAddress?: string;
  /** - */
  readonly ipAddresses?: readonly string[];
  /** - */
  readonly linkState?: string;
  /** - */
  readonly mac?: string;
  /** - */
  readonly name?: string;
  /** - */
  readonly podInterfaceName?: string;
  /** - */
  readonly queueCount?: Int32;
}

/** - */
export interface KernelBootStatus {
  /** - */
  readonly initrdInfo?: ChecksumInfo;
  /** - */
  readonly kernelInfo?: ChecksumInfo;
}

/** - */
export interface ChecksumInfo {
  /**
   * -
   * @maximum 4294967295
   * @minimum 0
   */
  readonly checksum?: Int64;
}

/** - */
export interface MemoryStatus {
  /** - */
  readonly guestAtBoot?: Quantity;
  /** - */
  readonly guestCurrent?: Quantity;
  /** - */
  readonly guestRequested?: Quantity;
  /** - */
  readonly memoryOverhead?: Quantity;
}

/** - */
export interface PhaseTransitionTimestamp {
  /** - */
  readonly phase?: string;
  /** - */
  readonly phaseTransitionTimestamp?: Time;
}

/** - */
export interface TopologyHints {
  /** - */
  readonly tscFrequency?: Int64;
}

/** - */
export interface VolumeStatus {
  /** - */
  readonly containerDiskVolume?: ChecksumInfo;
  /** - */
  readonly hotplugVolume?: HotplugVolumeStatus;
  /** - */
  readonly memoryDumpVolume?: MemoryDumpVolumeInfo;
  /** - */
  readonly message?: string;
  /** - */
  readonly name: string;
  /** - */
  readonly persistentVolumeClaimInfo?: PersistentVolumeClaimInfo;
  /** - */
  readonly phase?: string;
  /** - */
  readonly reason?: string;
  /** - */
  readonly size?: Int64;
  /** - */
  readonly target: string;
}

/** - */
export interface HotplugVolumeStatus {
  /** - */
  readonly attachPodName?: string;
  /** - */
  readonly attachPodUID?: string;
}

/** - */
export interface MemoryDumpVolumeInfo {
  /** - */
  readonly claimName?: string;
  /** - */
  readonly endTimestamp?: Time;
  /** - */
  readonly startTimestamp?: Time;
  /** - */
  readonly targetFileName?: string;
}
