import type { LabelSelector, ResourceRequirementsWithoutClaims } from '../kubernetes/kubernetes.ts';
import type { MediatedDevicesConfiguration, PermittedHostDevices } from './kubevirt-host-devices.ts';
import type { EmptyObject, Int, Int32, Int64, Quantity } from '../kubernetes/meta.ts';

/** How the cluster's virtual machines behave. */
export interface KubeVirtConfiguration {
  /** Factor on the memory that a launcher needs beyond its guest; at least 1. */
  readonly additionalGuestMemoryOverheadRatio?: string;
  /** Rate limits of virt-api. */
  readonly apiConfiguration?: ReloadableComponentConfiguration;
  /** Machine types and firmware of each architecture. */
  readonly architectureConfiguration?: ArchitectureConfiguration;
  /** Namespaces in which launchers get a CPU limit of their own accord. */
  readonly autoCPULimitNamespaceLabelSelector?: LabelSelector;
  /**
   * Machines whose changed blocks are tracked.
   * @nullable
   */
  readonly changedBlockTrackingLabelSelectors?: ChangedBlockTrackingLabelSelectors;
  /**
   * Whether the common instance types are installed.
   * @nullable
   */
  readonly commonInstancetypesDeployment?: OptionalDeployment;
  /**
   * Settings for encrypted guests.
   * @nullable
   */
  readonly confidentialCompute?: ConfidentialComputeConfiguration;
  /** Rate limits of virt-controller. */
  readonly controllerConfiguration?: ReloadableComponentConfiguration;
  /** CPU model of guests that name none. */
  readonly cpuModel?: string;
  /** CPU that launchers request when their spec does not say; 100m when unset. */
  readonly cpuRequest?: Quantity;
  /** Runtime class of launcher Pods. */
  readonly defaultRuntimeClass?: string;
  /** Feature gates and other settings for the brave. */
  readonly developerConfiguration?: DeveloperConfiguration;
  /** Old form of architectureConfiguration: machine types that guests may use. */
  readonly emulatedMachines?: readonly string[];
  /** Eviction strategy of guests that name none. */
  readonly evictionStrategy?: string;
  /** Rate limits of virt-handler. */
  readonly handlerConfiguration?: ReloadableComponentConfiguration;
  /**
   * The hypervisor that runs guests.
   * @maxItems 1
   * @listType atomic
   */
  readonly hypervisors?: readonly HypervisorConfiguration[];
  /** When launcher images are pulled. */
  readonly imagePullPolicy?: string;
  /**
   * How virtual machines refer to instance types.
   * @nullable
   */
  readonly instancetype?: InstancetypeConfiguration;
  /** Nodes on which equal memory pages are merged. */
  readonly ksmConfiguration?: KSMConfiguration;
  /** Limits for what is plugged into running guests. */
  readonly liveUpdateConfiguration?: LiveUpdateConfiguration;
  /** Old form of architectureConfiguration: machine type of guests that name none. */
  readonly machineType?: string;
  /** Mediated devices that nodes should offer. */
  readonly mediatedDevicesConfiguration?: MediatedDevicesConfiguration;
  /** Seconds between two memory reports of a guest; 0 turns them off. */
  readonly memBalloonStatsPeriod?: Int32;
  /** Settings of migrations. */
  readonly migrations?: ClusterMigrationConfiguration;
  /** No longer used. */
  readonly minCPUModel?: string;
  /** Settings of guests' networks. */
  readonly network?: NetworkConfiguration;
  /** How soon a node counts as lost, and guests on shared storage start elsewhere. */
  readonly nodeLoss?: NodeLossConfiguration;
  /** CPU models that are not offered. */
  readonly obsoleteCPUModels?: Readonly<Record<string, boolean>>;
  /** Old form of architectureConfiguration: directory of the EFI firmware. */
  readonly ovmfPath?: string;
  /** Devices of nodes that guests may use. */
  readonly permittedHostDevices?: PermittedHostDevices;
  /**
   * Whether guests may reserve LUNs.
   * @nullable
   */
  readonly persistentReservationConfiguration?: OptionalDeployment;
  /** Whether our roles become part of admin, edit and view: AggregateToDefault or Manual. */
  readonly roleAggregationStrategy?: 'AggregateToDefault' | 'Manual';
  /** Seccomp profile of launchers. */
  readonly seccompConfiguration?: SeccompConfiguration;
  /** SELinux type of launchers. */
  readonly selinuxLauncherType?: string;
  /** What guests read about their board. */
  readonly smbios?: SMBiosConfiguration;
  /**
   * CPU and memory of helper containers.
   * @listMapKeys ["type"]
   * @listType map
   */
  readonly supportContainerResources?: readonly SupportContainerResources[];
  /** Versions of the guest agent that are supported, as globs. */
  readonly supportedGuestAgentVersions?: readonly string[];
  /** TLS versions and ciphers of components. */
  readonly tlsConfiguration?: TLSConfiguration;
  /**
   * Whether templates of virtual machines are installed.
   * @nullable
   */
  readonly virtTemplateDeployment?: OptionalDeployment;
  /** Guests that a node takes. */
  readonly virtualMachineInstancesPerNode?: Int;
  /** Defaults of all guests. */
  readonly virtualMachineOptions?: VirtualMachineOptions;
  /**
   * Whether changes reach running guests where possible (LiveUpdate) or at the next start (Stage).
   * @nullable
   */
  readonly vmRolloutStrategy?: 'Stage' | 'LiveUpdate';
  /** Storage class of volumes for TPM and EFI state. */
  readonly vmStateStorageClass?: string;
  /** Rate limits of webhooks. */
  readonly webhookConfiguration?: ReloadableComponentConfiguration;
}

/** Settings that a component takes over while it runs. */
export interface ReloadableComponentConfiguration {
  /** How it talks to the API server. */
  readonly restClient?: RESTClientConfiguration;
}

/** How a component talks to the API server. */
export interface RESTClientConfiguration {
  /** How fast. */
  readonly rateLimiter?: RateLimiter;
}

/** How fast a component may talk. */
export interface RateLimiter {
  /** A steady rate with bursts. */
  readonly tokenBucketRateLimiter?: TokenBucketRateLimiter;
}

/** A steady rate with bursts. */
export interface TokenBucketRateLimiter {
  /** Requests at once. */
  readonly burst: Int;
  /** Requests a second. */
  readonly qps: number;
}

/** Machine types and firmware of each architecture. */
export interface ArchitectureConfiguration {
  /** Settings of amd64. */
  readonly amd64?: ArchSpecificConfiguration;
  /** Settings of arm64. */
  readonly arm64?: ArchSpecificConfiguration;
  /** Architecture of guests that name none. */
  readonly defaultArchitecture?: string;
  /** No longer supported. */
  readonly ppc64le?: ArchSpecificConfiguration;
  /** Settings of s390x. */
  readonly s390x?: ArchSpecificConfiguration;
}

/** Machine types and firmware of an architecture. */
export interface ArchSpecificConfiguration {
  /**
   * Machine types that guests may use, as globs.
   * @listType atomic
   */
  readonly emulatedMachines?: readonly string[];
  /** Machine type of guests that name none. */
  readonly machineType?: string;
  /** Directory of the EFI firmware. */
  readonly ovmfPath?: string;
}

/** Machines whose changed blocks are tracked. */
export interface ChangedBlockTrackingLabelSelectors {
  /** Labels of their namespaces. */
  readonly namespaceLabelSelector?: LabelSelector;
  /** Labels of the machines. */
  readonly virtualMachineLabelSelector?: LabelSelector;
}

/** A part that can be left out. */
export interface OptionalDeployment {
  /**
   * Whether it is there.
   * @nullable
   */
  readonly enabled?: boolean;
}

/** Settings for encrypted guests. */
export interface ConfidentialComputeConfiguration {
  /**
   * Settings of Intel TDX.
   * @nullable
   */
  readonly tdx?: TDXConfiguration;
}

/** Settings of Intel TDX. */
export interface TDXConfiguration {
  /** How guests are measured. */
  readonly attestation?: TDXAttestationConfiguration;
}

/** How TDX guests are measured. */
export interface TDXAttestationConfiguration {
  /**
   * Refuses guests that cannot be measured.
   * @default false
   */
  readonly enforced?: boolean;
  /**
   * Socket of the quote generation service on the node.
   * @default "/var/run/tdx-qgs/qgs.socket"
   */
  readonly qgsSocketPath?: string;
}

/** Feature gates and other settings for the brave. */
export interface DeveloperConfiguration {
  /** Lets the profiler of components be used. */
  readonly clusterProfiler?: boolean;
  /** vCPUs per CPU that is requested. */
  readonly cpuAllocationRatio?: Int;
  /**
   * Beta features that are switched off.
   * @listType atomic
   */
  readonly disabledFeatureGates?: readonly string[];
  /** Limits for looking into disk images. */
  readonly diskVerification?: DiskVerification;
  /**
   * Features that are switched on.
   * @listType atomic
   */
  readonly featureGates?: readonly string[];
  /** How much components log. */
  readonly logVerbosity?: LogVerbosity;
  /**
   * Percent of a guest's memory to its Pod's request; above 100 packs more guests on a node.
   * @minimum 10
   */
  readonly memoryOvercommit?: Int;
  /** Lowest frequency of time stamp counters, in Hz. */
  readonly minimumClusterTSCFrequency?: Int64;
  /** Bytes that are left free in a claim with a disk image. */
  readonly minimumReservePVCBytes?: Int64;
  /** Labels that the node of every guest must have. */
  readonly nodeSelectors?: Readonly<Record<string, string>>;
  /** Percent that a claim may be smaller than its image. */
  readonly pvcTolerateLessSpaceUpToPercent?: Int;
  /** Runs guests also on nodes without hardware virtualisation, slowly. */
  readonly useEmulation?: boolean;
}

/** Limits for looking into disk images. */
export interface DiskVerification {
  /** Memory that the tool may use. */
  readonly memoryLimit: Quantity;
}

/** How much components log, from 0 to 10. */
export interface LogVerbosity {
  /** Of virt-handler, by node. */
  readonly nodeVerbosity?: Readonly<Record<string, Int>>;
  /** Of virt-api. */
  readonly virtAPI?: Int;
  /** Of virt-controller. */
  readonly virtController?: Int;
  /** Of virt-handler. */
  readonly virtHandler?: Int;
  /** Of virt-launcher. */
  readonly virtLauncher?: Int;
  /** Of virt-operator. */
  readonly virtOperator?: Int;
  /** Of the synchronization controller. */
  readonly virtSynchronizationController?: Int;
}

/** The hypervisor that runs guests. */
export interface HypervisorConfiguration {
  /** kvm or hyperv-direct. */
  readonly name?: 'kvm' | 'hyperv-direct';
}

/** How virtual machines refer to instance types. */
export interface InstancetypeConfiguration {
  /**
   * reference keeps the name, expand writes the values into new machines, expandAll into all.
   * @nullable
   */
  readonly referencePolicy?: 'reference' | 'expand' | 'expandAll';
}

/** Nodes on which equal memory pages are merged. */
export interface KSMConfiguration {
  /** Labels of the nodes. */
  readonly nodeLabelSelector?: LabelSelector;
}

/** Limits for what is plugged into running guests. */
export interface LiveUpdateConfiguration {
  /** Sockets that guests may reach. */
  readonly maxCpuSockets?: Int32;
  /** Memory that guests may reach. */
  readonly maxGuest?: Quantity;
  /** How many times their first size guests may reach; 4 when unset. */
  readonly maxHotplugRatio?: Int32;
}

/** Settings of migrations. */
export interface ClusterMigrationConfiguration {
  /** Slows a guest down when it changes memory faster than it can be moved. */
  readonly allowAutoConverge?: boolean;
  /** Lets guests run on the target before all memory is there. */
  readonly allowPostCopy?: boolean;
  /** Lets a migration that does not end pause its guest; follows allowPostCopy when unset. */
  readonly allowWorkloadDisruption?: boolean;
  /** Bytes a second that a migration may use; 0 is no limit. */
  readonly bandwidthPerMigration?: Quantity;
  /** Seconds for each GiB of memory and disk before a migration is forced or aborted; 150 when unset. */
  readonly completionTimeoutPerGiB?: Int64;
  /** Moves the data unencrypted. */
  readonly disableTLS?: boolean;
  /** Gives target Pods the SELinux level of the source. */
  readonly matchSELinuxLevelOnMigration?: boolean;
  /**
   * Milliseconds that a guest may stand still at the end; 900 when unset.
   * @maximum 2000000
   * @minimum 1
   */
  readonly maxDowntimeMs?: Int64;
  /** NetworkAttachmentDefinition of the network that carries the data. */
  readonly network?: string;
  /** Taint that makes guests leave a node. */
  readonly nodeDrainTaintKey?: string;
  /** Migrations that run at once in the cluster; 5 when unset. */
  readonly parallelMigrationsPerCluster?: Int32;
  /** Migrations that leave a node at once; 2 when unset. */
  readonly parallelOutboundMigrationsPerNode?: Int32;
  /** Seconds without progress after which a migration is aborted; 150 when unset. */
  readonly progressTimeout?: Int64;
  /** Migrates also guests with disks that other nodes may not see alike. */
  readonly unsafeMigrationOverride?: boolean;
  /** Seconds to wait for utility volumes to be detached; 150 when unset. */
  readonly utilityVolumesTimeout?: Int64;
}

/** Settings of guests' networks. */
export interface NetworkConfiguration {
  /** Binding plugins, by name. */
  readonly binding?: Readonly<Record<string, InterfaceBindingPlugin>>;
  /** Binding of guests that name no network: bridge (default) or masquerade. */
  readonly defaultNetworkInterface?: string;
  /** Whether guests may be bridged to the Pod network; true when unset. */
  readonly permitBridgeInterfaceOnPodNetwork?: boolean;
  /** No longer used. */
  readonly permitSlirpInterface?: boolean;
}

/** A binding plugin. */
export interface InterfaceBindingPlugin {
  /** CPU and memory that the launcher needs for it. */
  readonly computeResourceOverhead?: ResourceRequirementsWithoutClaims;
  /** How the guest is attached: tap or managedTap. */
  readonly domainAttachmentType?: string;
  /** What the plugin is told: device-info. */
  readonly downwardAPI?: string;
  /** How guests with this binding migrate. */
  readonly migration?: InterfaceBindingMigration;
  /** NetworkAttachmentDefinition that the plugin's CNI part uses. */
  readonly networkAttachmentDefinition?: string;
  /** Image of the plugin's sidecar. */
  readonly sidecarImage?: string;
}

/** How guests with a binding migrate. */
export interface InterfaceBindingMigration {
  /** link-refresh, or none. */
  readonly method?: string;
}

/** Seccomp profile of launchers. */
export interface SeccompConfiguration {
  /** The profile. */
  readonly virtualMachineInstanceProfile?: VirtualMachineInstanceProfile;
}

/** Seccomp profile of launchers. */
export interface VirtualMachineInstanceProfile {
  /** A profile of your own, or the runtime's. */
  readonly customProfile?: CustomProfile;
}

/** A seccomp profile; one of the two is set. */
export interface CustomProfile {
  /** Path of a profile on the node. */
  readonly localhostProfile?: string;
  /** Uses the profile of the container runtime. */
  readonly runtimeDefaultProfile?: boolean;
}

/** What guests read about their board. */
export interface SMBiosConfiguration {
  /** Family. */
  readonly family?: string;
  /** Manufacturer. */
  readonly manufacturer?: string;
  /** Product. */
  readonly product?: string;
  /** Stock keeping number. */
  readonly sku?: string;
  /** Version. */
  readonly version?: string;
}

/** CPU and memory of a kind of helper container. */
export interface SupportContainerResources {
  /** Requests and limits. */
  readonly resources: ResourceRequirementsWithoutClaims;
  /** container-disk, hotplug-disk, sidecar, virtiofs, guest-console-log or vmexport. */
  readonly type: string;
}

/** TLS versions and ciphers of components. */
export interface TLSConfiguration {
  /**
   * Ciphers up to TLS 1.2.
   * @listType set
   */
  readonly ciphers?: readonly string[];
  /** Oldest version. */
  readonly minTLSVersion?: 'VersionTLS10' | 'VersionTLS11' | 'VersionTLS12' | 'VersionTLS13';
}

/** Defaults of all guests. */
export interface VirtualMachineOptions {
  /** Guests do not give back free memory. */
  readonly disableFreePageReporting?: EmptyObject;
  /** Serial consoles are not copied to logs. */
  readonly disableSerialConsoleLog?: EmptyObject;
}

/** Times of fenced restarts; docs/node-loss.md says what they add up to. */
export interface NodeLossConfiguration {
  /**
   * Seconds without a renewal after which the lease of a guest on its storage is over; 16 when unset. Guests keep
   * the length that they were started with.
   * @minimum 4
   * @maximum 300
   */
  readonly leaseSeconds?: Int32;
  /**
   * Seconds without a word of its virt-handler after which a node is lost; 20 when unset.
   * @minimum 4
   * @maximum 600
   */
  readonly silenceSeconds?: Int32;
}
