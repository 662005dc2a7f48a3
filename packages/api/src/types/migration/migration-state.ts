import type { Int, Int32, Int64, Quantity, Time } from '../kubernetes/meta.ts';
import type { ClusterMigrationConfiguration } from '../kubevirt/kubevirt-configuration.ts';

/** A volume whose data is moved to another claim. */
export interface MigratedVolume {
  /** The new claim. */
  readonly destinationPVCInfo?: PersistentVolumeClaimInfo;
  /** The old claim. */
  readonly sourcePVCInfo?: PersistentVolumeClaimInfo;
  /** Name of the volume. */
  readonly volumeName: string;
}

/** What is known of a claim. */
export interface PersistentVolumeClaimInfo {
  /**
   * Access modes of the claim.
   * @listType atomic
   */
  readonly accessModes?: readonly string[];
  /** Size that the claim got. */
  readonly capacity?: Readonly<Record<string, Quantity>>;
  /** Name of the claim. */
  readonly claimName?: string;
  /**
   * Part of the space that the filesystem keeps for itself, from 0 to 1.
   * @pattern ^(0(?:\.\d{1,3})?|1)$
   */
  readonly filesystemOverhead?: string;
  /** Whether the space was taken at once. */
  readonly preallocated?: boolean;
  /** Size that the claim asked for. */
  readonly requests?: Readonly<Record<string, Quantity>>;
  /** Filesystem or Block. */
  readonly volumeMode?: string;
}

/** A migration as source and target see it. */
export interface MigrationState {
  /** True when the migration is to be aborted. */
  readonly abortRequested?: boolean;
  /** How the abort went: Succeeded, Failed or Aborting. */
  readonly abortStatus?: string;
  /** True when it ended, well or not. */
  readonly completed?: boolean;
  /**
   * When it ended.
   * @nullable
   */
  readonly endTimestamp?: Time;
  /** True when it failed. */
  readonly failed?: boolean;
  /** Why it failed. */
  readonly failureReason?: string;
  /** The settings that this migration was started with. */
  readonly migrationConfiguration?: MigrationConfiguration;
  /** Network that carries the data: pod or migration. */
  readonly migrationNetworkType?: string;
  /** MigrationPolicy that applied. */
  readonly migrationPolicyName?: string;
  /** UID of the migration object. */
  readonly migrationUid?: string;
  /** PreCopy, PostCopy or Paused. */
  readonly mode?: string;
  /** Node that the guest leaves. */
  readonly sourceNode?: string;
  /** Claim with the guest's TPM and EFI state on the source. */
  readonly sourcePersistentStatePVCName?: string;
  /** Launcher Pod that the guest leaves. */
  readonly sourcePod?: string;
  /** The source, for a migration between clusters. */
  readonly sourceState?: MigrationSourceState;
  /**
   * When the data began to move.
   * @nullable
   */
  readonly startTimestamp?: Time;
  /** Pod that holds plugged volumes on the target. */
  readonly targetAttachmentPodUID?: string;
  /**
   * CPUs that the guest is pinned to on the target.
   * @listType atomic
   */
  readonly targetCPUSet?: readonly Int[];
  /** Ports of the target, with what each is for. */
  readonly targetDirectMigrationNodePorts?: Readonly<Record<string, Int>>;
  /** Memory that the target Pod needs beyond the guest's. */
  readonly targetMemoryOverhead?: Quantity;
  /** Node that the guest goes to. */
  readonly targetNode?: string;
  /** Address of the target. */
  readonly targetNodeAddress?: string;
  /** True when the guest was seen on the target. */
  readonly targetNodeDomainDetected?: boolean;
  /** When the guest ran on the target. */
  readonly targetNodeDomainReadyTimestamp?: Time;
  /** CPU topology of the target, as JSON. */
  readonly targetNodeTopology?: string;
  /** Claim with the guest's TPM and EFI state on the target. */
  readonly targetPersistentStatePVCName?: string;
  /** Launcher Pod that the guest goes to. */
  readonly targetPod?: string;
  /** The target, for a migration between clusters. */
  readonly targetState?: MigrationTargetState;
}

/** Settings of one migration: those of the cluster, as policies and the migration itself have changed them. */
export interface MigrationConfiguration extends ClusterMigrationConfiguration {
  /** Settings that may still change. */
  readonly experimental?: MigrationExperimental;
}

/** Settings that may still change. */
export interface MigrationExperimental {
  /** Compression of the data: none or zstd. */
  readonly compression?: 'none' | 'zstd';
  /** Raises the allowed downtime step by step. */
  readonly downtimeTuning?: DowntimeTuning;
  /** Notices a migration that cannot end. */
  readonly stallDetector?: StallDetector;
}

/** Raises the allowed downtime step by step. */
export interface DowntimeTuning {
  /**
   * Seconds between two steps.
   * @minimum 1
   */
  readonly cooldownSeconds?: Int32;
  /**
   * Downtime to begin with, in milliseconds.
   * @minimum 1
   */
  readonly initialMs?: Int64;
  /**
   * Passes over the memory before the first step.
   * @minimum 1
   */
  readonly startAfterIteration?: Int64;
  /**
   * Number of steps.
   * @minimum 1
   */
  readonly steps?: Int32;
}

/** Notices a migration that cannot end. */
export interface StallDetector {
  /** Factor on the completion timeout. */
  readonly completionTimeoutFactor?: Quantity;
  /** Weight of the newest measurement, from 0 to 1. */
  readonly ewmaAlpha?: Quantity;
  /** How fast patience shrinks, from 0 to 1. */
  readonly patienceWindowDecayFactor?: Quantity;
  /** Share of the bandwidth below which pre-copy counts as possible. */
  readonly precopyPossibleFactor?: Quantity;
  /** Switches over when little memory is left for a moment. */
  readonly searchLocalMinima?: boolean;
  /**
   * Percent of progress below which a migration counts as stalled.
   * @maximum 100
   * @minimum 0
   */
  readonly stallMargin?: Int64;
  /**
   * Seconds without progress after which it counts as stalled.
   * @minimum 0
   */
  readonly stallProgressTimeout?: Int64;
  /**
   * Seconds that the switch to the target may take.
   * @minimum 0
   */
  readonly switchoverTimeout?: Int64;
}

/** The source of a migration between clusters. */
export interface MigrationSourceState {
  /** Name of the guest on the source. */
  readonly domainName?: string;
  /** Namespace of the guest on the source. */
  readonly domainNamespace?: string;
  /** UID of the migration object on the source. */
  readonly migrationUID?: string;
  /** Node that the guest leaves. */
  readonly node?: string;
  /** Labels that the new node must have. */
  readonly nodeSelectors?: Readonly<Record<string, string>>;
  /** Claim with the guest's TPM and EFI state. */
  readonly persistentStatePVCName?: string;
  /** Launcher Pod that the guest leaves. */
  readonly pod?: string;
  /** SELinux context of the Pod. */
  readonly selinuxContext?: string;
  /** Address of the source's synchronization controller. */
  readonly syncAddress?: string;
  /** UID of the instance on the source. */
  readonly virtualMachineInstanceUID?: string;
}

/** The target of a migration between clusters. */
export interface MigrationTargetState {
  /** Pod that holds plugged volumes. */
  readonly attachmentPodUID?: string;
  /**
   * CPUs that the guest is pinned to.
   * @listType atomic
   */
  readonly cpuSet?: readonly Int[];
  /** Ports of the target, with what each is for. */
  readonly directMigrationNodePorts?: Readonly<Record<string, Int>>;
  /** True when the guest was seen on the target. */
  readonly domainDetected?: boolean;
  /** Name of the guest on the target. */
  readonly domainName?: string;
  /** Namespace of the guest on the target. */
  readonly domainNamespace?: string;
  /** When the guest ran on the target. */
  readonly domainReadyTimestamp?: Time;
  /** UID of the migration object on the target. */
  readonly migrationUID?: string;
  /** Node that the guest goes to. */
  readonly node?: string;
  /** Address of the target. */
  readonly nodeAddress?: string;
  /** CPU topology of the target, as JSON. */
  readonly nodeTopology?: string;
  /** Claim with the guest's TPM and EFI state. */
  readonly persistentStatePVCName?: string;
  /** Launcher Pod that the guest goes to. */
  readonly pod?: string;
  /** SELinux context of the Pod. */
  readonly selinuxContext?: string;
  /** Address of the target's synchronization controller. */
  readonly syncAddress?: string;
  /** UID of the instance on the target. */
  readonly virtualMachineInstanceUID?: string;
}
