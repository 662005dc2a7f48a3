import type { LabelSelector, ResourceRequirementsWithoutClaims } from './kubernetes.ts';
import type { MediatedDevicesConfiguration, PermittedHostDevices } from './kubevirt-host-devices.ts';
import type { EmptyObject, Int, Int32, Int64, Quantity } from './meta.ts';

/** - */
export interface KubeVirtConfiguration {
  /** - */
  readonly additionalGuestMemoryOverheadRatio?: string;
  /** - */
  readonly apiConfiguration?: ReloadableComponentConfiguration;
  /** - */
  readonly architectureConfiguration?: ArchitectureConfiguration;
  /** - */
  readonly autoCPULimitNamespaceLabelSelector?: LabelSelector;
  /**
   * -
   * @nullable
   */
  readonly changedBlockTrackingLabelSelectors?: ChangedBlockTrackingLabelSelectors;
  /**
   * -
   * @nullable
   */
  readonly commonInstancetypesDeployment?: OptionalDeployment;
  /**
   * -
   * @nullable
   */
  readonly confidentialCompute?: ConfidentialComputeConfiguration;
  /** - */
  readonly controllerConfiguration?: ReloadableComponentConfiguration;
  /** - */
  readonly cpuModel?: string;
  /** - */
  readonly cpuRequest?: Quantity;
  /** - */
  readonly defaultRuntimeClass?: string;
  /** - */
  readonly developerConfiguration?: DeveloperConfiguration;
  /** - */
  readonly emulatedMachines?: readonly string[];
  /** - */
  readonly evictionStrategy?: string;
  /** - */
  readonly handlerConfiguration?: ReloadableComponentConfiguration;
  /**
   * -
   * @maxItems 1
   * @listType atomic
   */
  readonly hypervisors?: readonly HypervisorConfiguration[];
  /** - */
  readonly imagePullPolicy?: string;
  /**
   * -
   * @nullable
   */
  readonly instancetype?: InstancetypeConfiguration;
  /** - */
  readonly ksmConfiguration?: KSMConfiguration;
  /** - */
  readonly liveUpdateConfiguration?: LiveUpdateConfiguration;
  /** - */
  readonly machineType?: string;
  /** - */
  readonly mediatedDevicesConfiguration?: MediatedDevicesConfiguration;
  /** - */
  readonly memBalloonStatsPeriod?: Int32;
  /** - */
  readonly migrations?: ClusterMigrationConfiguration;
  /** - */
  readonly minCPUModel?: string;
  /** - */
  readonly network?: NetworkConfiguration;
  /** - */
  readonly obsoleteCPUModels?: Readonly<Record<string, boolean>>;
  /** - */
  readonly ovmfPath?: string;
  /** - */
  readonly permittedHostDevices?: PermittedHostDevices;
  /**
   * -
   * @nullable
   */
  readonly persistentReservationConfiguration?: OptionalDeployment;
  /** - */
  readonly roleAggregationStrategy?: 'AggregateToDefault' | 'Manual';
  /** - */
  readonly seccompConfiguration?: SeccompConfiguration;
  /** - */
  readonly selinuxLauncherType?: string;
  /** - */
  readonly smbios?: SMBiosConfiguration;
  /**
   * -
   * @listMapKeys ["type"]
   * @listType map
   */
  readonly supportContainerResources?: readonly SupportContainerResources[];
  /** - */
  readonly supportedGuestAgentVersions?: readonly string[];
  /** - */
  readonly tlsConfiguration?: TLSConfiguration;
  /**
   * -
   * @nullable
   */
  readonly virtTemplateDeployment?: OptionalDeployment;
  /** - */
  readonly virtualMachineInstancesPerNode?: Int;
  /** - */
  readonly virtualMachineOptions?: VirtualMachineOptions;
  /**
   * -
   * @nullable
   */
  readonly vmRolloutStrategy?: 'Stage' | 'LiveUpdate';
  /** - */
  readonly vmStateStorageClass?: string;
  /** - */
  readonly webhookConfiguration?: ReloadableComponentConfiguration;
}

/** - */
export interface ReloadableComponentConfiguration {
  /** - */
  readonly restClient?: RESTClientConfiguration;
}

/** - */
export interface RESTClientConfiguration {
  /** - */
  readonly rateLimiter?: RateLimiter;
}

/** - */
export interface RateLimiter {
  /** - */
  readonly tokenBucketRateLimiter?: TokenBucketRateLimiter;
}

/** - */
export interface TokenBucketRateLimiter {
  /** - */
  readonly burst: Int;
  /** - */
  readonly qps: number;
}

/** - */
export interface ArchitectureConfiguration {
  /** - */
  readonly amd64?: ArchSpecificConfiguration;
  /** - */
  readonly arm64?: ArchSpecificConfiguration;
  /** - */
  readonly defaultArchitecture?: string;
  /** - */
  readonly ppc64le?: ArchSpecificConfiguration;
  /** - */
  readonly s390x?: ArchSpecificConfiguration;
}

/** - */
export interface ArchSpecificConfiguration {
  /**
   * -
   * @listType atomic
   */
  readonly emulatedMachines?: readonly string[];
  /** - */
  readonly machineType?: string;
  /** - */
  readonly ovmfPath?: string;
}

/** - */
export interface ChangedBlockTrackingLabelSelectors {
  /** - */
  readonly namespaceLabelSelector?: LabelSelector;
  /** - */
  readonly virtualMachineLabelSelector?: LabelSelector;
}

/** - */
export interface OptionalDeployment {
  /**
   * -
   * @nullable
   */
  readonly enabled?: boolean;
}

/** - */
export interface ConfidentialComputeConfiguration {
  /**
   * -
   * @nullable
   */
  readonly tdx?: TDXConfiguration;
}

/** - */
export interface TDXConfiguration {
  /** - */
  readonly attestation?: TDXAttestationConfiguration;
}

/** - */
export interface TDXAttestationConfiguration {
  /**
   * -
   * @default false
   */
  readonly enforced?: boolean;
  /**
   * -
   * @default "/var/run/tdx-qgs/qgs.socket"
   */
  readonly qgsSocketPath?: string;
}

/** - */
export interface DeveloperConfiguration {
  /** - */
  readonly clusterProfiler?: boolean;
  /** - */
  readonly cpuAllocationRatio?: Int;
  /**
   * -
   * @listType atomic
   */
  readonly disabledFeatureGates?: readonly string[];
  /** - */
  readonly diskVerification?: DiskVerification;
  /**
   * -
   * @listType atomic
   */
  readonly featureGates?: readonly string[];
  /** - */
  readonly logVerbosity?: LogVerbosity;
  /**
   * -
   * @minimum 10
   */
  readonly memoryOvercommit?: Int;
  /** - */
  readonly minimumClusterTSCFrequency?: Int64;
  /** - */
  readonly minimumReservePVCBytes?: Int64;
  /** - */
  readonly nodeSelectors?: Readonly<Record<string, string>>;
  /** - */
  readonly pvcTolerateLessSpaceUpToPercent?: Int;
  /** - */
  readonly useEmulation?: boolean;
}

/** - */
export interface DiskVerification {
  /** - */
  readonly memoryLimit: Quantity;
}

/** - */
export interface LogVerbosity {
  /** - */
  readonly nodeVerbosity?: Readonly<Record<string, Int>>;
  /** - */
  readonly virtAPI?: Int;
  /** - */
  readonly virtController?: Int;
  /** - */
  readonly virtHandler?: Int;
  /** - */
  readonly virtLauncher?: Int;
  /** - */
  readonly virtOperator?: Int;
  /** - */
  readonly virtSynchronizationController?: Int;
}

/** - */
export interface HypervisorConfiguration {
  /** - */
  readonly name?: 'kvm' | 'hyperv-direct';
}

/** - */
export interface InstancetypeConfiguration {
  /**
   * -
   * @nullable
   */
  readonly referencePolicy?: 'reference' | 'expand' | 'expandAll';
}

/** - */
export interface KSMConfiguration {
  /** - */
  readonly nodeLabelSelector?: LabelSelector;
}

/** - */
export interface LiveUpdateConfiguration {
  /** - */
  readonly maxCpuSockets?: Int32;
  /** - */
  readonly maxGuest?: Quantity;
  /** - */
  readonly maxHotplugRatio?: Int32;
}

/** - */
export interface ClusterMigrationConfiguration {
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
export interface NetworkConfiguration {
  /** - */
  readonly binding?: Readonly<Record<string, InterfaceBindingPlugin>>;
  /** - */
  readonly defaultNetworkInterface?: string;
  /** - */
  readonly permitBridgeInterfaceOnPodNetwork?: boolean;
  /** - */
  readonly permitSlirpInterface?: boolean;
}

/** - */
export interface InterfaceBindingPlugin {
  /** - */
  readonly computeResourceOverhead?: ResourceRequirementsWithoutClaims;
  /** - */
  readonly domainAttachmentType?: string;
  /** - */
  readonly downwardAPI?: string;
  /** - */
  readonly migration?: InterfaceBindingMigration;
  /** - */
  readonly networkAttachmentDefinition?: string;
  /** - */
  readonly sidecarImage?: string;
}

/** - */
export interface InterfaceBindingMigration {
  /** - */
  readonly method?: string;
}

/** - */
export interface SeccompConfiguration {
  /** - */
  readonly virtualMachineInstanceProfile?: VirtualMachineInstanceProfile;
}

/** - */
export interface VirtualMachineInstanceProfile {
  /** - */
  readonly customProfile?: CustomProfile;
}

/** - */
export interface CustomProfile {
  /** - */
  readonly localhostProfile?: string;
  /** - */
  readonly runtimeDefaultProfile?: boolean;
}

/** - */
export interface SMBiosConfiguration {
  /** - */
  readonly family?: string;
  /** - */
  readonly manufacturer?: string;
  /** - */
  readonly product?: string;
  /** - */
  readonly sku?: string;
  /** - */
  readonly version?: string;
}

/** - */
export interface SupportContainerResources {
  /** - */
  readonly resources: ResourceRequirementsWithoutClaims;
  /** - */
  readonly type: string;
}

/** - */
export interface TLSConfiguration {
  /**
   * -
   * @listType set
   */
  readonly ciphers?: readonly string[];
  /** - */
  readonly minTLSVersion?: 'VersionTLS10' | 'VersionTLS11' | 'VersionTLS12' | 'VersionTLS13';
}

/** - */
export interface VirtualMachineOptions {
  /** - */
  readonly disableFreePageReporting?: EmptyObject;
  /** - */
  readonly disableSerialConsoleLog?: EmptyObject;
}
