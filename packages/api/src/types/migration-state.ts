import type { Int, Int32, Int64, Quantity, Time } from './meta.ts';

/** - */
export interface MigratedVolume {
  /** - */
  readonly destinationPVCInfo?: PersistentVolumeClaimInfo;
  /** - */
  readonly sourcePVCInfo?: PersistentVolumeClaimInfo;
  /** - */
  readonly volumeName: string;
}

/** - */
export interface PersistentVolumeClaimInfo {
  /**
   * -
   * @listType atomic
   */
  readonly accessModes?: readonly string[];
  /** - */
  readonly capacity?: Readonly<Record<string, Quantity>>;
  /** - */
  readonly claimName?: string;
  /**
   * -
   * @pattern ^(0(?:\.\d{1,3})?|1)$
   */
  readonly filesystemOverhead?: string;
  /** - */
  readonly preallocated?: boolean;
  /** - */
  readonly requests?: Readonly<Record<string, Quantity>>;
  /** - */
  readonly volumeMode?: string;
}

/** - */
export interface MigrationState {
  /** - */
  readonly abortRequested?: boolean;
  /** - */
  readonly abortStatus?: string;
  /** - */
  readonly completed?: boolean;
  /**
   * -
   * @nullable
   */
  readonly endTimestamp?: Time;
  /** - */
  readonly failed?: boolean;
  /** - */
  readonly failureReason?: string;
  /** - */
  readonly migrationConfiguration?: MigrationConfiguration;
  /** - */
  readonly migrationNetworkType?: string;
  /** - */
  readonly migrationPolicyName?: string;
  /** - */
  readonly migrationUid?: string;
  /** - */
  readonly mode?: string;
  /** - */
  readonly sourceNode?: string;
  /** - */
  readonly sourcePersistentStatePVCName?: string;
  /** - */
  readonly sourcePod?: string;
  /** - */
  readonly sourceState?: MigrationSourceState;
  /**
   * -
   * @nullable
   */
  readonly startTimestamp?: Time;
  /** - */
  readonly targetAttachmentPodUID?: string;
  /**
   * -
   * @listType atomic
   */
  readonly targetCPUSet?: readonly Int[];
  /** - */
  readonly targetDirectMigrationNodePorts?: Readonly<Record<string, Int>>;
  /** - */
  readonly targetMemoryOverhead?: Quantity;
  /** - */
  readonly targetNode?: string;
  /** - */
  readonly targetNodeAddress?: string;
  /** - */
  readonly targetNodeDomainDetected?: boolean;
  /** - */
  readonly targetNodeDomainReadyTimestamp?: Time;
  /** - */
  readonly targetNodeTopology?: string;
  /** - */
  readonly targetPersistentStatePVCName?: string;
  /** - */
  readonly targetPod?: string;
  /** - */
  readonly targetState?: MigrationTargetState;
}

/** - */
export interface MigrationConfiguration {
  /** - */
  readonly allowAutoConverge?: boolean;
  /** - */
  readonly allowPostCopy?: boolean;
  /** - */
  readonly allowWorkloadDisruption?: boolean;
  /** - */
  readonly bandwidthPerMigration?: Quantity;
  /** - */
  readonly completionTimeoutPerGiB?: Int64;
  /** - */
  readonly disableTLS?: boolean;
  /** - */
  readonly experimental?: MigrationExperimental;
  /** - */
  readonly matchSELinuxLevelOnMigration?: boolean;
  /**
   * -
   * @maximum 2000000
   * @minimum 1
   */
  readonly maxDowntimeMs?: Int64;
  /** - */
  readonly network?: string;
  /** - */
  readonly nodeDrainTaintKey?: string;
  /** - */
  readonly parallelMigrationsPerCluster?: Int32;
  /** - */
  readonly parallelOutboundMigrationsPerNode?: Int32;
  /** - */
  readonly progressTimeout?: Int64;
  /** - */
  readonly unsafeMigrationOverride?: boolean;
  /** - */
  readonly utilityVolumesTimeout?: Int64;
}

/** - */
export interface MigrationExperimental {
  /** - */
  readonly compression?: 'none' | 'zstd';
  /** - */
  readonly downtimeTuning?: DowntimeTuning;
  /** - */
  readonly stallDetector?: StallDetector;
}

/** - */
export interface DowntimeTuning {
  /**
   * -
   * @minimum 1
   */
  readonly cooldownSeconds?: Int32;
  /**
   * -
   * @minimum 1
   */
  readonly initialMs?: Int64;
  /**
   * -
   * @minimum 1
   */
  readonly startAfterIteration?: Int64;
  /**
   * -
   * @minimum 1
   */
  readonly steps?: Int32;
}

/** - */
export interface StallDetector {
  /** - */
  readonly completionTimeoutFactor?: Quantity;
  /** - */
  readonly ewmaAlpha?: Quantity;
  /** - */
  readonly patienceWindowDecayFactor?: Quantity;
  /** - */
  readonly precopyPossibleFactor?: Quantity;
  /** - */
  readonly searchLocalMinima?: boolean;
  /**
   * -
   * @maximum 100
   * @minimum 0
   */
  readonly stallMargin?: Int64;
  /**
   * -
   * @minimum 0
   */
  readonly stallProgressTimeout?: Int64;
  /**
   * -
   * @minimum 0
   */
  readonly switchoverTimeout?: Int64;
}

/** - */
export interface MigrationSourceState {
  /** - */
  readonly domainName?: string;
  /** - */
  readonly domainNamespace?: string;
  /** - */
  readonly migrationUID?: string;
  /** - */
  readonly node?: string;
  /** - */
  readonly nodeSelectors?: Readonly<Record<string, string>>;
  /** - */
  readonly persistentStatePVCName?: string;
  /** - */
  readonly pod?: string;
  /** - */
  readonly selinuxContext?: string;
  /** - */
  readonly syncAddress?: string;
  /** - */
  readonly virtualMachineInstanceUID?: string;
}

/** - */
export interface MigrationTargetState {
  /** - */
  readonly attachmentPodUID?: string;
  /**
   * -
   * @listType atomic
   */
  readonly cpuSet?: readonly Int[];
  /** - */
  readonly directMigrationNodePorts?: Readonly<Record<string, Int>>;
  /** - */
  readonly domainDetected?: boolean;
  /** - */
  readonly domainName?: string;
  /** - */
  readonly domainNamespace?: string;
  /** - */
  readonly domainReadyTimestamp?: Time;
  /** - */
  readonly migrationUID?: string;
  /** - */
  readonly node?: string;
  /** - */
  readonly nodeAddress?: string;
  /** - */
  readonly nodeTopology?: string;
  /** - */
  readonly persistentStatePVCName?: string;
  /** - */
  readonly pod?: string;
  /** - */
  readonly selinuxContext?: string;
  /** - */
  readonly syncAddress?: string;
  /** - */
  readonly virtualMachineInstanceUID?: string;
}
