// Generated from src/types by scripts/generate-crds.ts. Do not edit.
import type { JSONSchemaProps } from '../crds/schema.ts';

const INT_OR_STRING: JSONSchemaProps = {
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  'x-kubernetes-int-or-string': true,
};
const QUANTITY: JSONSchemaProps = { ...INT_OR_STRING, pattern: "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$" };

const CertConfig: JSONSchemaProps = {
  type: 'object',
  properties: {
    duration: { type: 'string' },
    renewBefore: { type: 'string' },
  },
};

const KubeVirtSelfSignConfiguration: JSONSchemaProps = {
  type: 'object',
  properties: {
    ca: CertConfig,
    caOverlapInterval: { type: 'string' },
    caRotateInterval: { type: 'string' },
    certRotateInterval: { type: 'string' },
    server: CertConfig,
  },
};

const KubeVirtCertificateRotateStrategy: JSONSchemaProps = {
  type: 'object',
  properties: {
    selfSigned: KubeVirtSelfSignConfiguration,
  },
};

const TokenBucketRateLimiter: JSONSchemaProps = {
  type: 'object',
  required: ['burst', 'qps'],
  properties: {
    burst: { type: 'integer' },
    qps: { type: 'number' },
  },
};

const RateLimiter: JSONSchemaProps = {
  type: 'object',
  properties: {
    tokenBucketRateLimiter: TokenBucketRateLimiter,
  },
};

const RESTClientConfiguration: JSONSchemaProps = {
  type: 'object',
  properties: {
    rateLimiter: RateLimiter,
  },
};

const ReloadableComponentConfiguration: JSONSchemaProps = {
  type: 'object',
  properties: {
    restClient: RESTClientConfiguration,
  },
};

const ArchSpecificConfiguration: JSONSchemaProps = {
  type: 'object',
  properties: {
    emulatedMachines: { ...{ type: 'array', items: { type: 'string' } }, 'x-kubernetes-list-type': "atomic" },
    machineType: { type: 'string' },
    ovmfPath: { type: 'string' },
  },
};

const ArchitectureConfiguration: JSONSchemaProps = {
  type: 'object',
  properties: {
    amd64: ArchSpecificConfiguration,
    arm64: ArchSpecificConfiguration,
    defaultArchitecture: { type: 'string' },
    ppc64le: ArchSpecificConfiguration,
    s390x: ArchSpecificConfiguration,
  },
};

const SelectorRequirement: JSONSchemaProps = {
  type: 'object',
  required: ['key', 'operator'],
  properties: {
    key: { type: 'string' },
    operator: { type: 'string' },
    values: { ...{ type: 'array', items: { type: 'string' } }, 'x-kubernetes-list-type': "atomic" },
  },
};

const LabelSelector: JSONSchemaProps = {
  type: 'object',
  'x-kubernetes-map-type': "atomic",
  properties: {
    matchExpressions: { ...{ type: 'array', items: SelectorRequirement }, 'x-kubernetes-list-type': "atomic" },
    matchLabels: { type: 'object', additionalProperties: { type: 'string' } },
  },
};

const ChangedBlockTrackingLabelSelectors: JSONSchemaProps = {
  type: 'object',
  properties: {
    namespaceLabelSelector: LabelSelector,
    virtualMachineLabelSelector: LabelSelector,
  },
};

const OptionalDeployment: JSONSchemaProps = {
  type: 'object',
  properties: {
    enabled: { ...{ type: 'boolean' }, nullable: true },
  },
};

const TDXAttestationConfiguration: JSONSchemaProps = {
  type: 'object',
  properties: {
    enforced: { ...{ type: 'boolean' }, default: false },
    qgsSocketPath: { ...{ type: 'string' }, default: "/var/run/tdx-qgs/qgs.socket" },
  },
};

const TDXConfiguration: JSONSchemaProps = {
  type: 'object',
  properties: {
    attestation: TDXAttestationConfiguration,
  },
};

const ConfidentialComputeConfiguration: JSONSchemaProps = {
  type: 'object',
  properties: {
    tdx: { ...TDXConfiguration, nullable: true },
  },
};

const DiskVerification: JSONSchemaProps = {
  type: 'object',
  required: ['memoryLimit'],
  properties: {
    memoryLimit: QUANTITY,
  },
};

const LogVerbosity: JSONSchemaProps = {
  type: 'object',
  properties: {
    nodeVerbosity: { type: 'object', additionalProperties: { type: 'integer' } },
    virtAPI: { type: 'integer' },
    virtController: { type: 'integer' },
    virtHandler: { type: 'integer' },
    virtLauncher: { type: 'integer' },
    virtOperator: { type: 'integer' },
    virtSynchronizationController: { type: 'integer' },
  },
};

const DeveloperConfiguration: JSONSchemaProps = {
  type: 'object',
  properties: {
    clusterProfiler: { type: 'boolean' },
    cpuAllocationRatio: { type: 'integer' },
    disabledFeatureGates: { ...{ type: 'array', items: { type: 'string' } }, 'x-kubernetes-list-type': "atomic" },
    diskVerification: DiskVerification,
    featureGates: { ...{ type: 'array', items: { type: 'string' } }, 'x-kubernetes-list-type': "atomic" },
    logVerbosity: LogVerbosity,
    memoryOvercommit: { ...{ type: 'integer' }, minimum: 10 },
    minimumClusterTSCFrequency: { type: 'integer', format: 'int64' },
    minimumReservePVCBytes: { type: 'integer', format: 'int64' },
    nodeSelectors: { type: 'object', additionalProperties: { type: 'string' } },
    pvcTolerateLessSpaceUpToPercent: { type: 'integer' },
    useEmulation: { type: 'boolean' },
  },
};

const HypervisorConfiguration: JSONSchemaProps = {
  type: 'object',
  properties: {
    name: { type: 'string', enum: ["kvm", "hyperv-direct"] },
  },
};

const InstancetypeConfiguration: JSONSchemaProps = {
  type: 'object',
  properties: {
    referencePolicy: { ...{ type: 'string', enum: ["reference", "expand", "expandAll"] }, nullable: true },
  },
};

const KSMConfiguration: JSONSchemaProps = {
  type: 'object',
  properties: {
    nodeLabelSelector: LabelSelector,
  },
};

const LiveUpdateConfiguration: JSONSchemaProps = {
  type: 'object',
  properties: {
    maxCpuSockets: { type: 'integer', format: 'int32' },
    maxGuest: QUANTITY,
    maxHotplugRatio: { type: 'integer', format: 'int32' },
  },
};

const NodeMediatedDeviceTypesConfig: JSONSchemaProps = {
  type: 'object',
  required: ['nodeSelector'],
  properties: {
    mediatedDeviceTypes: { ...{ type: 'array', items: { type: 'string' } }, 'x-kubernetes-list-type': "atomic" },
    mediatedDevicesTypes: { ...{ type: 'array', items: { type: 'string' } }, 'x-kubernetes-list-type': "atomic" },
    nodeSelector: { type: 'object', additionalProperties: { type: 'string' } },
  },
};

const MediatedDevicesConfiguration: JSONSchemaProps = {
  type: 'object',
  properties: {
    enabled: { type: 'boolean' },
    mediatedDeviceTypes: { ...{ type: 'array', items: { type: 'string' } }, 'x-kubernetes-list-type': "atomic" },
    mediatedDevicesTypes: { ...{ type: 'array', items: { type: 'string' } }, 'x-kubernetes-list-type': "atomic" },
    nodeMediatedDeviceTypes: { ...{ type: 'array', items: NodeMediatedDeviceTypesConfig }, 'x-kubernetes-list-type': "atomic" },
  },
};

const ClusterMigrationConfiguration: JSONSchemaProps = {
  type: 'object',
  properties: {
    allowAutoConverge: { type: 'boolean' },
    allowPostCopy: { type: 'boolean' },
    allowWorkloadDisruption: { type: 'boolean' },
    bandwidthPerMigration: QUANTITY,
    completionTimeoutPerGiB: { type: 'integer', format: 'int64' },
    disableTLS: { type: 'boolean' },
    matchSELinuxLevelOnMigration: { type: 'boolean' },
    maxDowntimeMs: { ...{ type: 'integer', format: 'int64' }, maximum: 2000000, minimum: 1 },
    network: { type: 'string' },
    nodeDrainTaintKey: { type: 'string' },
    parallelMigrationsPerCluster: { type: 'integer', format: 'int32' },
    parallelOutboundMigrationsPerNode: { type: 'integer', format: 'int32' },
    progressTimeout: { type: 'integer', format: 'int64' },
    unsafeMigrationOverride: { type: 'boolean' },
    utilityVolumesTimeout: { type: 'integer', format: 'int64' },
  },
};

const ResourceRequirementsWithoutClaims: JSONSchemaProps = {
  type: 'object',
  properties: {
    limits: { type: 'object', additionalProperties: QUANTITY },
    requests: { type: 'object', additionalProperties: QUANTITY },
  },
};

const InterfaceBindingMigration: JSONSchemaProps = {
  type: 'object',
  properties: {
    method: { type: 'string' },
  },
};

const InterfaceBindingPlugin: JSONSchemaProps = {
  type: 'object',
  properties: {
    computeResourceOverhead: ResourceRequirementsWithoutClaims,
    domainAttachmentType: { type: 'string' },
    downwardAPI: { type: 'string' },
    migration: InterfaceBindingMigration,
    networkAttachmentDefinition: { type: 'string' },
    sidecarImage: { type: 'string' },
  },
};

const NetworkConfiguration: JSONSchemaProps = {
  type: 'object',
  properties: {
    binding: { type: 'object', additionalProperties: InterfaceBindingPlugin },
    defaultNetworkInterface: { type: 'string' },
    permitBridgeInterfaceOnPodNetwork: { type: 'boolean' },
    permitSlirpInterface: { type: 'boolean' },
  },
};

const MediatedHostDevice: JSONSchemaProps = {
  type: 'object',
  required: ['mdevNameSelector', 'resourceName'],
  properties: {
    externalResourceProvider: { type: 'boolean' },
    mdevNameSelector: { type: 'string' },
    resourceName: { type: 'string' },
  },
};

const PciHostDevice: JSONSchemaProps = {
  type: 'object',
  required: ['pciVendorSelector', 'resourceName'],
  properties: {
    externalResourceProvider: { type: 'boolean' },
    pciVendorSelector: { type: 'string' },
    resourceName: { type: 'string' },
  },
};

const USBSelector: JSONSchemaProps = {
  type: 'object',
  required: ['product', 'vendor'],
  properties: {
    product: { type: 'string' },
    vendor: { type: 'string' },
  },
};

const USBHostDevice: JSONSchemaProps = {
  type: 'object',
  required: ['resourceName'],
  properties: {
    externalResourceProvider: { type: 'boolean' },
    resourceName: { type: 'string' },
    selectors: { ...{ type: 'array', items: USBSelector }, 'x-kubernetes-list-type': "atomic" },
  },
};

const PermittedHostDevices: JSONSchemaProps = {
  type: 'object',
  properties: {
    mediatedDevices: { ...{ type: 'array', items: MediatedHostDevice }, 'x-kubernetes-list-type': "atomic" },
    pciHostDevices: { ...{ type: 'array', items: PciHostDevice }, 'x-kubernetes-list-type': "atomic" },
    usb: { ...{ type: 'array', items: USBHostDevice }, 'x-kubernetes-list-type': "atomic" },
  },
};

const CustomProfile: JSONSchemaProps = {
  type: 'object',
  properties: {
    localhostProfile: { type: 'string' },
    runtimeDefaultProfile: { type: 'boolean' },
  },
};

const VirtualMachineInstanceProfile: JSONSchemaProps = {
  type: 'object',
  properties: {
    customProfile: CustomProfile,
  },
};

const SeccompConfiguration: JSONSchemaProps = {
  type: 'object',
  properties: {
    virtualMachineInstanceProfile: VirtualMachineInstanceProfile,
  },
};

const SMBiosConfiguration: JSONSchemaProps = {
  type: 'object',
  properties: {
    family: { type: 'string' },
    manufacturer: { type: 'string' },
    product: { type: 'string' },
    sku: { type: 'string' },
    version: { type: 'string' },
  },
};

const SupportContainerResources: JSONSchemaProps = {
  type: 'object',
  required: ['resources', 'type'],
  properties: {
    resources: ResourceRequirementsWithoutClaims,
    type: { type: 'string' },
  },
};

const TLSConfiguration: JSONSchemaProps = {
  type: 'object',
  properties: {
    ciphers: { ...{ type: 'array', items: { type: 'string' } }, 'x-kubernetes-list-type': "set" },
    minTLSVersion: { type: 'string', enum: ["VersionTLS10", "VersionTLS11", "VersionTLS12", "VersionTLS13"] },
  },
};

const VirtualMachineOptions: JSONSchemaProps = {
  type: 'object',
  properties: {
    disableFreePageReporting: { type: 'object' },
    disableSerialConsoleLog: { type: 'object' },
  },
};

const KubeVirtConfiguration: JSONSchemaProps = {
  type: 'object',
  properties: {
    additionalGuestMemoryOverheadRatio: { type: 'string' },
    apiConfiguration: ReloadableComponentConfiguration,
    architectureConfiguration: ArchitectureConfiguration,
    autoCPULimitNamespaceLabelSelector: LabelSelector,
    changedBlockTrackingLabelSelectors: { ...ChangedBlockTrackingLabelSelectors, nullable: true },
    commonInstancetypesDeployment: { ...OptionalDeployment, nullable: true },
    confidentialCompute: { ...ConfidentialComputeConfiguration, nullable: true },
    controllerConfiguration: ReloadableComponentConfiguration,
    cpuModel: { type: 'string' },
    cpuRequest: QUANTITY,
    defaultRuntimeClass: { type: 'string' },
    developerConfiguration: DeveloperConfiguration,
    emulatedMachines: { type: 'array', items: { type: 'string' } },
    evictionStrategy: { type: 'string' },
    handlerConfiguration: ReloadableComponentConfiguration,
    hypervisors: { ...{ type: 'array', items: HypervisorConfiguration }, maxItems: 1, 'x-kubernetes-list-type': "atomic" },
    imagePullPolicy: { type: 'string' },
    instancetype: { ...InstancetypeConfiguration, nullable: true },
    ksmConfiguration: KSMConfiguration,
    liveUpdateConfiguration: LiveUpdateConfiguration,
    machineType: { type: 'string' },
    mediatedDevicesConfiguration: MediatedDevicesConfiguration,
    memBalloonStatsPeriod: { type: 'integer', format: 'int32' },
    migrations: ClusterMigrationConfiguration,
    minCPUModel: { type: 'string' },
    network: NetworkConfiguration,
    obsoleteCPUModels: { type: 'object', additionalProperties: { type: 'boolean' } },
    ovmfPath: { type: 'string' },
    permittedHostDevices: PermittedHostDevices,
    persistentReservationConfiguration: { ...OptionalDeployment, nullable: true },
    roleAggregationStrategy: { type: 'string', enum: ["AggregateToDefault", "Manual"] },
    seccompConfiguration: SeccompConfiguration,
    selinuxLauncherType: { type: 'string' },
    smbios: SMBiosConfiguration,
    supportContainerResources: { ...{ type: 'array', items: SupportContainerResources }, 'x-kubernetes-list-map-keys': ["type"], 'x-kubernetes-list-type': "map" },
    supportedGuestAgentVersions: { type: 'array', items: { type: 'string' } },
    tlsConfiguration: TLSConfiguration,
    virtTemplateDeployment: { ...OptionalDeployment, nullable: true },
    virtualMachineInstancesPerNode: { type: 'integer' },
    virtualMachineOptions: VirtualMachineOptions,
    vmRolloutStrategy: { ...{ type: 'string', enum: ["Stage", "LiveUpdate"] }, nullable: true },
    vmStateStorageClass: { type: 'string' },
    webhookConfiguration: ReloadableComponentConfiguration,
  },
};

const ComponentFlags: JSONSchemaProps = {
  type: 'object',
  properties: {
    api: { type: 'object', additionalProperties: { type: 'string' } },
    controller: { type: 'object', additionalProperties: { type: 'string' } },
    handler: { type: 'object', additionalProperties: { type: 'string' } },
  },
};

const CustomizeComponentsPatch: JSONSchemaProps = {
  type: 'object',
  required: ['patch', 'resourceName', 'resourceType', 'type'],
  properties: {
    patch: { type: 'string' },
    resourceName: { ...{ type: 'string' }, minLength: 1 },
    resourceType: { ...{ type: 'string' }, minLength: 1 },
    type: { type: 'string' },
  },
};

const CustomizeComponents: JSONSchemaProps = {
  type: 'object',
  properties: {
    flags: ComponentFlags,
    patches: { ...{ type: 'array', items: CustomizeComponentsPatch }, 'x-kubernetes-list-type': "atomic" },
  },
};

const LocalObjectReference: JSONSchemaProps = {
  type: 'object',
  'x-kubernetes-map-type': "atomic",
  properties: {
    name: { ...{ type: 'string' }, default: "" },
  },
};

const NodeSelectorTerm: JSONSchemaProps = {
  type: 'object',
  'x-kubernetes-map-type': "atomic",
  properties: {
    matchExpressions: { ...{ type: 'array', items: SelectorRequirement }, 'x-kubernetes-list-type': "atomic" },
    matchFields: { ...{ type: 'array', items: SelectorRequirement }, 'x-kubernetes-list-type': "atomic" },
  },
};

const PreferredSchedulingTerm: JSONSchemaProps = {
  type: 'object',
  required: ['preference', 'weight'],
  properties: {
    preference: NodeSelectorTerm,
    weight: { type: 'integer', format: 'int32' },
  },
};

const NodeSelector: JSONSchemaProps = {
  type: 'object',
  'x-kubernetes-map-type': "atomic",
  required: ['nodeSelectorTerms'],
  properties: {
    nodeSelectorTerms: { ...{ type: 'array', items: NodeSelectorTerm }, 'x-kubernetes-list-type': "atomic" },
  },
};

const NodeAffinity: JSONSchemaProps = {
  type: 'object',
  properties: {
    preferredDuringSchedulingIgnoredDuringExecution: { ...{ type: 'array', items: PreferredSchedulingTerm }, 'x-kubernetes-list-type': "atomic" },
    requiredDuringSchedulingIgnoredDuringExecution: NodeSelector,
  },
};

const PodAffinityTerm: JSONSchemaProps = {
  type: 'object',
  required: ['topologyKey'],
  properties: {
    labelSelector: LabelSelector,
    matchLabelKeys: { ...{ type: 'array', items: { type: 'string' } }, 'x-kubernetes-list-type': "atomic" },
    mismatchLabelKeys: { ...{ type: 'array', items: { type: 'string' } }, 'x-kubernetes-list-type': "atomic" },
    namespaceSelector: LabelSelector,
    namespaces: { ...{ type: 'array', items: { type: 'string' } }, 'x-kubernetes-list-type': "atomic" },
    topologyKey: { type: 'string' },
  },
};

const WeightedPodAffinityTerm: JSONSchemaProps = {
  type: 'object',
  required: ['podAffinityTerm', 'weight'],
  properties: {
    podAffinityTerm: PodAffinityTerm,
    weight: { type: 'integer', format: 'int32' },
  },
};

const PodAffinity: JSONSchemaProps = {
  type: 'object',
  properties: {
    preferredDuringSchedulingIgnoredDuringExecution: { ...{ type: 'array', items: WeightedPodAffinityTerm }, 'x-kubernetes-list-type': "atomic" },
    requiredDuringSchedulingIgnoredDuringExecution: { ...{ type: 'array', items: PodAffinityTerm }, 'x-kubernetes-list-type': "atomic" },
  },
};

const Affinity: JSONSchemaProps = {
  type: 'object',
  properties: {
    nodeAffinity: NodeAffinity,
    podAffinity: PodAffinity,
    podAntiAffinity: PodAffinity,
  },
};

const Toleration: JSONSchemaProps = {
  type: 'object',
  properties: {
    effect: { type: 'string' },
    key: { type: 'string' },
    operator: { type: 'string' },
    tolerationSeconds: { type: 'integer', format: 'int64' },
    value: { type: 'string' },
  },
};

const NodePlacement: JSONSchemaProps = {
  type: 'object',
  properties: {
    affinity: Affinity,
    nodeSelector: { type: 'object', additionalProperties: { type: 'string' } },
    tolerations: { type: 'array', items: Toleration },
  },
};

const ComponentConfig: JSONSchemaProps = {
  type: 'object',
  properties: {
    nodePlacement: NodePlacement,
    replicas: { type: 'integer' },
  },
};

const WorkloadUpdateStrategy: JSONSchemaProps = {
  type: 'object',
  properties: {
    batchEvictionInterval: { type: 'string' },
    batchEvictionSize: { type: 'integer' },
    workloadUpdateMethods: { ...{ type: 'array', items: { type: 'string' } }, 'x-kubernetes-list-type': "atomic" },
  },
};

const KubeVirtSpec: JSONSchemaProps = {
  type: 'object',
  properties: {
    certificateRotateStrategy: KubeVirtCertificateRotateStrategy,
    configuration: KubeVirtConfiguration,
    customizeComponents: CustomizeComponents,
    imagePullPolicy: { type: 'string' },
    imagePullSecrets: { ...{ type: 'array', items: LocalObjectReference }, 'x-kubernetes-list-type': "atomic" },
    imageRegistry: { type: 'string' },
    imageTag: { type: 'string' },
    infra: ComponentConfig,
    monitorAccount: { type: 'string' },
    monitorNamespace: { type: 'string' },
    productComponent: { type: 'string' },
    productName: { type: 'string' },
    productVersion: { type: 'string' },
    serviceMonitorNamespace: { type: 'string' },
    synchronizationPort: { type: 'string' },
    uninstallStrategy: { type: 'string' },
    workloadUpdateStrategy: WorkloadUpdateStrategy,
    workloads: ComponentConfig,
  },
};

const VMICondition: JSONSchemaProps = {
  type: 'object',
  required: ['status', 'type'],
  properties: {
    lastProbeTime: { ...{ type: 'string', format: 'date-time' }, nullable: true },
    lastTransitionTime: { ...{ type: 'string', format: 'date-time' }, nullable: true },
    message: { type: 'string' },
    reason: { type: 'string' },
    status: { type: 'string' },
    type: { type: 'string' },
  },
};

const GenerationStatus: JSONSchemaProps = {
  type: 'object',
  required: ['group', 'lastGeneration', 'name', 'resource'],
  properties: {
    group: { type: 'string' },
    hash: { type: 'string' },
    lastGeneration: { type: 'integer', format: 'int64' },
    name: { type: 'string' },
    namespace: { type: 'string' },
    resource: { type: 'string' },
  },
};

const KubeVirtStatus: JSONSchemaProps = {
  type: 'object',
  properties: {
    conditions: { type: 'array', items: VMICondition },
    defaultArchitecture: { type: 'string' },
    generations: { ...{ type: 'array', items: GenerationStatus }, 'x-kubernetes-list-type': "atomic" },
    observedDeploymentConfig: { type: 'string' },
    observedDeploymentID: { type: 'string' },
    observedGeneration: { type: 'integer', format: 'int64' },
    observedKubeVirtRegistry: { type: 'string' },
    observedKubeVirtVersion: { type: 'string' },
    operatorVersion: { type: 'string' },
    outdatedVirtualMachineInstanceWorkloads: { type: 'integer' },
    phase: { type: 'string' },
    synchronizationAddresses: { ...{ type: 'array', items: { type: 'string' } }, 'x-kubernetes-list-type': "atomic" },
    targetDeploymentConfig: { type: 'string' },
    targetDeploymentID: { type: 'string' },
    targetKubeVirtRegistry: { type: 'string' },
    targetKubeVirtVersion: { type: 'string' },
  },
};

const KubeVirt: JSONSchemaProps = {
  type: 'object',
  required: ['spec'],
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "The version of the schema that this object is written in." },
    kind: { ...{ type: 'string' }, description: "The kind of resource that this object is." },
    metadata: { ...{ type: 'object' }, description: "Name, labels, annotations and the other metadata of the object." },
    spec: KubeVirtSpec,
    status: KubeVirtStatus,
  },
};

const DataVolumeCheckpoint: JSONSchemaProps = {
  type: 'object',
  required: ['current', 'previous'],
  properties: {
    current: { type: 'string' },
    previous: { type: 'string' },
  },
};

const TypedLocalObjectReference: JSONSchemaProps = {
  type: 'object',
  'x-kubernetes-map-type': "atomic",
  required: ['kind', 'name'],
  properties: {
    apiGroup: { type: 'string' },
    kind: { type: 'string' },
    name: { type: 'string' },
  },
};

const TypedObjectReference: JSONSchemaProps = {
  type: 'object',
  required: ['kind', 'name'],
  properties: {
    apiGroup: { type: 'string' },
    kind: { type: 'string' },
    name: { type: 'string' },
    namespace: { type: 'string' },
  },
};

const PersistentVolumeClaimSpec: JSONSchemaProps = {
  type: 'object',
  properties: {
    accessModes: { ...{ type: 'array', items: { type: 'string' } }, 'x-kubernetes-list-type': "atomic" },
    dataSource: TypedLocalObjectReference,
    dataSourceRef: TypedObjectReference,
    resources: ResourceRequirementsWithoutClaims,
    selector: LabelSelector,
    storageClassName: { type: 'string' },
    volumeAttributesClassName: { type: 'string' },
    volumeMode: { type: 'string' },
    volumeName: { type: 'string' },
  },
};

const DataVolumeSourceGCS: JSONSchemaProps = {
  type: 'object',
  required: ['url'],
  properties: {
    secretRef: { type: 'string' },
    url: { type: 'string' },
  },
};

const DataVolumeSourceHTTP: JSONSchemaProps = {
  type: 'object',
  required: ['url'],
  properties: {
    certConfigMap: { type: 'string' },
    extraHeaders: { type: 'array', items: { type: 'string' } },
    secretExtraHeaders: { type: 'array', items: { type: 'string' } },
    secretRef: { type: 'string' },
    url: { type: 'string' },
  },
};

const DataVolumeSourceImageIO: JSONSchemaProps = {
  type: 'object',
  required: ['diskId', 'url'],
  properties: {
    certConfigMap: { type: 'string' },
    diskId: { type: 'string' },
    insecureSkipVerify: { type: 'boolean' },
    secretRef: { type: 'string' },
    url: { type: 'string' },
  },
};

const DataVolumeSourcePVC: JSONSchemaProps = {
  type: 'object',
  required: ['name', 'namespace'],
  properties: {
    name: { type: 'string' },
    namespace: { type: 'string' },
  },
};

const PlatformOptions: JSONSchemaProps = {
  type: 'object',
  properties: {
    architecture: { type: 'string' },
  },
};

const DataVolumeSourceRegistry: JSONSchemaProps = {
  type: 'object',
  properties: {
    certConfigMap: { type: 'string' },
    imageStream: { type: 'string' },
    platform: PlatformOptions,
    pullMethod: { type: 'string' },
    secretRef: { type: 'string' },
    url: { type: 'string' },
  },
};

const DataVolumeSourceS3: JSONSchemaProps = {
  type: 'object',
  required: ['url'],
  properties: {
    certConfigMap: { type: 'string' },
    secretRef: { type: 'string' },
    url: { type: 'string' },
  },
};

const DataVolumeSourceVDDK: JSONSchemaProps = {
  type: 'object',
  properties: {
    backingFile: { type: 'string' },
    extraArgs: { type: 'string' },
    initImageURL: { type: 'string' },
    secretRef: { type: 'string' },
    thumbprint: { type: 'string' },
    url: { type: 'string' },
    uuid: { type: 'string' },
  },
};

const DataVolumeImportSource: JSONSchemaProps = {
  type: 'object',
  properties: {
    blank: { type: 'object' },
    gcs: DataVolumeSourceGCS,
    http: DataVolumeSourceHTTP,
    imageio: DataVolumeSourceImageIO,
    pvc: DataVolumeSourcePVC,
    registry: DataVolumeSourceRegistry,
    s3: DataVolumeSourceS3,
    snapshot: DataVolumeSourcePVC,
    upload: { type: 'object' },
    vddk: DataVolumeSourceVDDK,
  },
};

const DataVolumeSourceRef: JSONSchemaProps = {
  type: 'object',
  required: ['kind', 'name'],
  properties: {
    kind: { type: 'string' },
    name: { type: 'string' },
    namespace: { type: 'string' },
  },
};

const StorageSpec: JSONSchemaProps = {
  type: 'object',
  properties: {
    accessModes: { type: 'array', items: { type: 'string' } },
    dataSource: TypedLocalObjectReference,
    dataSourceRef: TypedObjectReference,
    resources: ResourceRequirementsWithoutClaims,
    selector: LabelSelector,
    storageClassName: { type: 'string' },
    volumeMode: { type: 'string' },
    volumeName: { type: 'string' },
  },
};

const DataVolumeSpec: JSONSchemaProps = {
  type: 'object',
  properties: {
    checkpoints: { type: 'array', items: DataVolumeCheckpoint },
    contentType: { type: 'string', enum: ["kubevirt", "archive"] },
    finalCheckpoint: { type: 'boolean' },
    preallocation: { type: 'boolean' },
    priorityClassName: { type: 'string' },
    pvc: PersistentVolumeClaimSpec,
    source: DataVolumeImportSource,
    sourceRef: DataVolumeSourceRef,
    storage: StorageSpec,
  },
};

const DataVolumeTemplate: JSONSchemaProps = {
  type: 'object',
  nullable: true,
  required: ['spec'],
  properties: {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: { ...{ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, nullable: true },
    spec: DataVolumeSpec,
    status: { ...{ type: 'object' }, nullable: true },
  },
};

const InstancetypeMatcher: JSONSchemaProps = {
  type: 'object',
  properties: {
    inferFromVolume: { type: 'string' },
    inferFromVolumeFailurePolicy: { type: 'string' },
    kind: { type: 'string' },
    name: { type: 'string' },
    revisionName: { type: 'string' },
  },
};

const QemuGuestAgentSSHUsers: JSONSchemaProps = {
  type: 'object',
  required: ['users'],
  properties: {
    users: { ...{ type: 'array', items: { type: 'string' } }, 'x-kubernetes-list-type': "set" },
  },
};

const SSHPublicKeyPropagationMethod: JSONSchemaProps = {
  type: 'object',
  properties: {
    configDrive: { type: 'object' },
    noCloud: { type: 'object' },
    qemuGuestAgent: QemuGuestAgentSSHUsers,
  },
};

const AccessCredentialSecret: JSONSchemaProps = {
  type: 'object',
  required: ['secretName'],
  properties: {
    secretName: { type: 'string' },
  },
};

const AccessCredentialSource: JSONSchemaProps = {
  type: 'object',
  properties: {
    secret: AccessCredentialSecret,
  },
};

const SSHPublicKeyAccessCredential: JSONSchemaProps = {
  type: 'object',
  required: ['propagationMethod', 'source'],
  properties: {
    propagationMethod: SSHPublicKeyPropagationMethod,
    source: AccessCredentialSource,
  },
};

const UserPasswordPropagationMethod: JSONSchemaProps = {
  type: 'object',
  properties: {
    qemuGuestAgent: { type: 'object' },
  },
};

const UserPasswordAccessCredential: JSONSchemaProps = {
  type: 'object',
  required: ['propagationMethod', 'source'],
  properties: {
    propagationMethod: UserPasswordPropagationMethod,
    source: AccessCredentialSource,
  },
};

const AccessCredential: JSONSchemaProps = {
  type: 'object',
  properties: {
    sshPublicKey: SSHPublicKeyAccessCredential,
    userPassword: UserPasswordAccessCredential,
  },
};

const PodDNSConfigOption: JSONSchemaProps = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    value: { type: 'string' },
  },
};

const PodDNSConfig: JSONSchemaProps = {
  type: 'object',
  properties: {
    nameservers: { ...{ type: 'array', items: { type: 'string' } }, 'x-kubernetes-list-type': "atomic" },
    options: { ...{ type: 'array', items: PodDNSConfigOption }, 'x-kubernetes-list-type': "atomic" },
    searches: { ...{ type: 'array', items: { type: 'string' } }, 'x-kubernetes-list-type': "atomic" },
  },
};

const Chassis: JSONSchemaProps = {
  type: 'object',
  properties: {
    asset: { type: 'string' },
    manufacturer: { type: 'string' },
    serial: { type: 'string' },
    sku: { type: 'string' },
    version: { type: 'string' },
  },
};

const HPETTimer: JSONSchemaProps = {
  type: 'object',
  properties: {
    present: { type: 'boolean' },
    tickPolicy: { type: 'string' },
  },
};

const FlagTimer: JSONSchemaProps = {
  type: 'object',
  properties: {
    present: { type: 'boolean' },
  },
};

const RTCTimer: JSONSchemaProps = {
  type: 'object',
  properties: {
    present: { type: 'boolean' },
    tickPolicy: { type: 'string' },
    track: { type: 'string' },
  },
};

const Timer: JSONSchemaProps = {
  type: 'object',
  properties: {
    hpet: HPETTimer,
    hyperv: FlagTimer,
    kvm: FlagTimer,
    pit: HPETTimer,
    rtc: RTCTimer,
  },
};

const ClockOffsetUTC: JSONSchemaProps = {
  type: 'object',
  properties: {
    offsetSeconds: { type: 'integer' },
  },
};

const Clock: JSONSchemaProps = {
  type: 'object',
  properties: {
    timer: Timer,
    timezone: { type: 'string' },
    utc: ClockOffsetUTC,
  },
};

const CPUFeature: JSONSchemaProps = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string' },
    policy: { type: 'string' },
  },
};

const NUMA: JSONSchemaProps = {
  type: 'object',
  properties: {
    guestMappingPassthrough: { type: 'object' },
  },
};

const Realtime: JSONSchemaProps = {
  type: 'object',
  properties: {
    mask: { type: 'string' },
  },
};

const CPU: JSONSchemaProps = {
  type: 'object',
  properties: {
    cores: { type: 'integer', format: 'int32' },
    dedicatedCpuPlacement: { type: 'boolean' },
    features: { type: 'array', items: CPUFeature },
    isolateEmulatorThread: { type: 'boolean' },
    maxSockets: { type: 'integer', format: 'int32' },
    model: { type: 'string' },
    numa: NUMA,
    realtime: Realtime,
    sockets: { type: 'integer', format: 'int32' },
    threads: { type: 'integer', format: 'int32' },
  },
};

const CustomBlockSize: JSONSchemaProps = {
  type: 'object',
  properties: {
    discardGranularity: { type: 'integer' },
    logical: { type: 'integer' },
    physical: { type: 'integer' },
  },
};

const FeatureState: JSONSchemaProps = {
  type: 'object',
  properties: {
    enabled: { type: 'boolean' },
  },
};

const BlockSize: JSONSchemaProps = {
  type: 'object',
  properties: {
    custom: CustomBlockSize,
    matchVolume: FeatureState,
  },
};

const CDRomTarget: JSONSchemaProps = {
  type: 'object',
  properties: {
    bus: { type: 'string' },
    readonly: { type: 'boolean' },
    tray: { type: 'string' },
  },
};

const DiskTarget: JSONSchemaProps = {
  type: 'object',
  properties: {
    bus: { type: 'string' },
    pciAddress: { type: 'string' },
    readonly: { type: 'boolean' },
  },
};

const LunTarget: JSONSchemaProps = {
  type: 'object',
  properties: {
    bus: { type: 'string' },
    readonly: { type: 'boolean' },
    reservation: { type: 'boolean' },
  },
};

const Disk: JSONSchemaProps = {
  type: 'object',
  required: ['name'],
  properties: {
    blockSize: BlockSize,
    bootOrder: { type: 'integer' },
    cache: { type: 'string' },
    cdrom: CDRomTarget,
    changedBlockTracking: { type: 'boolean' },
    dedicatedIOThread: { type: 'boolean' },
    disk: DiskTarget,
    errorPolicy: { type: 'string' },
    io: { type: 'string' },
    lun: LunTarget,
    name: { type: 'string' },
    serial: { type: 'string' },
    shareable: { type: 'boolean' },
    tag: { type: 'string' },
  },
};

const Filesystem: JSONSchemaProps = {
  type: 'object',
  required: ['name', 'virtiofs'],
  properties: {
    name: { type: 'string' },
    virtiofs: { type: 'object' },
  },
};

const VGPUDisplayOptions: JSONSchemaProps = {
  type: 'object',
  properties: {
    enabled: { type: 'boolean' },
    ramFB: FeatureState,
  },
};

const VGPUOptions: JSONSchemaProps = {
  type: 'object',
  properties: {
    display: VGPUDisplayOptions,
  },
};

const GPU: JSONSchemaProps = {
  type: 'object',
  required: ['name'],
  properties: {
    claimName: { type: 'string' },
    deviceName: { type: 'string' },
    name: { type: 'string' },
    requestName: { type: 'string' },
    tag: { type: 'string' },
    virtualGPUOptions: VGPUOptions,
  },
};

const HostDevice: JSONSchemaProps = {
  type: 'object',
  required: ['name'],
  properties: {
    claimName: { type: 'string' },
    deviceName: { type: 'string' },
    name: { type: 'string' },
    requestName: { type: 'string' },
    tag: { type: 'string' },
  },
};

const Input: JSONSchemaProps = {
  type: 'object',
  required: ['name', 'type'],
  properties: {
    bus: { type: 'string' },
    name: { type: 'string' },
    type: { type: 'string' },
  },
};

const PluginBinding: JSONSchemaProps = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string' },
  },
};

const DHCPPrivateOption: JSONSchemaProps = {
  type: 'object',
  required: ['option', 'value'],
  properties: {
    option: { type: 'integer' },
    value: { type: 'string' },
  },
};

const DHCPOptions: JSONSchemaProps = {
  type: 'object',
  properties: {
    bootFileName: { type: 'string' },
    ntpServers: { type: 'array', items: { type: 'string' } },
    privateOptions: { type: 'array', items: DHCPPrivateOption },
    tftpServerName: { type: 'string' },
  },
};

const PortRange: JSONSchemaProps = {
  type: 'object',
  required: ['end', 'protocol', 'start'],
  properties: {
    end: { type: 'integer', format: 'int32' },
    protocol: { type: 'string' },
    start: { type: 'integer', format: 'int32' },
  },
};

const Port: JSONSchemaProps = {
  type: 'object',
  required: ['port'],
  properties: {
    name: { type: 'string' },
    port: { type: 'integer', format: 'int32' },
    protocol: { type: 'string' },
  },
};

const Interface: JSONSchemaProps = {
  type: 'object',
  required: ['name'],
  properties: {
    acpiIndex: { type: 'integer' },
    binding: PluginBinding,
    bootOrder: { type: 'integer' },
    bridge: { type: 'object' },
    dhcpOptions: DHCPOptions,
    macAddress: { type: 'string' },
    macvtap: { type: 'object' },
    masquerade: { type: 'object' },
    model: { type: 'string' },
    name: { type: 'string' },
    passt: { type: 'object' },
    passtBinding: { type: 'object' },
    pciAddress: { type: 'string' },
    portRanges: { ...{ type: 'array', items: PortRange }, 'x-kubernetes-list-type': "atomic" },
    ports: { type: 'array', items: Port },
    slirp: { type: 'object' },
    sriov: { type: 'object' },
    state: { type: 'string' },
    tag: { type: 'string' },
  },
};

const PanicDevice: JSONSchemaProps = {
  type: 'object',
  properties: {
    model: { type: 'string' },
  },
};

const SoundDevice: JSONSchemaProps = {
  type: 'object',
  required: ['name'],
  properties: {
    model: { type: 'string' },
    name: { type: 'string' },
  },
};

const TPMDevice: JSONSchemaProps = {
  type: 'object',
  properties: {
    enabled: { type: 'boolean' },
    persistent: { type: 'boolean' },
  },
};

const VideoDevice: JSONSchemaProps = {
  type: 'object',
  properties: {
    type: { type: 'string' },
  },
};

const WatchdogTarget: JSONSchemaProps = {
  type: 'object',
  properties: {
    action: { type: 'string' },
  },
};

const Watchdog: JSONSchemaProps = {
  type: 'object',
  required: ['name'],
  properties: {
    diag288: WatchdogTarget,
    i6300esb: WatchdogTarget,
    name: { type: 'string' },
  },
};

const Devices: JSONSchemaProps = {
  type: 'object',
  properties: {
    autoattachGraphicsDevice: { type: 'boolean' },
    autoattachInputDevice: { type: 'boolean' },
    autoattachMemBalloon: { type: 'boolean' },
    autoattachPodInterface: { type: 'boolean' },
    autoattachSerialConsole: { type: 'boolean' },
    autoattachVSOCK: { type: 'boolean' },
    blockMultiQueue: { type: 'boolean' },
    clientPassthrough: { type: 'object' },
    disableHotplug: { type: 'boolean' },
    disks: { ...{ type: 'array', items: Disk }, maxItems: 256 },
    downwardMetrics: { type: 'object' },
    filesystems: { ...{ type: 'array', items: Filesystem }, 'x-kubernetes-list-type': "atomic" },
    gpus: { ...{ type: 'array', items: GPU }, 'x-kubernetes-list-type': "atomic" },
    hostDevices: { ...{ type: 'array', items: HostDevice }, 'x-kubernetes-list-type': "atomic" },
    inputs: { type: 'array', items: Input },
    interfaces: { ...{ type: 'array', items: Interface }, maxItems: 256 },
    logSerialConsole: { type: 'boolean' },
    networkInterfaceMultiqueue: { type: 'boolean' },
    panicDevices: { type: 'array', items: PanicDevice },
    rng: { type: 'object' },
    sound: SoundDevice,
    tpm: TPMDevice,
    useVirtioTransitional: { type: 'boolean' },
    video: VideoDevice,
    watchdog: Watchdog,
  },
};

const FeatureAPIC: JSONSchemaProps = {
  type: 'object',
  properties: {
    enabled: { type: 'boolean' },
    endOfInterrupt: { type: 'boolean' },
  },
};

const FeatureSpinlocks: JSONSchemaProps = {
  type: 'object',
  properties: {
    enabled: { type: 'boolean' },
    spinlocks: { type: 'integer', format: 'int32' },
  },
};

const SyNICTimer: JSONSchemaProps = {
  type: 'object',
  properties: {
    direct: FeatureState,
    enabled: { type: 'boolean' },
  },
};

const TLBFlush: JSONSchemaProps = {
  type: 'object',
  properties: {
    direct: FeatureState,
    enabled: { type: 'boolean' },
    extended: FeatureState,
  },
};

const FeatureVendorID: JSONSchemaProps = {
  type: 'object',
  properties: {
    enabled: { type: 'boolean' },
    vendorid: { type: 'string' },
  },
};

const FeatureHyperv: JSONSchemaProps = {
  type: 'object',
  properties: {
    evmcs: FeatureState,
    frequencies: FeatureState,
    ipi: FeatureState,
    reenlightenment: FeatureState,
    relaxed: FeatureState,
    reset: FeatureState,
    runtime: FeatureState,
    spinlocks: FeatureSpinlocks,
    synic: FeatureState,
    synictimer: SyNICTimer,
    tlbflush: TLBFlush,
    vapic: FeatureState,
    vendorid: FeatureVendorID,
    vpindex: FeatureState,
  },
};

const FeatureKVM: JSONSchemaProps = {
  type: 'object',
  properties: {
    hidden: { type: 'boolean' },
  },
};

const Features: JSONSchemaProps = {
  type: 'object',
  properties: {
    acpi: FeatureState,
    apic: FeatureAPIC,
    hyperv: FeatureHyperv,
    hypervPassthrough: FeatureState,
    kvm: FeatureKVM,
    pvspinlock: FeatureState,
    smm: FeatureState,
  },
};

const FirmwareACPI: JSONSchemaProps = {
  type: 'object',
  properties: {
    msdmNameRef: { type: 'string' },
    slicNameRef: { type: 'string' },
  },
};

const BIOS: JSONSchemaProps = {
  type: 'object',
  properties: {
    useSerial: { type: 'boolean' },
  },
};

const EFI: JSONSchemaProps = {
  type: 'object',
  properties: {
    persistent: { type: 'boolean' },
    secureBoot: { type: 'boolean' },
  },
};

const Bootloader: JSONSchemaProps = {
  type: 'object',
  properties: {
    bios: BIOS,
    efi: EFI,
  },
};

const KernelBootContainer: JSONSchemaProps = {
  type: 'object',
  required: ['image'],
  properties: {
    image: { type: 'string' },
    imagePullPolicy: { type: 'string' },
    imagePullSecret: { type: 'string' },
    initrdPath: { type: 'string' },
    kernelPath: { type: 'string' },
  },
};

const KernelBoot: JSONSchemaProps = {
  type: 'object',
  properties: {
    container: KernelBootContainer,
    kernelArgs: { type: 'string' },
  },
};

const Firmware: JSONSchemaProps = {
  type: 'object',
  properties: {
    acpi: FirmwareACPI,
    bootloader: Bootloader,
    kernelBoot: KernelBoot,
    serial: { type: 'string' },
    uuid: { type: 'string' },
  },
};

const DiskIOThreads: JSONSchemaProps = {
  type: 'object',
  properties: {
    supplementalPoolThreadCount: { type: 'integer', format: 'int32' },
  },
};

const SEVPolicy: JSONSchemaProps = {
  type: 'object',
  properties: {
    encryptedState: { type: 'boolean' },
  },
};

const SEV: JSONSchemaProps = {
  type: 'object',
  properties: {
    attestation: { type: 'object' },
    dhCert: { type: 'string' },
    policy: SEVPolicy,
    session: { type: 'string' },
  },
};

const LaunchSecurity: JSONSchemaProps = {
  type: 'object',
  properties: {
    sev: SEV,
    snp: { type: 'object' },
    tdx: { type: 'object' },
  },
};

const Machine: JSONSchemaProps = {
  type: 'object',
  properties: {
    type: { type: 'string' },
  },
};

const Hugepages: JSONSchemaProps = {
  type: 'object',
  properties: {
    pageSize: { type: 'string' },
  },
};

const ReservedOverhead: JSONSchemaProps = {
  type: 'object',
  properties: {
    addedOverhead: QUANTITY,
    memLock: { type: 'string', enum: ["NotRequired", "Required"] },
  },
};

const Memory: JSONSchemaProps = {
  type: 'object',
  properties: {
    guest: QUANTITY,
    hugepages: Hugepages,
    maxGuest: QUANTITY,
    reservedOverhead: ReservedOverhead,
  },
};

const ResourceRequirements: JSONSchemaProps = {
  type: 'object',
  properties: {
    limits: { type: 'object', additionalProperties: QUANTITY },
    overcommitGuestOverhead: { type: 'boolean' },
    requests: { type: 'object', additionalProperties: QUANTITY },
  },
};

const DomainSpec: JSONSchemaProps = {
  type: 'object',
  required: ['devices'],
  properties: {
    chassis: Chassis,
    clock: { ...Clock, 'x-kubernetes-preserve-unknown-fields': true },
    cpu: CPU,
    devices: Devices,
    features: Features,
    firmware: Firmware,
    ioThreads: DiskIOThreads,
    ioThreadsPolicy: { type: 'string' },
    launchSecurity: LaunchSecurity,
    machine: Machine,
    memory: Memory,
    rebootPolicy: { type: 'string', enum: ["Reboot", "Terminate"] },
    resources: ResourceRequirements,
  },
};

const ExecAction: JSONSchemaProps = {
  type: 'object',
  properties: {
    command: { ...{ type: 'array', items: { type: 'string' } }, 'x-kubernetes-list-type': "atomic" },
  },
};

const HTTPHeader: JSONSchemaProps = {
  type: 'object',
  required: ['name', 'value'],
  properties: {
    name: { type: 'string' },
    value: { type: 'string' },
  },
};

const HTTPGetAction: JSONSchemaProps = {
  type: 'object',
  required: ['port'],
  properties: {
    host: { type: 'string' },
    httpHeaders: { ...{ type: 'array', items: HTTPHeader }, 'x-kubernetes-list-type': "atomic" },
    path: { type: 'string' },
    port: INT_OR_STRING,
    scheme: { type: 'string' },
  },
};

const TCPSocketAction: JSONSchemaProps = {
  type: 'object',
  required: ['port'],
  properties: {
    host: { type: 'string' },
    port: INT_OR_STRING,
  },
};

const Probe: JSONSchemaProps = {
  type: 'object',
  properties: {
    exec: ExecAction,
    failureThreshold: { type: 'integer', format: 'int32' },
    guestAgentPing: { type: 'object' },
    httpGet: HTTPGetAction,
    initialDelaySeconds: { type: 'integer', format: 'int32' },
    periodSeconds: { type: 'integer', format: 'int32' },
    successThreshold: { type: 'integer', format: 'int32' },
    tcpSocket: TCPSocketAction,
    timeoutSeconds: { type: 'integer', format: 'int32' },
  },
};

const MultusNetwork: JSONSchemaProps = {
  type: 'object',
  required: ['networkName'],
  properties: {
    default: { type: 'boolean' },
    networkName: { type: 'string' },
  },
};

const PodNetwork: JSONSchemaProps = {
  type: 'object',
  properties: {
    vmIPv6NetworkCIDR: { type: 'string' },
    vmNetworkCIDR: { type: 'string' },
  },
};

const ResourceClaimNetworkSource: JSONSchemaProps = {
  type: 'object',
  properties: {
    claimName: { type: 'string' },
    requestName: { type: 'string' },
  },
};

const Network: JSONSchemaProps = {
  type: 'object',
  required: ['name'],
  properties: {
    multus: MultusNetwork,
    name: { type: 'string' },
    pod: PodNetwork,
    resourceClaim: ResourceClaimNetworkSource,
  },
};

const PodResourceClaim: JSONSchemaProps = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string' },
    resourceClaimName: { type: 'string' },
    resourceClaimTemplateName: { type: 'string' },
  },
};

const TopologySpreadConstraint: JSONSchemaProps = {
  type: 'object',
  required: ['maxSkew', 'topologyKey', 'whenUnsatisfiable'],
  properties: {
    labelSelector: LabelSelector,
    matchLabelKeys: { ...{ type: 'array', items: { type: 'string' } }, 'x-kubernetes-list-type': "atomic" },
    maxSkew: { type: 'integer', format: 'int32' },
    minDomains: { type: 'integer', format: 'int32' },
    nodeAffinityPolicy: { type: 'string' },
    nodeTaintsPolicy: { type: 'string' },
    topologyKey: { type: 'string' },
    whenUnsatisfiable: { type: 'string' },
  },
};

const UtilityVolume: JSONSchemaProps = {
  type: 'object',
  required: ['claimName', 'name'],
  properties: {
    claimName: { type: 'string' },
    name: { type: 'string' },
    readOnly: { type: 'boolean' },
    type: { type: 'string' },
  },
};

const CloudInitSource: JSONSchemaProps = {
  type: 'object',
  properties: {
    networkData: { type: 'string' },
    networkDataBase64: { type: 'string' },
    networkDataSecretRef: LocalObjectReference,
    secretRef: LocalObjectReference,
    userData: { type: 'string' },
    userDataBase64: { type: 'string' },
  },
};

const ConfigMapVolumeSource: JSONSchemaProps = {
  type: 'object',
  'x-kubernetes-map-type': "atomic",
  properties: {
    name: { ...{ type: 'string' }, default: "" },
    optional: { type: 'boolean' },
    volumeLabel: { type: 'string' },
  },
};

const ContainerDiskSource: JSONSchemaProps = {
  type: 'object',
  required: ['image'],
  properties: {
    image: { type: 'string' },
    imagePullPolicy: { type: 'string' },
    imagePullSecret: { type: 'string' },
    path: { type: 'string' },
  },
};

const ContainerPathVolumeSource: JSONSchemaProps = {
  type: 'object',
  required: ['path'],
  properties: {
    path: { ...{ type: 'string' }, maxLength: 4096, 'x-kubernetes-validations': [{"message":"path must be absolute (start with '/')","rule":"self.startsWith('/')"},{"message":"path must not contain '..'","rule":"!self.contains('..')"}] },
    readOnly: { ...{ type: 'boolean' }, default: true, 'x-kubernetes-validations': [{"message":"readOnly must be true, write access is not supported","rule":"self == true"}] },
  },
};

const DataVolumeSource: JSONSchemaProps = {
  type: 'object',
  required: ['name'],
  properties: {
    hotpluggable: { type: 'boolean' },
    name: { type: 'string' },
  },
};

const ObjectFieldSelector: JSONSchemaProps = {
  type: 'object',
  'x-kubernetes-map-type': "atomic",
  required: ['fieldPath'],
  properties: {
    apiVersion: { type: 'string' },
    fieldPath: { type: 'string' },
  },
};

const ResourceFieldSelector: JSONSchemaProps = {
  type: 'object',
  'x-kubernetes-map-type': "atomic",
  required: ['resource'],
  properties: {
    containerName: { type: 'string' },
    divisor: QUANTITY,
    resource: { type: 'string' },
  },
};

const DownwardAPIVolumeFile: JSONSchemaProps = {
  type: 'object',
  required: ['path'],
  properties: {
    fieldRef: ObjectFieldSelector,
    mode: { type: 'integer', format: 'int32' },
    path: { type: 'string' },
    resourceFieldRef: ResourceFieldSelector,
  },
};

const DownwardAPIVolumeSource: JSONSchemaProps = {
  type: 'object',
  properties: {
    fields: { type: 'array', items: DownwardAPIVolumeFile },
    volumeLabel: { type: 'string' },
  },
};

const EmptyDiskSource: JSONSchemaProps = {
  type: 'object',
  required: ['capacity'],
  properties: {
    capacity: QUANTITY,
  },
};

const EphemeralPVCSource: JSONSchemaProps = {
  type: 'object',
  required: ['claimName'],
  properties: {
    claimName: { type: 'string' },
    readOnly: { type: 'boolean' },
  },
};

const EphemeralVolumeSource: JSONSchemaProps = {
  type: 'object',
  properties: {
    persistentVolumeClaim: EphemeralPVCSource,
  },
};

const HostDisk: JSONSchemaProps = {
  type: 'object',
  required: ['path', 'type'],
  properties: {
    capacity: QUANTITY,
    path: { type: 'string' },
    shared: { type: 'boolean' },
    type: { type: 'string' },
  },
};

const PersistentVolumeClaimVolumeSource: JSONSchemaProps = {
  type: 'object',
  required: ['claimName'],
  properties: {
    claimName: { type: 'string' },
    hotpluggable: { type: 'boolean' },
    readOnly: { type: 'boolean' },
  },
};

const SecretVolumeSource: JSONSchemaProps = {
  type: 'object',
  properties: {
    optional: { type: 'boolean' },
    secretName: { type: 'string' },
    volumeLabel: { type: 'string' },
  },
};

const ServiceAccountVolumeSource: JSONSchemaProps = {
  type: 'object',
  properties: {
    serviceAccountName: { type: 'string' },
  },
};

const SysprepSource: JSONSchemaProps = {
  type: 'object',
  properties: {
    configMap: LocalObjectReference,
    secret: LocalObjectReference,
  },
};

const Volume: JSONSchemaProps = {
  type: 'object',
  required: ['name'],
  properties: {
    cloudInitConfigDrive: CloudInitSource,
    cloudInitNoCloud: CloudInitSource,
    configMap: ConfigMapVolumeSource,
    containerDisk: ContainerDiskSource,
    containerPath: ContainerPathVolumeSource,
    dataVolume: DataVolumeSource,
    downwardAPI: DownwardAPIVolumeSource,
    downwardMetrics: { type: 'object' },
    emptyDisk: EmptyDiskSource,
    ephemeral: EphemeralVolumeSource,
    hostDisk: HostDisk,
    memoryDump: PersistentVolumeClaimVolumeSource,
    name: { type: 'string' },
    persistentVolumeClaim: PersistentVolumeClaimVolumeSource,
    secret: SecretVolumeSource,
    serviceAccount: ServiceAccountVolumeSource,
    sysprep: SysprepSource,
  },
};

const VMISpec: JSONSchemaProps = {
  type: 'object',
  required: ['domain'],
  properties: {
    accessCredentials: { ...{ type: 'array', items: AccessCredential }, maxItems: 256, 'x-kubernetes-list-type': "atomic" },
    affinity: Affinity,
    architecture: { type: 'string' },
    dnsConfig: PodDNSConfig,
    dnsPolicy: { type: 'string' },
    domain: DomainSpec,
    evictionStrategy: { type: 'string' },
    hostname: { type: 'string' },
    livenessProbe: Probe,
    networks: { ...{ type: 'array', items: Network }, maxItems: 256 },
    nodeSelector: { type: 'object', additionalProperties: { type: 'string' } },
    priorityClassName: { type: 'string' },
    readinessProbe: Probe,
    resourceClaims: { ...{ type: 'array', items: PodResourceClaim }, 'x-kubernetes-list-map-keys': ["name"], 'x-kubernetes-list-type': "map" },
    schedulerName: { type: 'string' },
    serviceAccountName: { type: 'string' },
    startStrategy: { type: 'string' },
    subdomain: { type: 'string' },
    terminationGracePeriodSeconds: { type: 'integer', format: 'int64' },
    tolerations: { type: 'array', items: Toleration },
    topologySpreadConstraints: { ...{ type: 'array', items: TopologySpreadConstraint }, 'x-kubernetes-list-map-keys': ["topologyKey","whenUnsatisfiable"], 'x-kubernetes-list-type': "map" },
    utilityVolumes: { ...{ type: 'array', items: UtilityVolume }, maxItems: 256, 'x-kubernetes-list-map-keys': ["name"], 'x-kubernetes-list-type': "map" },
    volumes: { ...{ type: 'array', items: Volume }, maxItems: 256 },
  },
};

const VMITemplate: JSONSchemaProps = {
  type: 'object',
  properties: {
    metadata: { ...{ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, nullable: true },
    spec: VMISpec,
  },
};

const VMSpec: JSONSchemaProps = {
  type: 'object',
  required: ['template'],
  properties: {
    dataVolumeTemplates: { type: 'array', items: DataVolumeTemplate },
    instancetype: InstancetypeMatcher,
    preference: InstancetypeMatcher,
    runStrategy: { type: 'string' },
    running: { type: 'boolean' },
    template: VMITemplate,
    updateVolumesStrategy: { type: 'string' },
  },
};

const BackupVolumeInfo: JSONSchemaProps = {
  type: 'object',
  required: ['volumeName'],
  properties: {
    volumeName: { type: 'string' },
  },
};

const BackupRuntimeStatus: JSONSchemaProps = {
  type: 'object',
  properties: {
    backupMsg: { type: 'string' },
    backupName: { type: 'string' },
    checkpointName: { type: 'string' },
    completed: { type: 'boolean' },
    endTimestamp: { type: 'string', format: 'date-time' },
    failed: { type: 'boolean' },
    quiesceStatus: { type: 'string' },
    startTimestamp: { type: 'string', format: 'date-time' },
    volumes: { ...{ type: 'array', items: BackupVolumeInfo }, 'x-kubernetes-list-type': "atomic" },
  },
};

const ChangedBlockTrackingStatus: JSONSchemaProps = {
  type: 'object',
  required: ['state'],
  properties: {
    backupStatus: { ...BackupRuntimeStatus, nullable: true },
    state: { type: 'string' },
  },
};

const VMCondition = VMICondition;

const ControllerRevisionRef: JSONSchemaProps = {
  type: 'object',
  properties: {
    name: { type: 'string' },
  },
};

const InstancetypeStatusRef: JSONSchemaProps = {
  type: 'object',
  properties: {
    controllerRevisionRef: ControllerRevisionRef,
    inferFromVolume: { type: 'string' },
    inferFromVolumeFailurePolicy: { type: 'string' },
    kind: { type: 'string' },
    name: { type: 'string' },
  },
};

const VMMemoryDumpRequest: JSONSchemaProps = {
  type: 'object',
  required: ['claimName', 'phase'],
  properties: {
    claimName: { type: 'string' },
    endTimestamp: { type: 'string', format: 'date-time' },
    fileName: { type: 'string' },
    message: { type: 'string' },
    phase: { type: 'string' },
    remove: { type: 'boolean' },
    startTimestamp: { type: 'string', format: 'date-time' },
  },
};

const VMStartFailure: JSONSchemaProps = {
  type: 'object',
  properties: {
    consecutiveFailCount: { type: 'integer' },
    lastFailedVMIUID: { type: 'string' },
    retryAfterTimestamp: { type: 'string', format: 'date-time' },
  },
};

const StateChangeRequest: JSONSchemaProps = {
  type: 'object',
  required: ['action'],
  properties: {
    action: { type: 'string' },
    data: { type: 'object', additionalProperties: { type: 'string' } },
    uid: { type: 'string' },
  },
};

const HotplugVolumeSource: JSONSchemaProps = {
  type: 'object',
  properties: {
    dataVolume: DataVolumeSource,
    persistentVolumeClaim: PersistentVolumeClaimVolumeSource,
  },
};

const AddVolumeOptions: JSONSchemaProps = {
  type: 'object',
  required: ['disk', 'name', 'volumeSource'],
  properties: {
    disk: Disk,
    dryRun: { ...{ type: 'array', items: { type: 'string' } }, 'x-kubernetes-list-type': "atomic" },
    name: { type: 'string' },
    volumeSource: HotplugVolumeSource,
  },
};

const RemoveVolumeOptions: JSONSchemaProps = {
  type: 'object',
  required: ['name'],
  properties: {
    dryRun: { ...{ type: 'array', items: { type: 'string' } }, 'x-kubernetes-list-type': "atomic" },
    name: { type: 'string' },
  },
};

const VolumeRequest: JSONSchemaProps = {
  type: 'object',
  properties: {
    addVolumeOptions: AddVolumeOptions,
    removeVolumeOptions: RemoveVolumeOptions,
  },
};

const VMVolumeSnapshotStatus: JSONSchemaProps = {
  type: 'object',
  required: ['enabled', 'name'],
  properties: {
    enabled: { type: 'boolean' },
    name: { type: 'string' },
    reason: { type: 'string' },
  },
};

const PersistentVolumeClaimInfo: JSONSchemaProps = {
  type: 'object',
  properties: {
    accessModes: { ...{ type: 'array', items: { type: 'string' } }, 'x-kubernetes-list-type': "atomic" },
    capacity: { type: 'object', additionalProperties: QUANTITY },
    claimName: { type: 'string' },
    filesystemOverhead: { ...{ type: 'string' }, pattern: "^(0(?:\\.\\d{1,3})?|1)$" },
    preallocated: { type: 'boolean' },
    requests: { type: 'object', additionalProperties: QUANTITY },
    volumeMode: { type: 'string' },
  },
};

const MigratedVolume: JSONSchemaProps = {
  type: 'object',
  required: ['volumeName'],
  properties: {
    destinationPVCInfo: PersistentVolumeClaimInfo,
    sourcePVCInfo: PersistentVolumeClaimInfo,
    volumeName: { type: 'string' },
  },
};

const VolumeMigrationState: JSONSchemaProps = {
  type: 'object',
  properties: {
    migratedVolumes: { ...{ type: 'array', items: MigratedVolume }, 'x-kubernetes-list-type': "atomic" },
  },
};

const VolumeUpdateState: JSONSchemaProps = {
  type: 'object',
  properties: {
    volumeMigrationState: VolumeMigrationState,
  },
};

const VMStatus: JSONSchemaProps = {
  type: 'object',
  properties: {
    changedBlockTracking: { ...ChangedBlockTrackingStatus, nullable: true },
    conditions: { type: 'array', items: VMCondition },
    created: { type: 'boolean' },
    desiredGeneration: { type: 'integer', format: 'int64' },
    instancetypeRef: { ...InstancetypeStatusRef, nullable: true },
    memoryDumpRequest: { ...VMMemoryDumpRequest, nullable: true },
    observedGeneration: { type: 'integer', format: 'int64' },
    preferenceRef: { ...InstancetypeStatusRef, nullable: true },
    printableStatus: { ...{ type: 'string' }, default: "Stopped" },
    ready: { type: 'boolean' },
    restoreInProgress: { type: 'string' },
    runStrategy: { type: 'string' },
    snapshotInProgress: { type: 'string' },
    startFailure: { ...VMStartFailure, nullable: true },
    stateChangeRequests: { type: 'array', items: StateChangeRequest },
    volumeRequests: { ...{ type: 'array', items: VolumeRequest }, 'x-kubernetes-list-type': "atomic" },
    volumeSnapshotStatuses: { type: 'array', items: VMVolumeSnapshotStatus },
    volumeUpdateState: VolumeUpdateState,
  },
};

const VirtualMachine: JSONSchemaProps = {
  type: 'object',
  required: ['spec'],
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "The version of the schema that this object is written in." },
    kind: { ...{ type: 'string' }, description: "The kind of resource that this object is." },
    metadata: { ...{ type: 'object' }, description: "Name, labels, annotations and the other metadata of the object." },
    spec: VMSpec,
    status: VMStatus,
  },
};

const CPUTopology: JSONSchemaProps = {
  type: 'object',
  properties: {
    cores: { type: 'integer', format: 'int32' },
    sockets: { type: 'integer', format: 'int32' },
    threads: { type: 'integer', format: 'int32' },
  },
};

const GuestOSInfo: JSONSchemaProps = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    kernelRelease: { type: 'string' },
    kernelVersion: { type: 'string' },
    machine: { type: 'string' },
    name: { type: 'string' },
    prettyName: { type: 'string' },
    version: { type: 'string' },
    versionId: { type: 'string' },
  },
};

const InterfaceStatus: JSONSchemaProps = {
  type: 'object',
  properties: {
    infoSource: { type: 'string' },
    interfaceName: { type: 'string' },
    ipAddress: { type: 'string' },
    ipAddresses: { type: 'array', items: { type: 'string' } },
    linkState: { type: 'string' },
    mac: { type: 'string' },
    name: { type: 'string' },
    podInterfaceName: { type: 'string' },
    queueCount: { type: 'integer', format: 'int32' },
  },
};

const ChecksumInfo: JSONSchemaProps = {
  type: 'object',
  properties: {
    checksum: { ...{ type: 'integer', format: 'int64' }, maximum: 4294967295, minimum: 0 },
  },
};

const KernelBootStatus: JSONSchemaProps = {
  type: 'object',
  properties: {
    initrdInfo: ChecksumInfo,
    kernelInfo: ChecksumInfo,
  },
};

const MemoryStatus: JSONSchemaProps = {
  type: 'object',
  properties: {
    guestAtBoot: QUANTITY,
    guestCurrent: QUANTITY,
    guestRequested: QUANTITY,
    memoryOverhead: QUANTITY,
  },
};

const DowntimeTuning: JSONSchemaProps = {
  type: 'object',
  properties: {
    cooldownSeconds: { ...{ type: 'integer', format: 'int32' }, minimum: 1 },
    initialMs: { ...{ type: 'integer', format: 'int64' }, minimum: 1 },
    startAfterIteration: { ...{ type: 'integer', format: 'int64' }, minimum: 1 },
    steps: { ...{ type: 'integer', format: 'int32' }, minimum: 1 },
  },
};

const StallDetector: JSONSchemaProps = {
  type: 'object',
  properties: {
    completionTimeoutFactor: QUANTITY,
    ewmaAlpha: QUANTITY,
    patienceWindowDecayFactor: QUANTITY,
    precopyPossibleFactor: QUANTITY,
    searchLocalMinima: { type: 'boolean' },
    stallMargin: { ...{ type: 'integer', format: 'int64' }, maximum: 100, minimum: 0 },
    stallProgressTimeout: { ...{ type: 'integer', format: 'int64' }, minimum: 0 },
    switchoverTimeout: { ...{ type: 'integer', format: 'int64' }, minimum: 0 },
  },
};

const MigrationExperimental: JSONSchemaProps = {
  type: 'object',
  properties: {
    compression: { type: 'string', enum: ["none", "zstd"] },
    downtimeTuning: DowntimeTuning,
    stallDetector: StallDetector,
  },
};

const MigrationConfiguration: JSONSchemaProps = {
  type: 'object',
  properties: {
    allowAutoConverge: { type: 'boolean' },
    allowPostCopy: { type: 'boolean' },
    allowWorkloadDisruption: { type: 'boolean' },
    bandwidthPerMigration: QUANTITY,
    completionTimeoutPerGiB: { type: 'integer', format: 'int64' },
    disableTLS: { type: 'boolean' },
    experimental: MigrationExperimental,
    matchSELinuxLevelOnMigration: { type: 'boolean' },
    maxDowntimeMs: { ...{ type: 'integer', format: 'int64' }, maximum: 2000000, minimum: 1 },
    network: { type: 'string' },
    nodeDrainTaintKey: { type: 'string' },
    parallelMigrationsPerCluster: { type: 'integer', format: 'int32' },
    parallelOutboundMigrationsPerNode: { type: 'integer', format: 'int32' },
    progressTimeout: { type: 'integer', format: 'int64' },
    unsafeMigrationOverride: { type: 'boolean' },
    utilityVolumesTimeout: { type: 'integer', format: 'int64' },
  },
};

const MigrationSourceState: JSONSchemaProps = {
  type: 'object',
  properties: {
    domainName: { type: 'string' },
    domainNamespace: { type: 'string' },
    migrationUID: { type: 'string' },
    node: { type: 'string' },
    nodeSelectors: { type: 'object', additionalProperties: { type: 'string' } },
    persistentStatePVCName: { type: 'string' },
    pod: { type: 'string' },
    selinuxContext: { type: 'string' },
    syncAddress: { type: 'string' },
    virtualMachineInstanceUID: { type: 'string' },
  },
};

const MigrationTargetState: JSONSchemaProps = {
  type: 'object',
  properties: {
    attachmentPodUID: { type: 'string' },
    cpuSet: { ...{ type: 'array', items: { type: 'integer' } }, 'x-kubernetes-list-type': "atomic" },
    directMigrationNodePorts: { type: 'object', additionalProperties: { type: 'integer' } },
    domainDetected: { type: 'boolean' },
    domainName: { type: 'string' },
    domainNamespace: { type: 'string' },
    domainReadyTimestamp: { type: 'string', format: 'date-time' },
    migrationUID: { type: 'string' },
    node: { type: 'string' },
    nodeAddress: { type: 'string' },
    nodeTopology: { type: 'string' },
    persistentStatePVCName: { type: 'string' },
    pod: { type: 'string' },
    selinuxContext: { type: 'string' },
    syncAddress: { type: 'string' },
    virtualMachineInstanceUID: { type: 'string' },
  },
};

const MigrationState: JSONSchemaProps = {
  type: 'object',
  properties: {
    abortRequested: { type: 'boolean' },
    abortStatus: { type: 'string' },
    completed: { type: 'boolean' },
    endTimestamp: { ...{ type: 'string', format: 'date-time' }, nullable: true },
    failed: { type: 'boolean' },
    failureReason: { type: 'string' },
    migrationConfiguration: MigrationConfiguration,
    migrationNetworkType: { type: 'string' },
    migrationPolicyName: { type: 'string' },
    migrationUid: { type: 'string' },
    mode: { type: 'string' },
    sourceNode: { type: 'string' },
    sourcePersistentStatePVCName: { type: 'string' },
    sourcePod: { type: 'string' },
    sourceState: MigrationSourceState,
    startTimestamp: { ...{ type: 'string', format: 'date-time' }, nullable: true },
    targetAttachmentPodUID: { type: 'string' },
    targetCPUSet: { ...{ type: 'array', items: { type: 'integer' } }, 'x-kubernetes-list-type': "atomic" },
    targetDirectMigrationNodePorts: { type: 'object', additionalProperties: { type: 'integer' } },
    targetMemoryOverhead: QUANTITY,
    targetNode: { type: 'string' },
    targetNodeAddress: { type: 'string' },
    targetNodeDomainDetected: { type: 'boolean' },
    targetNodeDomainReadyTimestamp: { type: 'string', format: 'date-time' },
    targetNodeTopology: { type: 'string' },
    targetPersistentStatePVCName: { type: 'string' },
    targetPod: { type: 'string' },
    targetState: MigrationTargetState,
  },
};

const PhaseTransitionTimestamp: JSONSchemaProps = {
  type: 'object',
  properties: {
    phase: { type: 'string' },
    phaseTransitionTimestamp: { type: 'string', format: 'date-time' },
  },
};

const TopologyHints: JSONSchemaProps = {
  type: 'object',
  properties: {
    tscFrequency: { type: 'integer', format: 'int64' },
  },
};

const HotplugVolumeStatus: JSONSchemaProps = {
  type: 'object',
  properties: {
    attachPodName: { type: 'string' },
    attachPodUID: { type: 'string' },
  },
};

const MemoryDumpVolumeInfo: JSONSchemaProps = {
  type: 'object',
  properties: {
    claimName: { type: 'string' },
    endTimestamp: { type: 'string', format: 'date-time' },
    startTimestamp: { type: 'string', format: 'date-time' },
    targetFileName: { type: 'string' },
  },
};

const VolumeStatus: JSONSchemaProps = {
  type: 'object',
  required: ['name', 'target'],
  properties: {
    containerDiskVolume: ChecksumInfo,
    hotplugVolume: HotplugVolumeStatus,
    memoryDumpVolume: MemoryDumpVolumeInfo,
    message: { type: 'string' },
    name: { type: 'string' },
    persistentVolumeClaimInfo: PersistentVolumeClaimInfo,
    phase: { type: 'string' },
    reason: { type: 'string' },
    size: { type: 'integer', format: 'int64' },
    target: { type: 'string' },
  },
};

const VMIStatus: JSONSchemaProps = {
  type: 'object',
  properties: {
    VSOCKCID: { ...{ type: 'integer', format: 'int64' }, maximum: 4294967295, minimum: 0 },
    activePods: { type: 'object', additionalProperties: { type: 'string' } },
    changedBlockTracking: { ...ChangedBlockTrackingStatus, nullable: true },
    conditions: { type: 'array', items: VMICondition },
    currentCPUTopology: CPUTopology,
    evacuationNodeName: { type: 'string' },
    fsFreezeStatus: { type: 'string' },
    guestOSInfo: GuestOSInfo,
    interfaces: { type: 'array', items: InterfaceStatus },
    kernelBootStatus: KernelBootStatus,
    launcherContainerImageVersion: { type: 'string' },
    machine: Machine,
    memory: MemoryStatus,
    migratedVolumes: { ...{ type: 'array', items: MigratedVolume }, 'x-kubernetes-list-type': "atomic" },
    migrationMethod: { type: 'string' },
    migrationState: MigrationState,
    migrationTransport: { type: 'string' },
    nodeName: { type: 'string' },
    phase: { type: 'string' },
    phaseTransitionTimestamps: { ...{ type: 'array', items: PhaseTransitionTimestamp }, 'x-kubernetes-list-type': "atomic" },
    qosClass: { type: 'string' },
    reason: { type: 'string' },
    runtimeUser: { type: 'integer', format: 'int64' },
    selinuxContext: { type: 'string' },
    topologyHints: TopologyHints,
    virtualMachineRevisionName: { type: 'string' },
    volumeStatus: { ...{ type: 'array', items: VolumeStatus }, 'x-kubernetes-list-type': "atomic" },
  },
};

const VirtualMachineInstance: JSONSchemaProps = {
  type: 'object',
  required: ['spec'],
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "The version of the schema that this object is written in." },
    kind: { ...{ type: 'string' }, description: "The kind of resource that this object is." },
    metadata: { ...{ type: 'object' }, description: "Name, labels, annotations and the other metadata of the object." },
    spec: VMISpec,
    status: VMIStatus,
  },
};

const VMIMigrationReceive: JSONSchemaProps = {
  type: 'object',
  required: ['migrationID'],
  properties: {
    migrationID: { type: 'string' },
  },
};

const VMIMigrationSendTo: JSONSchemaProps = {
  type: 'object',
  required: ['connectURL', 'migrationID'],
  properties: {
    connectURL: { type: 'string' },
    migrationID: { type: 'string' },
  },
};

const VMIMigrationSpec: JSONSchemaProps = {
  type: 'object',
  properties: {
    addedNodeSelector: { type: 'object', additionalProperties: { type: 'string' } },
    priority: { type: 'string' },
    receive: VMIMigrationReceive,
    sendTo: VMIMigrationSendTo,
    vmiName: { type: 'string' },
  },
};

const VMIMigrationStatus: JSONSchemaProps = {
  type: 'object',
  properties: {
    conditions: { type: 'array', items: VMICondition },
    migrationState: MigrationState,
    phase: { type: 'string' },
    phaseTransitionTimestamps: { ...{ type: 'array', items: PhaseTransitionTimestamp }, 'x-kubernetes-list-type': "atomic" },
    synchronizationAddresses: { ...{ type: 'array', items: { type: 'string' } }, 'x-kubernetes-list-type': "atomic" },
  },
};

const VirtualMachineInstanceMigration: JSONSchemaProps = {
  type: 'object',
  required: ['spec'],
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "The version of the schema that this object is written in." },
    kind: { ...{ type: 'string' }, description: "The kind of resource that this object is." },
    metadata: { ...{ type: 'object' }, description: "Name, labels, annotations and the other metadata of the object." },
    spec: VMIMigrationSpec,
    status: VMIMigrationStatus,
  },
};

const VirtualMachineInstanceReplicaSetSpec: JSONSchemaProps = {
  type: 'object',
  required: ['selector', 'template'],
  properties: {
    paused: { type: 'boolean' },
    replicas: { type: 'integer', format: 'int32' },
    selector: LabelSelector,
    template: VMITemplate,
  },
};

const VirtualMachineInstanceReplicaSetStatus: JSONSchemaProps = {
  type: 'object',
  properties: {
    conditions: { type: 'array', items: VMICondition },
    labelSelector: { type: 'string' },
    readyReplicas: { type: 'integer', format: 'int32' },
    replicas: { type: 'integer', format: 'int32' },
  },
};

const VirtualMachineInstanceReplicaSet: JSONSchemaProps = {
  type: 'object',
  required: ['spec'],
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "The version of the schema that this object is written in." },
    kind: { ...{ type: 'string' }, description: "The kind of resource that this object is." },
    metadata: { ...{ type: 'object' }, description: "Name, labels, annotations and the other metadata of the object." },
    spec: VirtualMachineInstanceReplicaSetSpec,
    status: { ...VirtualMachineInstanceReplicaSetStatus, nullable: true },
  },
};

const VirtualMachineInstancePresetSpec: JSONSchemaProps = {
  type: 'object',
  required: ['selector'],
  properties: {
    domain: DomainSpec,
    selector: LabelSelector,
  },
};

const VirtualMachineInstancePreset: JSONSchemaProps = {
  type: 'object',
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "The version of the schema that this object is written in." },
    kind: { ...{ type: 'string' }, description: "The kind of resource that this object is." },
    metadata: { ...{ type: 'object' }, description: "Name, labels, annotations and the other metadata of the object." },
    spec: VirtualMachineInstancePresetSpec,
  },
};

const PoolAutohealing: JSONSchemaProps = {
  type: 'object',
  properties: {
    minFailingToStartDuration: { type: 'string' },
    startUpFailureThreshold: { ...{ type: 'integer', format: 'int32' }, minimum: 1 },
  },
};

const PoolNameGeneration: JSONSchemaProps = {
  type: 'object',
  properties: {
    appendIndexToConfigMapRefs: { type: 'boolean' },
    appendIndexToSecretRefs: { type: 'boolean' },
  },
};

const PoolOpportunisticScaleIn: JSONSchemaProps = {
  type: 'object',
  properties: {
    statePreservation: { type: 'string', enum: ["Disabled", "Offline", "Online"] },
  },
};

const PoolSelectors: JSONSchemaProps = {
  type: 'object',
  properties: {
    labelSelector: LabelSelector,
    nodeSelectorRequirementMatcher: { type: 'array', items: SelectorRequirement },
  },
};

const PoolSelectionPolicy: JSONSchemaProps = {
  type: 'object',
  properties: {
    selectors: PoolSelectors,
    sortPolicy: { type: 'string', enum: ["AscendingOrder", "DescendingOrder", "Newest", "Oldest", "Random"] },
  },
};

const PoolProactiveScaleIn: JSONSchemaProps = {
  type: 'object',
  properties: {
    selectionPolicy: PoolSelectionPolicy,
    statePreservation: { type: 'string', enum: ["Disabled", "Offline", "Online"] },
  },
};

const PoolScaleInStrategy: JSONSchemaProps = {
  type: 'object',
  properties: {
    opportunistic: PoolOpportunisticScaleIn,
    proactive: PoolProactiveScaleIn,
    unmanaged: { type: 'object' },
  },
};

const PoolProactiveUpdate: JSONSchemaProps = {
  type: 'object',
  properties: {
    selectionPolicy: PoolSelectionPolicy,
  },
};

const PoolUpdateStrategy: JSONSchemaProps = {
  type: 'object',
  properties: {
    opportunistic: { type: 'object' },
    proactive: PoolProactiveUpdate,
    unmanaged: { type: 'object' },
  },
};

const VirtualMachineTemplateSpec: JSONSchemaProps = {
  type: 'object',
  properties: {
    metadata: { ...{ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, nullable: true },
    spec: VMSpec,
  },
};

const VirtualMachinePoolSpec: JSONSchemaProps = {
  type: 'object',
  required: ['selector', 'virtualMachineTemplate'],
  properties: {
    autohealing: PoolAutohealing,
    maxUnavailable: INT_OR_STRING,
    nameGeneration: PoolNameGeneration,
    paused: { type: 'boolean' },
    replicas: { ...{ type: 'integer', format: 'int32' }, minimum: 0 },
    scaleInStrategy: PoolScaleInStrategy,
    selector: LabelSelector,
    updateStrategy: PoolUpdateStrategy,
    virtualMachineTemplate: VirtualMachineTemplateSpec,
  },
};

const VirtualMachinePoolStatus: JSONSchemaProps = {
  type: 'object',
  properties: {
    conditions: { ...{ type: 'array', items: VMICondition }, 'x-kubernetes-list-type': "atomic" },
    labelSelector: { type: 'string' },
    readyReplicas: { type: 'integer', format: 'int32' },
    replicas: { type: 'integer', format: 'int32' },
  },
};

const VirtualMachinePool: JSONSchemaProps = {
  type: 'object',
  required: ['spec'],
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "The version of the schema that this object is written in." },
    kind: { ...{ type: 'string' }, description: "The kind of resource that this object is." },
    metadata: { ...{ type: 'object' }, description: "Name, labels, annotations and the other metadata of the object." },
    spec: VirtualMachinePoolSpec,
    status: VirtualMachinePoolStatus,
  },
};

const VirtualMachineSnapshotSpec: JSONSchemaProps = {
  type: 'object',
  required: ['source'],
  properties: {
    deletionPolicy: { type: 'string' },
    failureDeadline: { type: 'string' },
    source: TypedLocalObjectReference,
  },
};

const SnapshotError: JSONSchemaProps = {
  type: 'object',
  properties: {
    message: { type: 'string' },
    time: { type: 'string', format: 'date-time' },
  },
};

const SnapshotVolumes: JSONSchemaProps = {
  type: 'object',
  properties: {
    excludedVolumes: { ...{ type: 'array', items: { type: 'string' } }, 'x-kubernetes-list-type': "set" },
    includedVolumes: { ...{ type: 'array', items: { type: 'string' } }, 'x-kubernetes-list-type': "set" },
  },
};

const SourceIndication: JSONSchemaProps = {
  type: 'object',
  required: ['indication', 'message'],
  properties: {
    indication: { type: 'string' },
    message: { type: 'string' },
  },
};

const VirtualMachineSnapshotStatus: JSONSchemaProps = {
  type: 'object',
  properties: {
    conditions: { ...{ type: 'array', items: VMICondition }, 'x-kubernetes-list-type': "atomic" },
    creationTime: { ...{ type: 'string', format: 'date-time' }, nullable: true },
    error: SnapshotError,
    indications: { ...{ type: 'array', items: { type: 'string' } }, 'x-kubernetes-list-type': "set" },
    phase: { type: 'string' },
    readyToUse: { type: 'boolean' },
    snapshotVolumes: SnapshotVolumes,
    sourceIndications: { ...{ type: 'array', items: SourceIndication }, 'x-kubernetes-list-type': "atomic" },
    sourceUID: { type: 'string' },
    virtualMachineSnapshotContentName: { type: 'string' },
  },
};

const VirtualMachineSnapshot: JSONSchemaProps = {
  type: 'object',
  required: ['spec'],
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "The version of the schema that this object is written in." },
    kind: { ...{ type: 'string' }, description: "The kind of resource that this object is." },
    metadata: { ...{ type: 'object' }, description: "Name, labels, annotations and the other metadata of the object." },
    spec: VirtualMachineSnapshotSpec,
    status: VirtualMachineSnapshotStatus,
  },
};

const SnapshotVirtualMachine: JSONSchemaProps = {
  type: 'object',
  properties: {
    metadata: { ...{ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, nullable: true },
    spec: VMSpec,
    status: VMStatus,
  },
};

const SnapshotContentSource: JSONSchemaProps = {
  type: 'object',
  properties: {
    virtualMachine: SnapshotVirtualMachine,
  },
};

const SnapshotPersistentVolumeClaim: JSONSchemaProps = {
  type: 'object',
  properties: {
    metadata: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    spec: PersistentVolumeClaimSpec,
  },
};

const VolumeBackup: JSONSchemaProps = {
  type: 'object',
  required: ['persistentVolumeClaim', 'volumeName'],
  properties: {
    persistentVolumeClaim: SnapshotPersistentVolumeClaim,
    volumeName: { type: 'string' },
    volumeSnapshotName: { type: 'string' },
  },
};

const VirtualMachineSnapshotContentSpec: JSONSchemaProps = {
  type: 'object',
  required: ['source'],
  properties: {
    source: SnapshotContentSource,
    virtualMachineSnapshotName: { type: 'string' },
    volumeBackups: { ...{ type: 'array', items: VolumeBackup }, 'x-kubernetes-list-type': "atomic" },
  },
};

const VolumeSnapshotStatus: JSONSchemaProps = {
  type: 'object',
  required: ['volumeSnapshotName'],
  properties: {
    creationTime: { ...{ type: 'string', format: 'date-time' }, nullable: true },
    error: SnapshotError,
    readyToUse: { type: 'boolean' },
    volumeSnapshotName: { type: 'string' },
  },
};

const VirtualMachineSnapshotContentStatus: JSONSchemaProps = {
  type: 'object',
  properties: {
    creationTime: { ...{ type: 'string', format: 'date-time' }, nullable: true },
    error: SnapshotError,
    readyToUse: { type: 'boolean' },
    volumeSnapshotStatus: { ...{ type: 'array', items: VolumeSnapshotStatus }, 'x-kubernetes-list-type': "atomic" },
  },
};

const VirtualMachineSnapshotContent: JSONSchemaProps = {
  type: 'object',
  required: ['spec'],
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "The version of the schema that this object is written in." },
    kind: { ...{ type: 'string' }, description: "The kind of resource that this object is." },
    metadata: { ...{ type: 'object' }, description: "Name, labels, annotations and the other metadata of the object." },
    spec: VirtualMachineSnapshotContentSpec,
    status: VirtualMachineSnapshotContentStatus,
  },
};

const VolumeRestoreOverride: JSONSchemaProps = {
  type: 'object',
  properties: {
    annotations: { type: 'object', additionalProperties: { type: 'string' } },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    restoreName: { type: 'string' },
    volumeName: { type: 'string' },
  },
};

const VirtualMachineRestoreSpec: JSONSchemaProps = {
  type: 'object',
  required: ['target', 'virtualMachineSnapshotName'],
  properties: {
    patches: { ...{ type: 'array', items: { type: 'string' } }, 'x-kubernetes-list-type': "atomic" },
    target: TypedLocalObjectReference,
    targetReadinessPolicy: { ...{ type: 'string', enum: ["StopTarget", "WaitGracePeriod", "FailImmediate", "WaitEventually"] }, default: "WaitGracePeriod" },
    virtualMachineSnapshotName: { type: 'string' },
    volumeOwnershipPolicy: { type: 'string' },
    volumeRestoreOverrides: { ...{ type: 'array', items: VolumeRestoreOverride }, 'x-kubernetes-list-type': "atomic" },
    volumeRestorePolicy: { type: 'string' },
  },
};

const VolumeRestore: JSONSchemaProps = {
  type: 'object',
  required: ['persistentVolumeClaim', 'volumeName', 'volumeSnapshotName'],
  properties: {
    dataVolumeName: { type: 'string' },
    persistentVolumeClaim: { type: 'string' },
    volumeName: { type: 'string' },
    volumeSnapshotName: { type: 'string' },
  },
};

const VirtualMachineRestoreStatus: JSONSchemaProps = {
  type: 'object',
  properties: {
    complete: { type: 'boolean' },
    conditions: { ...{ type: 'array', items: VMICondition }, 'x-kubernetes-list-type': "atomic" },
    deletedDataVolumes: { ...{ type: 'array', items: { type: 'string' } }, 'x-kubernetes-list-type': "set" },
    restoreTime: { type: 'string', format: 'date-time' },
    restores: { ...{ type: 'array', items: VolumeRestore }, 'x-kubernetes-list-type': "atomic" },
  },
};

const VirtualMachineRestore: JSONSchemaProps = {
  type: 'object',
  required: ['spec'],
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "The version of the schema that this object is written in." },
    kind: { ...{ type: 'string' }, description: "The kind of resource that this object is." },
    metadata: { ...{ type: 'object' }, description: "Name, labels, annotations and the other metadata of the object." },
    spec: VirtualMachineRestoreSpec,
    status: VirtualMachineRestoreStatus,
  },
};

const VirtualMachineExportSpec: JSONSchemaProps = {
  type: 'object',
  required: ['source'],
  properties: {
    source: TypedLocalObjectReference,
    tokenSecretRef: { type: 'string' },
    ttlDuration: { type: 'string' },
  },
};

const VirtualMachineExportBackupEndpoint: JSONSchemaProps = {
  type: 'object',
  required: ['endpoint', 'url'],
  properties: {
    endpoint: { type: 'string' },
    url: { type: 'string' },
  },
};

const VirtualMachineExportBackup: JSONSchemaProps = {
  type: 'object',
  required: ['name'],
  properties: {
    endpoints: { ...{ type: 'array', items: VirtualMachineExportBackupEndpoint }, 'x-kubernetes-list-map-keys': ["endpoint"], 'x-kubernetes-list-type': "map" },
    name: { type: 'string' },
  },
};

const VirtualMachineExportManifest: JSONSchemaProps = {
  type: 'object',
  required: ['type', 'url'],
  properties: {
    type: { type: 'string' },
    url: { type: 'string' },
  },
};

const VirtualMachineExportVolumeFormat: JSONSchemaProps = {
  type: 'object',
  required: ['format', 'url'],
  properties: {
    format: { type: 'string' },
    url: { type: 'string' },
  },
};

const VirtualMachineExportVolume: JSONSchemaProps = {
  type: 'object',
  required: ['name'],
  properties: {
    formats: { ...{ type: 'array', items: VirtualMachineExportVolumeFormat }, 'x-kubernetes-list-map-keys': ["format"], 'x-kubernetes-list-type': "map" },
    name: { type: 'string' },
  },
};

const VirtualMachineExportLink: JSONSchemaProps = {
  type: 'object',
  required: ['cert'],
  properties: {
    backups: { ...{ type: 'array', items: VirtualMachineExportBackup }, 'x-kubernetes-list-map-keys': ["name"], 'x-kubernetes-list-type': "map" },
    cert: { type: 'string' },
    manifests: { ...{ type: 'array', items: VirtualMachineExportManifest }, 'x-kubernetes-list-map-keys': ["type"], 'x-kubernetes-list-type': "map" },
    volumes: { ...{ type: 'array', items: VirtualMachineExportVolume }, 'x-kubernetes-list-map-keys': ["name"], 'x-kubernetes-list-type': "map" },
  },
};

const VirtualMachineExportLinks: JSONSchemaProps = {
  type: 'object',
  properties: {
    external: VirtualMachineExportLink,
    internal: VirtualMachineExportLink,
  },
};

const VirtualMachineExportStatus: JSONSchemaProps = {
  type: 'object',
  properties: {
    conditions: { ...{ type: 'array', items: VMICondition }, 'x-kubernetes-list-type': "atomic" },
    links: VirtualMachineExportLinks,
    phase: { type: 'string' },
    serviceName: { type: 'string' },
    tokenSecretRef: { type: 'string' },
    ttlExpirationTime: { type: 'string', format: 'date-time' },
    virtualMachineName: { type: 'string' },
  },
};

const VirtualMachineExport: JSONSchemaProps = {
  type: 'object',
  required: ['spec'],
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "The version of the schema that this object is written in." },
    kind: { ...{ type: 'string' }, description: "The kind of resource that this object is." },
    metadata: { ...{ type: 'object' }, description: "Name, labels, annotations and the other metadata of the object." },
    spec: VirtualMachineExportSpec,
    status: VirtualMachineExportStatus,
  },
};

const VirtualMachineCloneTemplateFilters: JSONSchemaProps = {
  type: 'object',
  properties: {
    annotationFilters: { ...{ type: 'array', items: { type: 'string' } }, 'x-kubernetes-list-type': "atomic" },
    labelFilters: { ...{ type: 'array', items: { type: 'string' } }, 'x-kubernetes-list-type': "atomic" },
  },
};

const VirtualMachineCloneSpec: JSONSchemaProps = {
  type: 'object',
  required: ['source'],
  properties: {
    annotationFilters: { ...{ type: 'array', items: { type: 'string' } }, 'x-kubernetes-list-type': "atomic" },
    labelFilters: { ...{ type: 'array', items: { type: 'string' } }, 'x-kubernetes-list-type': "atomic" },
    newMacAddresses: { type: 'object', additionalProperties: { type: 'string' } },
    newSMBiosSerial: { type: 'string' },
    patches: { ...{ type: 'array', items: { type: 'string' } }, 'x-kubernetes-list-type': "atomic" },
    source: TypedLocalObjectReference,
    target: TypedLocalObjectReference,
    template: VirtualMachineCloneTemplateFilters,
    volumeNamePolicy: { type: 'string', enum: ["RandomizeNames", "PrefixTargetName"] },
  },
};

const VirtualMachineCloneStatus: JSONSchemaProps = {
  type: 'object',
  properties: {
    conditions: { ...{ type: 'array', items: VMICondition }, 'x-kubernetes-list-type': "atomic" },
    creationTime: { ...{ type: 'string', format: 'date-time' }, nullable: true },
    phase: { type: 'string' },
    restoreName: { ...{ type: 'string' }, nullable: true },
    snapshotName: { ...{ type: 'string' }, nullable: true },
    targetName: { ...{ type: 'string' }, nullable: true },
  },
};

const VirtualMachineClone: JSONSchemaProps = {
  type: 'object',
  required: ['spec'],
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "The version of the schema that this object is written in." },
    kind: { ...{ type: 'string' }, description: "The kind of resource that this object is." },
    metadata: { ...{ type: 'object' }, description: "Name, labels, annotations and the other metadata of the object." },
    spec: VirtualMachineCloneSpec,
    status: VirtualMachineCloneStatus,
  },
};

const CPUInstancetype: JSONSchemaProps = {
  type: 'object',
  required: ['guest'],
  properties: {
    dedicatedCPUPlacement: { type: 'boolean' },
    guest: { type: 'integer', format: 'int32' },
    isolateEmulatorThread: { type: 'boolean' },
    maxSockets: { type: 'integer', format: 'int32' },
    model: { type: 'string' },
    numa: NUMA,
    realtime: Realtime,
  },
};

const MemoryInstancetype: JSONSchemaProps = {
  type: 'object',
  required: ['guest'],
  properties: {
    guest: QUANTITY,
    hugepages: Hugepages,
    maxGuest: QUANTITY,
    overcommitPercent: { ...{ type: 'integer' }, maximum: 100, minimum: 0 },
  },
};

const VirtualMachineInstancetypeSpec: JSONSchemaProps = {
  type: 'object',
  required: ['cpu', 'memory'],
  properties: {
    annotations: { type: 'object', additionalProperties: { type: 'string' } },
    cpu: CPUInstancetype,
    gpus: { ...{ type: 'array', items: GPU }, 'x-kubernetes-list-type': "atomic" },
    hostDevices: { ...{ type: 'array', items: HostDevice }, 'x-kubernetes-list-type': "atomic" },
    ioThreads: DiskIOThreads,
    ioThreadsPolicy: { type: 'string' },
    launchSecurity: LaunchSecurity,
    memory: MemoryInstancetype,
    nodeSelector: { type: 'object', additionalProperties: { type: 'string' } },
    schedulerName: { type: 'string' },
  },
};

const VirtualMachineInstancetype: JSONSchemaProps = {
  type: 'object',
  required: ['spec'],
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "The version of the schema that this object is written in." },
    kind: { ...{ type: 'string' }, description: "The kind of resource that this object is." },
    metadata: { ...{ type: 'object' }, description: "Name, labels, annotations and the other metadata of the object." },
    spec: VirtualMachineInstancetypeSpec,
  },
};

const VirtualMachineClusterInstancetype: JSONSchemaProps = {
  type: 'object',
  required: ['spec'],
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "The version of the schema that this object is written in." },
    kind: { ...{ type: 'string' }, description: "The kind of resource that this object is." },
    metadata: { ...{ type: 'object' }, description: "Name, labels, annotations and the other metadata of the object." },
    spec: VirtualMachineInstancetypeSpec,
  },
};

const ClockOffset: JSONSchemaProps = {
  type: 'object',
  properties: {
    timezone: { type: 'string' },
    utc: ClockOffsetUTC,
  },
};

const ClockPreferences: JSONSchemaProps = {
  type: 'object',
  properties: {
    preferredClockOffset: ClockOffset,
    preferredTimer: Timer,
  },
};

const SpreadOptions: JSONSchemaProps = {
  type: 'object',
  properties: {
    across: { type: 'string' },
    ratio: { type: 'integer', format: 'int32' },
  },
};

const CPUPreferences: JSONSchemaProps = {
  type: 'object',
  properties: {
    preferredCPUFeatures: { type: 'array', items: CPUFeature },
    preferredCPUTopology: { type: 'string' },
    spreadOptions: SpreadOptions,
  },
};

const DevicePreferences: JSONSchemaProps = {
  type: 'object',
  properties: {
    preferredAutoattachGraphicsDevice: { type: 'boolean' },
    preferredAutoattachInputDevice: { type: 'boolean' },
    preferredAutoattachMemBalloon: { type: 'boolean' },
    preferredAutoattachPodInterface: { type: 'boolean' },
    preferredAutoattachSerialConsole: { type: 'boolean' },
    preferredBlockMultiQueue: { type: 'boolean' },
    preferredCdromBus: { type: 'string' },
    preferredDisableHotplug: { type: 'boolean' },
    preferredDiskBlockSize: BlockSize,
    preferredDiskBus: { type: 'string' },
    preferredDiskCache: { type: 'string' },
    preferredDiskDedicatedIoThread: { type: 'boolean' },
    preferredDiskIO: { type: 'string' },
    preferredInputBus: { type: 'string' },
    preferredInputType: { type: 'string' },
    preferredInterfaceMasquerade: { type: 'object' },
    preferredInterfaceModel: { type: 'string' },
    preferredLunBus: { type: 'string' },
    preferredNetworkInterfaceMultiQueue: { type: 'boolean' },
    preferredPanicDeviceModel: { type: 'string' },
    preferredRng: { type: 'object' },
    preferredSoundModel: { type: 'string' },
    preferredTPM: TPMDevice,
    preferredUseVirtioTransitional: { type: 'boolean' },
    preferredVideoType: { type: 'string' },
    preferredVirtualGPUOptions: VGPUOptions,
  },
};

const FeaturePreferences: JSONSchemaProps = {
  type: 'object',
  properties: {
    preferredAcpi: FeatureState,
    preferredApic: FeatureAPIC,
    preferredHyperv: FeatureHyperv,
    preferredKvm: FeatureKVM,
    preferredPvspinlock: FeatureState,
    preferredSmm: FeatureState,
  },
};

const FirmwarePreferences: JSONSchemaProps = {
  type: 'object',
  properties: {
    preferredEfi: EFI,
    preferredUseBios: { type: 'boolean' },
    preferredUseBiosSerial: { type: 'boolean' },
    preferredUseEfi: { type: 'boolean' },
    preferredUseSecureBoot: { type: 'boolean' },
  },
};

const MachinePreferences: JSONSchemaProps = {
  type: 'object',
  properties: {
    preferredMachineType: { type: 'string' },
  },
};

const CPUPreferenceRequirement: JSONSchemaProps = {
  type: 'object',
  required: ['guest'],
  properties: {
    guest: { type: 'integer', format: 'int32' },
  },
};

const MemoryPreferenceRequirement: JSONSchemaProps = {
  type: 'object',
  required: ['guest'],
  properties: {
    guest: QUANTITY,
  },
};

const PreferenceRequirements: JSONSchemaProps = {
  type: 'object',
  properties: {
    architecture: { type: 'string' },
    cpu: CPUPreferenceRequirement,
    memory: MemoryPreferenceRequirement,
  },
};

const VolumePreferences: JSONSchemaProps = {
  type: 'object',
  properties: {
    preferredStorageClassName: { type: 'string' },
  },
};

const VirtualMachinePreferenceSpec: JSONSchemaProps = {
  type: 'object',
  properties: {
    annotations: { type: 'object', additionalProperties: { type: 'string' } },
    clock: ClockPreferences,
    cpu: CPUPreferences,
    devices: DevicePreferences,
    features: FeaturePreferences,
    firmware: FirmwarePreferences,
    machine: MachinePreferences,
    preferSpreadSocketToCoreRatio: { type: 'integer', format: 'int32' },
    preferredArchitecture: { type: 'string' },
    preferredLaunchSecurity: LaunchSecurity,
    preferredSubdomain: { type: 'string' },
    preferredTerminationGracePeriodSeconds: { type: 'integer', format: 'int64' },
    requirements: PreferenceRequirements,
    volumes: VolumePreferences,
  },
};

const VirtualMachinePreference: JSONSchemaProps = {
  type: 'object',
  required: ['spec'],
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "The version of the schema that this object is written in." },
    kind: { ...{ type: 'string' }, description: "The kind of resource that this object is." },
    metadata: { ...{ type: 'object' }, description: "Name, labels, annotations and the other metadata of the object." },
    spec: VirtualMachinePreferenceSpec,
  },
};

const VirtualMachineClusterPreference: JSONSchemaProps = {
  type: 'object',
  required: ['spec'],
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "The version of the schema that this object is written in." },
    kind: { ...{ type: 'string' }, description: "The kind of resource that this object is." },
    metadata: { ...{ type: 'object' }, description: "Name, labels, annotations and the other metadata of the object." },
    spec: VirtualMachinePreferenceSpec,
  },
};

const MigrationPolicySelectors: JSONSchemaProps = {
  type: 'object',
  properties: {
    namespaceSelector: { type: 'object', additionalProperties: { type: 'string' } },
    virtualMachineInstanceSelector: { type: 'object', additionalProperties: { type: 'string' } },
  },
};

const MigrationPolicySpec: JSONSchemaProps = {
  type: 'object',
  required: ['selectors'],
  properties: {
    allowAutoConverge: { type: 'boolean' },
    allowPostCopy: { type: 'boolean' },
    allowWorkloadDisruption: { type: 'boolean' },
    bandwidthPerMigration: QUANTITY,
    completionTimeoutPerGiB: { type: 'integer', format: 'int64' },
    experimental: MigrationExperimental,
    maxDowntimeMs: { ...{ type: 'integer', format: 'int64' }, maximum: 2000000, minimum: 1 },
    selectors: MigrationPolicySelectors,
  },
};

const MigrationPolicy: JSONSchemaProps = {
  type: 'object',
  required: ['spec'],
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "The version of the schema that this object is written in." },
    kind: { ...{ type: 'string' }, description: "The kind of resource that this object is." },
    metadata: { ...{ type: 'object' }, description: "Name, labels, annotations and the other metadata of the object." },
    spec: MigrationPolicySpec,
    status: { ...{ type: 'object' }, nullable: true },
  },
};

const VirtualMachineBackupSpec: JSONSchemaProps = {
  type: 'object',
  required: ['source'],
  properties: {
    forceFullBackup: { type: 'boolean' },
    mode: { type: 'string', enum: ["Push", "Pull"] },
    pvcName: { type: 'string' },
    skipQuiesce: { type: 'boolean' },
    source: { ...TypedLocalObjectReference, 'x-kubernetes-validations': [{"message":"apiGroup is required","rule":"has(self.apiGroup)"},{"message":"apiGroup must be kubevirt.io or backup.kubevirt.io","rule":"!has(self.apiGroup) || self.apiGroup == 'kubevirt.io' || self.apiGroup == 'backup.kubevirt.io'"},{"message":"kind must be VirtualMachine for kubevirt.io or VirtualMachineBackupTracker for backup.kubevirt.io","rule":"!has(self.apiGroup) || (self.apiGroup == 'kubevirt.io' && self.kind == 'VirtualMachine') || (self.apiGroup == 'backup.kubevirt.io' && self.kind == 'VirtualMachineBackupTracker')"},{"message":"name is required","rule":"self.name != ''"}] },
    tokenSecretRef: { type: 'string' },
    ttlDuration: { type: 'string' },
  },
};

const StandardCondition: JSONSchemaProps = {
  type: 'object',
  required: ['lastTransitionTime', 'message', 'reason', 'status', 'type'],
  properties: {
    lastTransitionTime: { type: 'string', format: 'date-time' },
    message: { ...{ type: 'string' }, maxLength: 32768 },
    observedGeneration: { ...{ type: 'integer', format: 'int64' }, minimum: 0 },
    reason: { ...{ type: 'string' }, maxLength: 1024, minLength: 1, pattern: "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$" },
    status: { type: 'string', enum: ["True", "False", "Unknown"] },
    type: { ...{ type: 'string' }, maxLength: 316, pattern: "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$" },
  },
};

const BackupIncludedVolume: JSONSchemaProps = {
  type: 'object',
  required: ['volumeName'],
  properties: {
    dataEndpoint: { type: 'string' },
    mapEndpoint: { type: 'string' },
    volumeName: { type: 'string' },
  },
};

const VirtualMachineBackupStatus: JSONSchemaProps = {
  type: 'object',
  properties: {
    checkpointName: { type: 'string' },
    conditions: { ...{ type: 'array', items: StandardCondition }, 'x-kubernetes-list-map-keys': ["type"], 'x-kubernetes-list-type': "map" },
    endpointCert: { type: 'string' },
    exportUID: { type: 'string' },
    includedVolumes: { ...{ type: 'array', items: BackupIncludedVolume }, 'x-kubernetes-list-type': "atomic" },
    type: { type: 'string' },
  },
};

const VirtualMachineBackup: JSONSchemaProps = {
  type: 'object',
  required: ['spec'],
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "The version of the schema that this object is written in." },
    kind: { ...{ type: 'string' }, description: "The kind of resource that this object is." },
    metadata: { ...{ type: 'object' }, description: "Name, labels, annotations and the other metadata of the object." },
    spec: { ...VirtualMachineBackupSpec, 'x-kubernetes-validations': [{"message":"spec is immutable after creation","rule":"self == oldSelf"},{"message":"pvcName is required","rule":"has(self.pvcName) && self.pvcName != \"\""},{"message":"tokenSecretRef is required when mode is Pull","rule":"!has(self.mode) || self.mode != 'Pull' || (has(self.tokenSecretRef) && self.tokenSecretRef != \"\")"}] },
    status: VirtualMachineBackupStatus,
  },
};

const VirtualMachineBackupTrackerSpec: JSONSchemaProps = {
  type: 'object',
  required: ['source'],
  properties: {
    source: { ...TypedLocalObjectReference, 'x-kubernetes-validations': [{"message":"apiGroup must be kubevirt.io","rule":"has(self.apiGroup) && self.apiGroup == 'kubevirt.io'"},{"message":"kind must be VirtualMachine","rule":"self.kind == 'VirtualMachine'"},{"message":"name is required","rule":"self.name != ''"}] },
  },
};

const BackupCheckpoint: JSONSchemaProps = {
  type: 'object',
  properties: {
    creationTime: { type: 'string', format: 'date-time' },
    name: { type: 'string' },
    volumes: { ...{ type: 'array', items: BackupIncludedVolume }, 'x-kubernetes-list-type': "atomic" },
  },
};

const VirtualMachineBackupTrackerStatus: JSONSchemaProps = {
  type: 'object',
  properties: {
    checkpointRedefinitionRequired: { type: 'boolean' },
    latestCheckpoint: BackupCheckpoint,
  },
};

const VirtualMachineBackupTracker: JSONSchemaProps = {
  type: 'object',
  required: ['spec'],
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "The version of the schema that this object is written in." },
    kind: { ...{ type: 'string' }, description: "The kind of resource that this object is." },
    metadata: { ...{ type: 'object' }, description: "Name, labels, annotations and the other metadata of the object." },
    spec: { ...VirtualMachineBackupTrackerSpec, 'x-kubernetes-validations': [{"message":"spec is immutable after creation","rule":"self == oldSelf"}] },
    status: VirtualMachineBackupTrackerStatus,
  },
};

const PluginCELHook: JSONSchemaProps = {
  type: 'object',
  required: ['expression'],
  properties: {
    expression: { ...{ type: 'string' }, minLength: 1 },
  },
};

const PluginSidecarHook: JSONSchemaProps = {
  type: 'object',
  required: ['socketPath'],
  properties: {
    socketPath: { ...{ type: 'string' }, minLength: 1 },
  },
};

const PluginDomainHook: JSONSchemaProps = {
  type: 'object',
  properties: {
    cel: PluginCELHook,
    condition: { type: 'string' },
    failureStrategy: { type: 'string' },
    sidecar: PluginSidecarHook,
    timeout: { type: 'string' },
  },
};

const PluginAdmissionReference: JSONSchemaProps = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { ...{ type: 'string' }, minLength: 1 },
  },
};

const PluginNodeHook: JSONSchemaProps = {
  type: 'object',
  required: ['permittedHooks', 'socket'],
  properties: {
    condition: { type: 'string' },
    failureStrategy: { type: 'string' },
    permittedHooks: { ...{ type: 'array', items: { type: 'string' } }, minItems: 1, 'x-kubernetes-list-type': "atomic" },
    socket: { ...{ type: 'string' }, minLength: 1 },
    timeout: { type: 'string' },
  },
};

const PluginSpec: JSONSchemaProps = {
  type: 'object',
  properties: {
    condition: { type: 'string' },
    domainHooks: { ...{ type: 'array', items: PluginDomainHook }, 'x-kubernetes-list-type': "atomic" },
    failureStrategy: { type: 'string' },
    mutatingAdmissionPolicies: { ...{ type: 'array', items: PluginAdmissionReference }, 'x-kubernetes-list-type': "atomic" },
    mutatingAdmissionWebhooks: { ...{ type: 'array', items: PluginAdmissionReference }, 'x-kubernetes-list-type': "atomic" },
    nodeHooks: { ...{ type: 'array', items: PluginNodeHook }, 'x-kubernetes-list-type': "atomic" },
    validatingAdmissionPolicies: { ...{ type: 'array', items: PluginAdmissionReference }, 'x-kubernetes-list-type': "atomic" },
    validatingAdmissionWebhooks: { ...{ type: 'array', items: PluginAdmissionReference }, 'x-kubernetes-list-type': "atomic" },
  },
};

const Plugin: JSONSchemaProps = {
  type: 'object',
  required: ['spec'],
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "The version of the schema that this object is written in." },
    kind: { ...{ type: 'string' }, description: "The kind of resource that this object is." },
    metadata: { ...{ type: 'object' }, description: "Name, labels, annotations and the other metadata of the object." },
    spec: PluginSpec,
    status: { type: 'object' },
  },
};

export const schemas: Readonly<Record<string, JSONSchemaProps>> = { KubeVirt, VirtualMachine, VirtualMachineInstance, VirtualMachineInstanceMigration, VirtualMachineInstanceReplicaSet, VirtualMachineInstancePreset, VirtualMachinePool, VirtualMachineSnapshot, VirtualMachineSnapshotContent, VirtualMachineRestore, VirtualMachineExport, VirtualMachineClone, VirtualMachineInstancetype, VirtualMachineClusterInstancetype, VirtualMachinePreference, VirtualMachineClusterPreference, MigrationPolicy, VirtualMachineBackup, VirtualMachineBackupTracker, Plugin };
