import type { Affinity, LabelSelector, LocalObjectReference, Toleration } from './kubernetes.ts';
import type { EmptyObject, Int, Int32, Int64, KubernetesObject, Quantity } from './meta.ts';
import type { Resources } from './vm.ts';
import type { VMICondition } from './vmi-status.ts';

/** - */
export interface KubeVirt extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'KubeVirt';
  /**
   * -
   */
  readonly spec: KubeVirtSpec;
  /**
   * -
   */
  readonly status?: KubeVirtStatus;
}

/** - */
export interface KubeVirtSpec {
  /**
   * -
   */
  readonly certificateRotateStrategy?: CertificateRotateStrategy;
  /**
   * -
   */
  readonly configuration?: KubeVirtConfiguration;
  /**
   * -
   */
  readonly customizeComponents?: CustomizeComponents;
  /**
   * -
   */
  readonly imagePullPolicy?: string;
  /**
   * -
   * @listType atomic
   */
  readonly imagePullSecrets?: readonly LocalObjectReference[];
  /**
   * -
   */
  readonly imageRegistry?: string;
  /**
   * -
   */
  readonly imageTag?: string;
  /**
   * -
   */
  readonly infra?: Infra;
  /**
   * -
   */
  readonly monitorAccount?: string;
  /**
   * -
   */
  readonly monitorNamespace?: string;
  /**
   * -
   */
  readonly productComponent?: string;
  /**
   * -
   */
  readonly productName?: string;
  /**
   * -
   */
  readonly productVersion?: string;
  /**
   * -
   */
  readonly serviceMonitorNamespace?: string;
  /**
   * -
   */
  readonly synchronizationPort?: string;
  /**
   * -
   */
  readonly uninstallStrategy?: string;
  /**
   * -
   */
  readonly workloadUpdateStrategy?: WorkloadUpdateStrategy;
  /**
   * -
   */
  readonly workloads?: Infra;
}

/** - */
export interface CertificateRotateStrategy {
  /**
   * -
   */
  readonly selfSigned?: SelfSigned;
}

/** - */
export interface SelfSigned {
  /**
   * -
   */
  readonly ca?: Ca;
  /**
   * -
   */
  readonly caOverlapInterval?: string;
  /**
   * -
   */
  readonly caRotateInterval?: string;
  /**
   * -
   */
  readonly certRotateInterval?: string;
  /**
   * -
   */
  readonly server?: Ca;
}

/** - */
export interface Ca {
  /**
   * -
   */
  readonly duration?: string;
  /**
   * -
   */
  readonly renewBefore?: string;
}

/** - */
export interface KubeVirtConfiguration {
  /**
   * -
   */
  readonly additionalGuestMemoryOverheadRatio?: string;
  /**
   * -
   */
  readonly apiConfiguration?: ApiConfiguration;
  /**
   * -
   */
  readonly architectureConfiguration?: ArchitectureConfiguration;
  /**
   * -
   * @mapType atomic
   */
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
  readonly commonInstancetypesDeployment?: CommonInstancetypesDeployment;
  /**
   * -
   * @nullable
   */
  readonly confidentialCompute?: ConfidentialCompute;
  /**
   * -
   */
  readonly controllerConfiguration?: ApiConfiguration;
  /**
   * -
   */
  readonly cpuModel?: string;
  /**
   * -
   */
  readonly cpuRequest?: Quantity;
  /**
   * -
   */
  readonly defaultRuntimeClass?: string;
  /**
   * -
   */
  readonly developerConfiguration?: DeveloperConfiguration;
  /**
   * -
   */
  readonly emulatedMachines?: readonly string[];
  /**
   * -
   */
  readonly evictionStrategy?: string;
  /**
   * -
   */
  readonly handlerConfiguration?: ApiConfiguration;
  /**
   * -
   * @maxItems 1
   * @listType atomic
   */
  readonly hypervisors?: readonly Hypervisors[];
  /**
   * -
   */
  readonly imagePullPolicy?: string;
  /**
   * -
   * @nullable
   */
  readonly instancetype?: Instancetype;
  /**
   * -
   */
  readonly ksmConfiguration?: KsmConfiguration;
  /**
   * -
   */
  readonly liveUpdateConfiguration?: LiveUpdateConfiguration;
  /**
   * -
   */
  readonly machineType?: string;
  /**
   * -
   */
  readonly mediatedDevicesConfiguration?: MediatedDevicesConfiguration;
  /**
   * -
   */
  readonly memBalloonStatsPeriod?: Int32;
  /**
   * -
   */
  readonly migrations?: Migrations;
  /**
   * -
   */
  readonly minCPUModel?: string;
  /**
   * -
   */
  readonly network?: ConfigurationNetwork;
  /**
   * -
   */
  readonly obsoleteCPUModels?: Readonly<Record<string, boolean>>;
  /**
   * -
   */
  readonly ovmfPath?: string;
  /**
   * -
   */
  readonly permittedHostDevices?: PermittedHostDevices;
  /**
   * -
   * @nullable
   */
  readonly persistentReservationConfiguration?: CommonInstancetypesDeployment;
  /**
   * -
   */
  readonly roleAggregationStrategy?: 'AggregateToDefault' | 'Manual';
  /**
   * -
   */
  readonly seccompConfiguration?: SeccompConfiguration;
  /**
   * -
   */
  readonly selinuxLauncherType?: string;
  /**
   * -
   */
  readonly smbios?: Smbios;
  /**
   * -
   * @listMapKeys ["type"]
   * @listType map
   */
  readonly supportContainerResources?: readonly SupportContainerResources[];
  /**
   * -
   */
  readonly supportedGuestAgentVersions?: readonly string[];
  /**
   * -
   */
  readonly tlsConfiguration?: TlsConfiguration;
  /**
   * -
   * @nullable
   */
  readonly virtTemplateDeployment?: CommonInstancetypesDeployment;
  /**
   * -
   */
  readonly virtualMachineInstancesPerNode?: Int;
  /**
   * -
   */
  readonly virtualMachineOptions?: VirtualMachineOptions;
  /**
   * -
   * @nullable
   */
  readonly vmRolloutStrategy?: 'Stage' | 'LiveUpdate';
  /**
   * -
   */
  readonly vmStateStorageClass?: string;
  /**
   * -
   */
  readonly webhookConfiguration?: ApiConfiguration;
}

/** - */
export interface ApiConfiguration {
  /**
   * -
   */
  readonly restClient?: RestClient;
}

/** - */
export interface RestClient {
  /**
   * -
   */
  readonly rateLimiter?: RateLimiter;
}

/** - */
export interface RateLimiter {
  /**
   * -
   */
  readonly tokenBucketRateLimiter?: TokenBucketRateLimiter;
}

/** - */
export interface TokenBucketRateLimiter {
  /**
   * -
   */
  readonly burst: Int;
  /**
   * -
   */
  readonly qps: number;
}

/** - */
export interface ArchitectureConfiguration {
  /**
   * -
   */
  readonly amd64?: Amd64;
  /**
   * -
   */
  readonly arm64?: Amd64;
  /**
   * -
   */
  readonly defaultArchitecture?: string;
  /**
   * -
   */
  readonly ppc64le?: Amd64;
  /**
   * -
   */
  readonly s390x?: Amd64;
}

/** - */
export interface Amd64 {
  /**
   * -
   * @listType atomic
   */
  readonly emulatedMachines?: readonly string[];
  /**
   * -
   */
  readonly machineType?: string;
  /**
   * -
   */
  readonly ovmfPath?: string;
}

/** - */
export interface ChangedBlockTrackingLabelSelectors {
  /**
   * -
   * @mapType atomic
   */
  readonly namespaceLabelSelector?: LabelSelector;
  /**
   * -
   * @mapType atomic
   */
  readonly virtualMachineLabelSelector?: LabelSelector;
}

/** - */
export interface CommonInstancetypesDeployment {
  /**
   * -
   * @nullable
   */
  readonly enabled?: boolean;
}

/** - */
export interface ConfidentialCompute {
  /**
   * -
   * @nullable
   */
  readonly tdx?: Tdx;
}

/** - */
export interface Tdx {
  /**
   * -
   */
  readonly attestation?: Attestation;
}

/** - */
export interface Attestation {
  /**
   * -
   * @default false
   */
  readonly enforced?: boolean;
  /**
   * -
   * @default /var/run/tdx-qgs/qgs.socket
   */
  readonly qgsSocketPath?: string;
}

/** - */
export interface DeveloperConfiguration {
  /**
   * -
   */
  readonly clusterProfiler?: boolean;
  /**
   * -
   */
  readonly cpuAllocationRatio?: Int;
  /**
   * -
   * @listType atomic
   */
  readonly disabledFeatureGates?: readonly string[];
  /**
   * -
   */
  readonly diskVerification?: DiskVerification;
  /**
   * -
   * @listType atomic
   */
  readonly featureGates?: readonly string[];
  /**
   * -
   */
  readonly logVerbosity?: LogVerbosity;
  /**
   * -
   * @minimum 10
   */
  readonly memoryOvercommit?: Int;
  /**
   * -
   */
  readonly minimumClusterTSCFrequency?: Int64;
  /**
   * -
   */
  readonly minimumReservePVCBytes?: Int64;
  /**
   * -
   */
  readonly nodeSelectors?: Readonly<Record<string, string>>;
  /**
   * -
   */
  readonly pvcTolerateLessSpaceUpToPercent?: Int;
  /**
   * -
   */
  readonly useEmulation?: boolean;
}

/** - */
export interface DiskVerification {
  /**
   * -
   */
  readonly memoryLimit: Quantity;
}

/** - */
export interface LogVerbosity {
  /**
   * -
   */
  readonly nodeVerbosity?: Readonly<Record<string, Int>>;
  /**
   * -
   */
  readonly virtAPI?: Int;
  /**
   * -
   */
  readonly virtController?: Int;
  /**
   * -
   */
  readonly virtHandler?: Int;
  /**
   * -
   */
  readonly virtLauncher?: Int;
  /**
   * -
   */
  readonly virtOperator?: Int;
  /**
   * -
   */
  readonly virtSynchronizationController?: Int;
}

/** - */
export interface Hypervisors {
  /**
   * -
   */
  readonly name?: 'kvm' | 'hyperv-direct';
}

/** - */
export interface Instancetype {
  /**
   * -
   * @nullable
   */
  readonly referencePolicy?: 'reference' | 'expand' | 'expandAll';
}

/** - */
export interface KsmConfiguration {
  /**
   * -
   * @mapType atomic
   */
  readonly nodeLabelSelector?: LabelSelector;
}

/** - */
export interface LiveUpdateConfiguration {
  /**
   * -
   */
  readonly maxCpuSockets?: Int32;
  /**
   * -
   */
  readonly maxGuest?: Quantity;
  /**
   * -
   */
  readonly maxHotplugRatio?: Int32;
}

/** - */
export interface MediatedDevicesConfiguration {
  /**
   * -
   */
  readonly enabled?: boolean;
  /**
   * -
   * @listType atomic
   */
  readonly mediatedDeviceTypes?: readonly string[];
  /**
   * -
   * @listType atomic
   */
  readonly mediatedDevicesTypes?: readonly string[];
  /**
   * -
   * @listType atomic
   */
  readonly nodeMediatedDeviceTypes?: readonly NodeMediatedDeviceTypes[];
}

/** - */
export interface NodeMediatedDeviceTypes {
  /**
   * -
   * @listType atomic
   */
  readonly mediatedDeviceTypes?: readonly string[];
  /**
   * -
   * @listType atomic
   */
  readonly mediatedDevicesTypes?: readonly string[];
  /**
   * -
   */
  readonly nodeSelector: Readonly<Record<string, string>>;
}

/** - */
export interface Migrations {
  /**
   * -
   */
  readonly allowAutoConverge?: boolean;
  /**
   * -
   */
  readonly allowPostCopy?: boolean;
  /**
   * -
   */
  readonly allowWorkloadDisruption?: boolean;
  /**
   * -
   */
  readonly bandwidthPerMigration?: Quantity;
  /**
   * -
   */
  readonly completionTimeoutPerGiB?: Int64;
  /**
   * -
   */
  readonly disableTLS?: boolean;
  /**
   * -
   */
  readonly matchSELinuxLevelOnMigration?: boolean;
  /**
   * -
   * @maximum 2000000
   * @minimum 1
   */
  readonly maxDowntimeMs?: Int64;
  /**
   * -
   */
  readonly network?: string;
  /**
   * -
   */
  readonly nodeDrainTaintKey?: string;
  /**
   * -
   */
  readonly parallelMigrationsPerCluster?: Int32;
  /**
   * -
   */
  readonly parallelOutboundMigrationsPerNode?: Int32;
  /**
   * -
   */
  readonly progressTimeout?: Int64;
  /**
   * -
   */
  readonly unsafeMigrationOverride?: boolean;
  /**
   * -
   */
  readonly utilityVolumesTimeout?: Int64;
}

/** - */
export interface ConfigurationNetwork {
  /**
   * -
   */
  readonly binding?: Readonly<Record<string, Binding>>;
  /**
   * -
   */
  readonly defaultNetworkInterface?: string;
  /**
   * -
   */
  readonly permitBridgeInterfaceOnPodNetwork?: boolean;
  /**
   * -
   */
  readonly permitSlirpInterface?: boolean;
}

/** - */
export interface Binding {
  /**
   * -
   */
  readonly computeResourceOverhead?: Resources;
  /**
   * -
   */
  readonly domainAttachmentType?: string;
  /**
   * -
   */
  readonly downwardAPI?: string;
  /**
   * -
   */
  readonly migration?: Migration;
  /**
   * -
   */
  readonly networkAttachmentDefinition?: string;
  /**
   * -
   */
  readonly sidecarImage?: string;
}

/** - */
export interface Migration {
  /**
   * -
   */
  readonly method?: string;
}

/** - */
export interface PermittedHostDevices {
  /**
   * -
   * @listType atomic
   */
  readonly mediatedDevices?: readonly MediatedDevices[];
  /**
   * -
   * @listType atomic
   */
  readonly pciHostDevices?: readonly PciHostDevices[];
  /**
   * -
   * @listType atomic
   */
  readonly usb?: readonly Usb[];
}

/** - */
export interface MediatedDevices {
  /**
   * -
   */
  readonly externalResourceProvider?: boolean;
  /**
   * -
   */
  readonly mdevNameSelector: string;
  /**
   * -
   */
  readonly resourceName: string;
}

/** - */
export interface PciHostDevices {
  /**
   * -
   */
  readonly externalResourceProvider?: boolean;
  /**
   * -
   */
  readonly pciVendorSelector: string;
  /**
   * -
   */
  readonly resourceName: string;
}

/** - */
export interface Usb {
  /**
   * -
   */
  readonly externalResourceProvider?: boolean;
  /**
   * -
   */
  readonly resourceName: string;
  /**
   * -
   * @listType atomic
   */
  readonly selectors?: readonly Selectors[];
}

/** - */
export interface Selectors {
  /**
   * -
   */
  readonly product: string;
  /**
   * -
   */
  readonly vendor: string;
}

/** - */
export interface SeccompConfiguration {
  /**
   * -
   */
  readonly virtualMachineInstanceProfile?: VirtualMachineInstanceProfile;
}

/** - */
export interface VirtualMachineInstanceProfile {
  /**
   * -
   */
  readonly customProfile?: CustomProfile;
}

/** - */
export interface CustomProfile {
  /**
   * -
   */
  readonly localhostProfile?: string;
  /**
   * -
   */
  readonly runtimeDefaultProfile?: boolean;
}

/** - */
export interface Smbios {
  /**
   * -
   */
  readonly family?: string;
  /**
   * -
   */
  readonly manufacturer?: string;
  /**
   * -
   */
  readonly product?: string;
  /**
   * -
   */
  readonly sku?: string;
  /**
   * -
   */
  readonly version?: string;
}

/** - */
export interface SupportContainerResources {
  /**
   * -
   */
  readonly resources: Resources;
  /**
   * -
   */
  readonly type: string;
}

/** - */
export interface TlsConfiguration {
  /**
   * -
   * @listType set
   */
  readonly ciphers?: readonly string[];
  /**
   * -
   */
  readonly minTLSVersion?: 'VersionTLS10' | 'VersionTLS11' | 'VersionTLS12' | 'VersionTLS13';
}

/** - */
export interface VirtualMachineOptions {
  /**
   * -
   */
  readonly disableFreePageReporting?: EmptyObject;
  /**
   * -
   */
  readonly disableSerialConsoleLog?: EmptyObject;
}

/** - */
export interface CustomizeComponents {
  /**
   * -
   */
  readonly flags?: Flags;
  /**
   * -
   * @listType atomic
   */
  readonly patches?: readonly Patches[];
}

/** - */
export interface Flags {
  /**
   * -
   */
  readonly api?: Readonly<Record<string, string>>;
  /**
   * -
   */
  readonly controller?: Readonly<Record<string, string>>;
  /**
   * -
   */
  readonly handler?: Readonly<Record<string, string>>;
}

/** - */
export interface Patches {
  /**
   * -
   */
  readonly patch: string;
  /**
   * -
   * @minLength 1
   */
  readonly resourceName: string;
  /**
   * -
   * @minLength 1
   */
  readonly resourceType: string;
  /**
   * -
   */
  readonly type: string;
}

/** - */
export interface Infra {
  /**
   * -
   */
  readonly nodePlacement?: NodePlacement;
  /**
   * -
   */
  readonly replicas?: Int;
}

/** - */
export interface NodePlacement {
  /**
   * -
   */
  readonly affinity?: Affinity;
  /**
   * -
   */
  readonly nodeSelector?: Readonly<Record<string, string>>;
  /**
   * -
   */
  readonly tolerations?: readonly Toleration[];
}

/** - */
export interface WorkloadUpdateStrategy {
  /**
   * -
   */
  readonly batchEvictionInterval?: string;
  /**
   * -
   */
  readonly batchEvictionSize?: Int;
  /**
   * -
   * @listType atomic
   */
  readonly workloadUpdateMethods?: readonly string[];
}

/** - */
export interface KubeVirtStatus {
  /**
   * -
   */
  readonly conditions?: readonly VMICondition[];
  /**
   * -
   */
  readonly defaultArchitecture?: string;
  /**
   * -
   * @listType atomic
   */
  readonly generations?: readonly Generations[];
  /**
   * -
   */
  readonly observedDeploymentConfig?: string;
  /**
   * -
   */
  readonly observedDeploymentID?: string;
  /**
   * -
   */
  readonly observedGeneration?: Int64;
  /**
   * -
   */
  readonly observedKubeVirtRegistry?: string;
  /**
   * -
   */
  readonly observedKubeVirtVersion?: string;
  /**
   * -
   */
  readonly operatorVersion?: string;
  /**
   * -
   */
  readonly outdatedVirtualMachineInstanceWorkloads?: Int;
  /**
   * -
   */
  readonly phase?: string;
  /**
   * -
   * @listType atomic
   */
  readonly synchronizationAddresses?: readonly string[];
  /**
   * -
   */
  readonly targetDeploymentConfig?: string;
  /**
   * -
   */
  readonly targetDeploymentID?: string;
  /**
   * -
   */
  readonly targetKubeVirtRegistry?: string;
  /**
   * -
   */
  readonly targetKubeVirtVersion?: string;
}

/** - */
export interface Generations {
  /**
   * -
   */
  readonly group: string;
  /**
   * -
   */
  readonly hash?: string;
  /**
   * -
   */
  readonly lastGeneration: Int64;
  /**
   * -
   */
  readonly name: string;
  /**
   * -
   */
  readonly namespace?: string;
  /**
   * -
   */
  readonly resource: string;
}
