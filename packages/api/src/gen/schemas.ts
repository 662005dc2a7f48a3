// Generated from src/types by scripts/generate-crds.ts. Do not edit.
import type { JSONSchemaProps } from '../crds/schema.ts';

const INT_OR_STRING: JSONSchemaProps = {
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  'x-kubernetes-int-or-string': true,
};
const QUANTITY: JSONSchemaProps = { ...INT_OR_STRING, pattern: "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$" };

const CertConfig: JSONSchemaProps = {
  type: 'object',
  description: "Lifetime of a certificate.",
  properties: {
    duration: { ...{ type: 'string' }, description: "How long it is valid." },
    renewBefore: { ...{ type: 'string' }, description: "How long before its end it is renewed." },
  },
};

const KubeVirtSelfSignConfiguration: JSONSchemaProps = {
  type: 'object',
  description: "Lifetimes of certificates that the installation signs itself.",
  properties: {
    ca: { ...CertConfig, description: "Lifetime of the authority." },
    caOverlapInterval: { ...{ type: 'string' }, description: "Old form of ca.renewBefore." },
    caRotateInterval: { ...{ type: 'string' }, description: "Old form of ca.duration." },
    certRotateInterval: { ...{ type: 'string' }, description: "Old form of server.duration." },
    server: { ...CertConfig, description: "Lifetime of the certificates of components." },
  },
};

const KubeVirtCertificateRotateStrategy: JSONSchemaProps = {
  type: 'object',
  description: "How certificates are renewed.",
  properties: {
    selfSigned: { ...KubeVirtSelfSignConfiguration, description: "Certificates that the installation signs itself." },
  },
};

const TokenBucketRateLimiter: JSONSchemaProps = {
  type: 'object',
  description: "A steady rate with bursts.",
  required: ['burst', 'qps'],
  properties: {
    burst: { ...{ type: 'integer' }, description: "Requests at once." },
    qps: { ...{ type: 'number' }, description: "Requests a second." },
  },
};

const RateLimiter: JSONSchemaProps = {
  type: 'object',
  description: "How fast a component may talk.",
  properties: {
    tokenBucketRateLimiter: { ...TokenBucketRateLimiter, description: "A steady rate with bursts." },
  },
};

const RESTClientConfiguration: JSONSchemaProps = {
  type: 'object',
  description: "How a component talks to the API server.",
  properties: {
    rateLimiter: { ...RateLimiter, description: "How fast." },
  },
};

const ReloadableComponentConfiguration: JSONSchemaProps = {
  type: 'object',
  description: "Settings that a component takes over while it runs.",
  properties: {
    restClient: { ...RESTClientConfiguration, description: "How it talks to the API server." },
  },
};

const ArchSpecificConfiguration: JSONSchemaProps = {
  type: 'object',
  description: "Machine types and firmware of an architecture.",
  properties: {
    emulatedMachines: { ...{ type: 'array', items: { type: 'string' } }, description: "Machine types that guests may use, as globs.", 'x-kubernetes-list-type': "atomic" },
    machineType: { ...{ type: 'string' }, description: "Machine type of guests that name none." },
    ovmfPath: { ...{ type: 'string' }, description: "Directory of the EFI firmware." },
  },
};

const ArchitectureConfiguration: JSONSchemaProps = {
  type: 'object',
  description: "Machine types and firmware of each architecture.",
  properties: {
    amd64: { ...ArchSpecificConfiguration, description: "Settings of amd64." },
    arm64: { ...ArchSpecificConfiguration, description: "Settings of arm64." },
    defaultArchitecture: { ...{ type: 'string' }, description: "Architecture of guests that name none." },
    ppc64le: { ...ArchSpecificConfiguration, description: "No longer supported." },
    s390x: { ...ArchSpecificConfiguration, description: "Settings of s390x." },
  },
};

const SelectorRequirement: JSONSchemaProps = {
  type: 'object',
  description: "A requirement on one key.",
  required: ['key', 'operator'],
  properties: {
    key: { ...{ type: 'string' }, description: "The key." },
    operator: { ...{ type: 'string' }, description: "In, NotIn, Exists, DoesNotExist, and for nodes Gt and Lt." },
    values: { ...{ type: 'array', items: { type: 'string' } }, description: "The values, for In, NotIn, Gt and Lt.", 'x-kubernetes-list-type': "atomic" },
  },
};

const LabelSelector: JSONSchemaProps = {
  type: 'object',
  description: "Objects whose labels meet all requirements.",
  'x-kubernetes-map-type': "atomic",
  properties: {
    matchExpressions: { ...{ type: 'array', items: SelectorRequirement }, description: "Requirements on labels.", 'x-kubernetes-list-type': "atomic" },
    matchLabels: { ...{ type: 'object', additionalProperties: { type: 'string' } }, description: "Labels and their values." },
  },
};

const ChangedBlockTrackingLabelSelectors: JSONSchemaProps = {
  type: 'object',
  description: "Machines whose changed blocks are tracked.",
  properties: {
    namespaceLabelSelector: { ...LabelSelector, description: "Labels of their namespaces." },
    virtualMachineLabelSelector: { ...LabelSelector, description: "Labels of the machines." },
  },
};

const OptionalDeployment: JSONSchemaProps = {
  type: 'object',
  description: "A part that can be left out.",
  properties: {
    enabled: { ...{ type: 'boolean' }, description: "Whether it is there.", nullable: true },
  },
};

const TDXAttestationConfiguration: JSONSchemaProps = {
  type: 'object',
  description: "How TDX guests are measured.",
  properties: {
    enforced: { ...{ type: 'boolean' }, description: "Refuses guests that cannot be measured.", default: false },
    qgsSocketPath: { ...{ type: 'string' }, description: "Socket of the quote generation service on the node.", default: "/var/run/tdx-qgs/qgs.socket" },
  },
};

const TDXConfiguration: JSONSchemaProps = {
  type: 'object',
  description: "Settings of Intel TDX.",
  properties: {
    attestation: { ...TDXAttestationConfiguration, description: "How guests are measured." },
  },
};

const ConfidentialComputeConfiguration: JSONSchemaProps = {
  type: 'object',
  description: "Settings for encrypted guests.",
  properties: {
    tdx: { ...TDXConfiguration, description: "Settings of Intel TDX.", nullable: true },
  },
};

const DiskVerification: JSONSchemaProps = {
  type: 'object',
  description: "Limits for looking into disk images.",
  required: ['memoryLimit'],
  properties: {
    memoryLimit: { ...QUANTITY, description: "Memory that the tool may use." },
  },
};

const LogVerbosity: JSONSchemaProps = {
  type: 'object',
  description: "How much components log, from 0 to 10.",
  properties: {
    nodeVerbosity: { ...{ type: 'object', additionalProperties: { type: 'integer' } }, description: "Of virt-handler, by node." },
    virtAPI: { ...{ type: 'integer' }, description: "Of virt-api." },
    virtController: { ...{ type: 'integer' }, description: "Of virt-controller." },
    virtHandler: { ...{ type: 'integer' }, description: "Of virt-handler." },
    virtLauncher: { ...{ type: 'integer' }, description: "Of virt-launcher." },
    virtOperator: { ...{ type: 'integer' }, description: "Of virt-operator." },
    virtSynchronizationController: { ...{ type: 'integer' }, description: "Of the synchronization controller." },
  },
};

const DeveloperConfiguration: JSONSchemaProps = {
  type: 'object',
  description: "Feature gates and other settings for the brave.",
  properties: {
    clusterProfiler: { ...{ type: 'boolean' }, description: "Lets the profiler of components be used." },
    cpuAllocationRatio: { ...{ type: 'integer' }, description: "vCPUs per CPU that is requested." },
    disabledFeatureGates: { ...{ type: 'array', items: { type: 'string' } }, description: "Beta features that are switched off.", 'x-kubernetes-list-type': "atomic" },
    diskVerification: { ...DiskVerification, description: "Limits for looking into disk images." },
    featureGates: { ...{ type: 'array', items: { type: 'string' } }, description: "Features that are switched on.", 'x-kubernetes-list-type': "atomic" },
    logVerbosity: { ...LogVerbosity, description: "How much components log." },
    memoryOvercommit: { ...{ type: 'integer' }, description: "Percent of a guest's memory to its Pod's request; above 100 packs more guests on a node.", minimum: 10 },
    minimumClusterTSCFrequency: { ...{ type: 'integer', format: 'int64' }, description: "Lowest frequency of time stamp counters, in Hz." },
    minimumReservePVCBytes: { ...{ type: 'integer', format: 'int64' }, description: "Bytes that are left free in a claim with a disk image." },
    nodeSelectors: { ...{ type: 'object', additionalProperties: { type: 'string' } }, description: "Labels that the node of every guest must have." },
    pvcTolerateLessSpaceUpToPercent: { ...{ type: 'integer' }, description: "Percent that a claim may be smaller than its image." },
    useEmulation: { ...{ type: 'boolean' }, description: "Runs guests also on nodes without hardware virtualisation, slowly." },
  },
};

const HypervisorConfiguration: JSONSchemaProps = {
  type: 'object',
  description: "The hypervisor that runs guests.",
  properties: {
    name: { ...{ type: 'string', enum: ["kvm", "hyperv-direct"] }, description: "kvm or hyperv-direct." },
  },
};

const InstancetypeConfiguration: JSONSchemaProps = {
  type: 'object',
  description: "How virtual machines refer to instance types.",
  properties: {
    referencePolicy: { ...{ type: 'string', enum: ["reference", "expand", "expandAll"] }, description: "reference keeps the name, expand writes the values into new machines, expandAll into all.", nullable: true },
  },
};

const KSMConfiguration: JSONSchemaProps = {
  type: 'object',
  description: "Nodes on which equal memory pages are merged.",
  properties: {
    nodeLabelSelector: { ...LabelSelector, description: "Labels of the nodes." },
  },
};

const LiveUpdateConfiguration: JSONSchemaProps = {
  type: 'object',
  description: "Limits for what is plugged into running guests.",
  properties: {
    maxCpuSockets: { ...{ type: 'integer', format: 'int32' }, description: "Sockets that guests may reach." },
    maxGuest: { ...QUANTITY, description: "Memory that guests may reach." },
    maxHotplugRatio: { ...{ type: 'integer', format: 'int32' }, description: "How many times their first size guests may reach; 4 when unset." },
  },
};

const NodeMediatedDeviceTypesConfig: JSONSchemaProps = {
  type: 'object',
  description: "Mediated devices of some nodes.",
  required: ['nodeSelector'],
  properties: {
    mediatedDeviceTypes: { ...{ type: 'array', items: { type: 'string' } }, description: "Types that they create.", 'x-kubernetes-list-type': "atomic" },
    mediatedDevicesTypes: { ...{ type: 'array', items: { type: 'string' } }, description: "Old form of mediatedDeviceTypes.", 'x-kubernetes-list-type': "atomic" },
    nodeSelector: { ...{ type: 'object', additionalProperties: { type: 'string' } }, description: "Labels of the nodes." },
  },
};

const MediatedDevicesConfiguration: JSONSchemaProps = {
  type: 'object',
  description: "Mediated devices that nodes should offer.",
  properties: {
    enabled: { ...{ type: 'boolean' }, description: "Whether we create them; true when unset." },
    mediatedDeviceTypes: { ...{ type: 'array', items: { type: 'string' } }, description: "Types that all nodes create.", 'x-kubernetes-list-type': "atomic" },
    mediatedDevicesTypes: { ...{ type: 'array', items: { type: 'string' } }, description: "Old form of mediatedDeviceTypes.", 'x-kubernetes-list-type': "atomic" },
    nodeMediatedDeviceTypes: { ...{ type: 'array', items: NodeMediatedDeviceTypesConfig }, description: "Types that some nodes create.", 'x-kubernetes-list-type': "atomic" },
  },
};

const ClusterMigrationConfiguration: JSONSchemaProps = {
  type: 'object',
  description: "Settings of migrations.",
  properties: {
    allowAutoConverge: { ...{ type: 'boolean' }, description: "Slows a guest down when it changes memory faster than it can be moved." },
    allowPostCopy: { ...{ type: 'boolean' }, description: "Lets guests run on the target before all memory is there." },
    allowWorkloadDisruption: { ...{ type: 'boolean' }, description: "Lets a migration that does not end pause its guest; follows allowPostCopy when unset." },
    bandwidthPerMigration: { ...QUANTITY, description: "Bytes a second that a migration may use; 0 is no limit." },
    completionTimeoutPerGiB: { ...{ type: 'integer', format: 'int64' }, description: "Seconds for each GiB of memory and disk before a migration is forced or aborted; 150 when unset." },
    disableTLS: { ...{ type: 'boolean' }, description: "Moves the data unencrypted." },
    matchSELinuxLevelOnMigration: { ...{ type: 'boolean' }, description: "Gives target Pods the SELinux level of the source." },
    maxDowntimeMs: { ...{ type: 'integer', format: 'int64' }, description: "Milliseconds that a guest may stand still at the end; 900 when unset.", maximum: 2000000, minimum: 1 },
    network: { ...{ type: 'string' }, description: "NetworkAttachmentDefinition of the network that carries the data." },
    nodeDrainTaintKey: { ...{ type: 'string' }, description: "Taint that makes guests leave a node." },
    parallelMigrationsPerCluster: { ...{ type: 'integer', format: 'int32' }, description: "Migrations that run at once in the cluster; 5 when unset." },
    parallelOutboundMigrationsPerNode: { ...{ type: 'integer', format: 'int32' }, description: "Migrations that leave a node at once; 2 when unset." },
    progressTimeout: { ...{ type: 'integer', format: 'int64' }, description: "Seconds without progress after which a migration is aborted; 150 when unset." },
    unsafeMigrationOverride: { ...{ type: 'boolean' }, description: "Migrates also guests with disks that other nodes may not see alike." },
    utilityVolumesTimeout: { ...{ type: 'integer', format: 'int64' }, description: "Seconds to wait for utility volumes to be detached; 150 when unset." },
  },
};

const ResourceRequirementsWithoutClaims: JSONSchemaProps = {
  type: 'object',
  description: "Requests and limits.",
  properties: {
    limits: { ...{ type: 'object', additionalProperties: QUANTITY }, description: "The most that may be used." },
    requests: { ...{ type: 'object', additionalProperties: QUANTITY }, description: "What is sure to be there." },
  },
};

const InterfaceBindingMigration: JSONSchemaProps = {
  type: 'object',
  description: "How guests with a binding migrate.",
  properties: {
    method: { ...{ type: 'string' }, description: "link-refresh, or none." },
  },
};

const InterfaceBindingPlugin: JSONSchemaProps = {
  type: 'object',
  description: "A binding plugin.",
  properties: {
    computeResourceOverhead: { ...ResourceRequirementsWithoutClaims, description: "CPU and memory that the launcher needs for it." },
    domainAttachmentType: { ...{ type: 'string' }, description: "How the guest is attached: tap or managedTap." },
    downwardAPI: { ...{ type: 'string' }, description: "What the plugin is told: device-info." },
    migration: { ...InterfaceBindingMigration, description: "How guests with this binding migrate." },
    networkAttachmentDefinition: { ...{ type: 'string' }, description: "NetworkAttachmentDefinition that the plugin's CNI part uses." },
    sidecarImage: { ...{ type: 'string' }, description: "Image of the plugin's sidecar." },
  },
};

const NetworkConfiguration: JSONSchemaProps = {
  type: 'object',
  description: "Settings of guests' networks.",
  properties: {
    binding: { ...{ type: 'object', additionalProperties: InterfaceBindingPlugin }, description: "Binding plugins, by name." },
    defaultNetworkInterface: { ...{ type: 'string' }, description: "Binding of guests that name no network: bridge (default) or masquerade." },
    permitBridgeInterfaceOnPodNetwork: { ...{ type: 'boolean' }, description: "Whether guests may be bridged to the Pod network; true when unset." },
    permitSlirpInterface: { ...{ type: 'boolean' }, description: "No longer used." },
  },
};

const NodeLossConfiguration: JSONSchemaProps = {
  type: 'object',
  description: "Times of fenced restarts; docs/node-loss.md says what they add up to.",
  properties: {
    leaseSeconds: { ...{ type: 'integer', format: 'int32' }, description: "Seconds without a renewal after which the lease of a guest on its storage is over; 16 when unset. Guests keep the length that they were started with.", minimum: 4, maximum: 300 },
    silenceSeconds: { ...{ type: 'integer', format: 'int32' }, description: "Seconds without a word of its virt-handler after which a node is lost; 20 when unset.", minimum: 4, maximum: 600 },
  },
};

const MediatedHostDevice: JSONSchemaProps = {
  type: 'object',
  description: "A mediated device that guests may use.",
  required: ['mdevNameSelector', 'resourceName'],
  properties: {
    externalResourceProvider: { ...{ type: 'boolean' }, description: "Another device plugin offers it." },
    mdevNameSelector: { ...{ type: 'string' }, description: "Type of the device." },
    resourceName: { ...{ type: 'string' }, description: "Resource name that guests ask for." },
  },
};

const PciHostDevice: JSONSchemaProps = {
  type: 'object',
  description: "A PCI device that guests may use.",
  required: ['pciVendorSelector', 'resourceName'],
  properties: {
    externalResourceProvider: { ...{ type: 'boolean' }, description: "Another device plugin offers it." },
    pciVendorSelector: { ...{ type: 'string' }, description: "Vendor and product, as vvvv:pppp." },
    resourceName: { ...{ type: 'string' }, description: "Resource name that guests ask for." },
  },
};

const USBSelector: JSONSchemaProps = {
  type: 'object',
  description: "A USB device.",
  required: ['product', 'vendor'],
  properties: {
    product: { ...{ type: 'string' }, description: "Product, four hexadecimal digits." },
    vendor: { ...{ type: 'string' }, description: "Vendor, four hexadecimal digits." },
  },
};

const USBHostDevice: JSONSchemaProps = {
  type: 'object',
  description: "USB devices that guests may use together.",
  required: ['resourceName'],
  properties: {
    externalResourceProvider: { ...{ type: 'boolean' }, description: "Another device plugin offers them." },
    resourceName: { ...{ type: 'string' }, description: "Resource name that guests ask for." },
    selectors: { ...{ type: 'array', items: USBSelector }, description: "The devices.", 'x-kubernetes-list-type': "atomic" },
  },
};

const PermittedHostDevices: JSONSchemaProps = {
  type: 'object',
  description: "Devices of nodes that guests may use.",
  properties: {
    mediatedDevices: { ...{ type: 'array', items: MediatedHostDevice }, description: "Mediated devices, such as virtual GPUs.", 'x-kubernetes-list-type': "atomic" },
    pciHostDevices: { ...{ type: 'array', items: PciHostDevice }, description: "PCI devices.", 'x-kubernetes-list-type': "atomic" },
    usb: { ...{ type: 'array', items: USBHostDevice }, description: "USB devices.", 'x-kubernetes-list-type': "atomic" },
  },
};

const CustomProfile: JSONSchemaProps = {
  type: 'object',
  description: "A seccomp profile; one of the two is set.",
  properties: {
    localhostProfile: { ...{ type: 'string' }, description: "Path of a profile on the node." },
    runtimeDefaultProfile: { ...{ type: 'boolean' }, description: "Uses the profile of the container runtime." },
  },
};

const VirtualMachineInstanceProfile: JSONSchemaProps = {
  type: 'object',
  description: "Seccomp profile of launchers.",
  properties: {
    customProfile: { ...CustomProfile, description: "A profile of your own, or the runtime's." },
  },
};

const SeccompConfiguration: JSONSchemaProps = {
  type: 'object',
  description: "Seccomp profile of launchers.",
  properties: {
    virtualMachineInstanceProfile: { ...VirtualMachineInstanceProfile, description: "The profile." },
  },
};

const SMBiosConfiguration: JSONSchemaProps = {
  type: 'object',
  description: "What guests read about their board.",
  properties: {
    family: { ...{ type: 'string' }, description: "Family." },
    manufacturer: { ...{ type: 'string' }, description: "Manufacturer." },
    product: { ...{ type: 'string' }, description: "Product." },
    sku: { ...{ type: 'string' }, description: "Stock keeping number." },
    version: { ...{ type: 'string' }, description: "Version." },
  },
};

const SupportContainerResources: JSONSchemaProps = {
  type: 'object',
  description: "CPU and memory of a kind of helper container.",
  required: ['resources', 'type'],
  properties: {
    resources: { ...ResourceRequirementsWithoutClaims, description: "Requests and limits." },
    type: { ...{ type: 'string' }, description: "container-disk, hotplug-disk, sidecar, virtiofs, guest-console-log or vmexport." },
  },
};

const TLSConfiguration: JSONSchemaProps = {
  type: 'object',
  description: "TLS versions and ciphers of components.",
  properties: {
    ciphers: { ...{ type: 'array', items: { type: 'string' } }, description: "Ciphers up to TLS 1.2.", 'x-kubernetes-list-type': "set" },
    minTLSVersion: { ...{ type: 'string', enum: ["VersionTLS10", "VersionTLS11", "VersionTLS12", "VersionTLS13"] }, description: "Oldest version." },
  },
};

const VirtualMachineOptions: JSONSchemaProps = {
  type: 'object',
  description: "Defaults of all guests.",
  properties: {
    disableFreePageReporting: { ...{ type: 'object' }, description: "Guests do not give back free memory." },
    disableSerialConsoleLog: { ...{ type: 'object' }, description: "Serial consoles are not copied to logs." },
  },
};

const KubeVirtConfiguration: JSONSchemaProps = {
  type: 'object',
  description: "How the cluster's virtual machines behave.",
  properties: {
    additionalGuestMemoryOverheadRatio: { ...{ type: 'string' }, description: "Factor on the memory that a launcher needs beyond its guest; at least 1." },
    apiConfiguration: { ...ReloadableComponentConfiguration, description: "Rate limits of virt-api." },
    architectureConfiguration: { ...ArchitectureConfiguration, description: "Machine types and firmware of each architecture." },
    autoCPULimitNamespaceLabelSelector: { ...LabelSelector, description: "Namespaces in which launchers get a CPU limit of their own accord." },
    changedBlockTrackingLabelSelectors: { ...ChangedBlockTrackingLabelSelectors, description: "Machines whose changed blocks are tracked.", nullable: true },
    commonInstancetypesDeployment: { ...OptionalDeployment, description: "Whether the common instance types are installed.", nullable: true },
    confidentialCompute: { ...ConfidentialComputeConfiguration, description: "Settings for encrypted guests.", nullable: true },
    controllerConfiguration: { ...ReloadableComponentConfiguration, description: "Rate limits of virt-controller." },
    cpuModel: { ...{ type: 'string' }, description: "CPU model of guests that name none." },
    cpuRequest: { ...QUANTITY, description: "CPU that launchers request when their spec does not say; 100m when unset." },
    defaultRuntimeClass: { ...{ type: 'string' }, description: "Runtime class of launcher Pods." },
    developerConfiguration: { ...DeveloperConfiguration, description: "Feature gates and other settings for the brave." },
    emulatedMachines: { ...{ type: 'array', items: { type: 'string' } }, description: "Old form of architectureConfiguration: machine types that guests may use." },
    evictionStrategy: { ...{ type: 'string' }, description: "Eviction strategy of guests that name none." },
    handlerConfiguration: { ...ReloadableComponentConfiguration, description: "Rate limits of virt-handler." },
    hypervisors: { ...{ type: 'array', items: HypervisorConfiguration }, description: "The hypervisor that runs guests.", maxItems: 1, 'x-kubernetes-list-type': "atomic" },
    imagePullPolicy: { ...{ type: 'string' }, description: "When launcher images are pulled." },
    instancetype: { ...InstancetypeConfiguration, description: "How virtual machines refer to instance types.", nullable: true },
    ksmConfiguration: { ...KSMConfiguration, description: "Nodes on which equal memory pages are merged." },
    liveUpdateConfiguration: { ...LiveUpdateConfiguration, description: "Limits for what is plugged into running guests." },
    machineType: { ...{ type: 'string' }, description: "Old form of architectureConfiguration: machine type of guests that name none." },
    mediatedDevicesConfiguration: { ...MediatedDevicesConfiguration, description: "Mediated devices that nodes should offer." },
    memBalloonStatsPeriod: { ...{ type: 'integer', format: 'int32' }, description: "Seconds between two memory reports of a guest; 0 turns them off." },
    migrations: { ...ClusterMigrationConfiguration, description: "Settings of migrations." },
    minCPUModel: { ...{ type: 'string' }, description: "No longer used." },
    network: { ...NetworkConfiguration, description: "Settings of guests' networks." },
    nodeLoss: { ...NodeLossConfiguration, description: "How soon a node counts as lost, and guests on shared storage start elsewhere." },
    obsoleteCPUModels: { ...{ type: 'object', additionalProperties: { type: 'boolean' } }, description: "CPU models that are not offered." },
    ovmfPath: { ...{ type: 'string' }, description: "Old form of architectureConfiguration: directory of the EFI firmware." },
    permittedHostDevices: { ...PermittedHostDevices, description: "Devices of nodes that guests may use." },
    persistentReservationConfiguration: { ...OptionalDeployment, description: "Whether guests may reserve LUNs.", nullable: true },
    roleAggregationStrategy: { ...{ type: 'string', enum: ["AggregateToDefault", "Manual"] }, description: "Whether our roles become part of admin, edit and view: AggregateToDefault or Manual." },
    seccompConfiguration: { ...SeccompConfiguration, description: "Seccomp profile of launchers." },
    selinuxLauncherType: { ...{ type: 'string' }, description: "SELinux type of launchers." },
    smbios: { ...SMBiosConfiguration, description: "What guests read about their board." },
    supportContainerResources: { ...{ type: 'array', items: SupportContainerResources }, description: "CPU and memory of helper containers.", 'x-kubernetes-list-map-keys': ["type"], 'x-kubernetes-list-type': "map" },
    supportedGuestAgentVersions: { ...{ type: 'array', items: { type: 'string' } }, description: "Versions of the guest agent that are supported, as globs." },
    tlsConfiguration: { ...TLSConfiguration, description: "TLS versions and ciphers of components." },
    virtTemplateDeployment: { ...OptionalDeployment, description: "Whether templates of virtual machines are installed.", nullable: true },
    virtualMachineInstancesPerNode: { ...{ type: 'integer' }, description: "Guests that a node takes." },
    virtualMachineOptions: { ...VirtualMachineOptions, description: "Defaults of all guests." },
    vmRolloutStrategy: { ...{ type: 'string', enum: ["Stage", "LiveUpdate"] }, description: "Whether changes reach running guests where possible (LiveUpdate) or at the next start (Stage).", nullable: true },
    vmStateStorageClass: { ...{ type: 'string' }, description: "Storage class of volumes for TPM and EFI state." },
    webhookConfiguration: { ...ReloadableComponentConfiguration, description: "Rate limits of webhooks." },
  },
};

const ComponentFlags: JSONSchemaProps = {
  type: 'object',
  description: "Further flags of components.",
  properties: {
    api: { ...{ type: 'object', additionalProperties: { type: 'string' } }, description: "Flags of virt-api." },
    controller: { ...{ type: 'object', additionalProperties: { type: 'string' } }, description: "Flags of virt-controller." },
    handler: { ...{ type: 'object', additionalProperties: { type: 'string' } }, description: "Flags of virt-handler." },
  },
};

const CustomizeComponentsPatch: JSONSchemaProps = {
  type: 'object',
  description: "A patch of an installed object.",
  required: ['patch', 'resourceName', 'resourceType', 'type'],
  properties: {
    patch: { ...{ type: 'string' }, description: "The patch, as JSON." },
    resourceName: { ...{ type: 'string' }, description: "Name of the object.", minLength: 1 },
    resourceType: { ...{ type: 'string' }, description: "Kind of the object.", minLength: 1 },
    type: { ...{ type: 'string' }, description: "json, merge or strategic." },
  },
};

const CustomizeComponents: JSONSchemaProps = {
  type: 'object',
  description: "Changes to the installed objects.",
  properties: {
    flags: { ...ComponentFlags, description: "Further flags of components." },
    patches: { ...{ type: 'array', items: CustomizeComponentsPatch }, description: "Patches of objects.", 'x-kubernetes-list-type': "atomic" },
  },
};

const LocalObjectReference: JSONSchemaProps = {
  type: 'object',
  description: "An object of the same namespace.",
  'x-kubernetes-map-type': "atomic",
  properties: {
    name: { ...{ type: 'string' }, description: "Its name.", default: "" },
  },
};

const NodeSelectorTerm: JSONSchemaProps = {
  type: 'object',
  description: "Nodes that meet all requirements.",
  'x-kubernetes-map-type': "atomic",
  properties: {
    matchExpressions: { ...{ type: 'array', items: SelectorRequirement }, description: "Requirements on labels.", 'x-kubernetes-list-type': "atomic" },
    matchFields: { ...{ type: 'array', items: SelectorRequirement }, description: "Requirements on fields: metadata.name.", 'x-kubernetes-list-type': "atomic" },
  },
};

const PreferredSchedulingTerm: JSONSchemaProps = {
  type: 'object',
  description: "Nodes that are better than others.",
  required: ['preference', 'weight'],
  properties: {
    preference: { ...NodeSelectorTerm, description: "The nodes." },
    weight: { ...{ type: 'integer', format: 'int32' }, description: "How much better, from 1 to 100." },
  },
};

const NodeSelector: JSONSchemaProps = {
  type: 'object',
  description: "Nodes that meet one of the terms.",
  'x-kubernetes-map-type': "atomic",
  required: ['nodeSelectorTerms'],
  properties: {
    nodeSelectorTerms: { ...{ type: 'array', items: NodeSelectorTerm }, description: "The terms.", 'x-kubernetes-list-type': "atomic" },
  },
};

const NodeAffinity: JSONSchemaProps = {
  type: 'object',
  description: "Nodes that a Pod wants.",
  properties: {
    preferredDuringSchedulingIgnoredDuringExecution: { ...{ type: 'array', items: PreferredSchedulingTerm }, description: "Nodes that are better than others.", 'x-kubernetes-list-type': "atomic" },
    requiredDuringSchedulingIgnoredDuringExecution: { ...NodeSelector, description: "Nodes that are possible at all." },
  },
};

const PodAffinityTerm: JSONSchemaProps = {
  type: 'object',
  description: "Pods, and what near means.",
  required: ['topologyKey'],
  properties: {
    labelSelector: { ...LabelSelector, description: "Labels of the Pods." },
    matchLabelKeys: { ...{ type: 'array', items: { type: 'string' } }, description: "Labels that must equal those of the new Pod.", 'x-kubernetes-list-type': "atomic" },
    mismatchLabelKeys: { ...{ type: 'array', items: { type: 'string' } }, description: "Labels that must differ from those of the new Pod.", 'x-kubernetes-list-type': "atomic" },
    namespaceSelector: { ...LabelSelector, description: "Labels of their namespaces." },
    namespaces: { ...{ type: 'array', items: { type: 'string' } }, description: "Their namespaces; the Pod's own when unset.", 'x-kubernetes-list-type': "atomic" },
    topologyKey: { ...{ type: 'string' }, description: "Node label whose equal value means near." },
  },
};

const WeightedPodAffinityTerm: JSONSchemaProps = {
  type: 'object',
  description: "Pods that matter more or less.",
  required: ['podAffinityTerm', 'weight'],
  properties: {
    podAffinityTerm: { ...PodAffinityTerm, description: "The Pods." },
    weight: { ...{ type: 'integer', format: 'int32' }, description: "How much, from 1 to 100." },
  },
};

const PodAffinity: JSONSchemaProps = {
  type: 'object',
  description: "Pods to be near to, or far from.",
  properties: {
    preferredDuringSchedulingIgnoredDuringExecution: { ...{ type: 'array', items: WeightedPodAffinityTerm }, description: "Pods that matter more or less.", 'x-kubernetes-list-type': "atomic" },
    requiredDuringSchedulingIgnoredDuringExecution: { ...{ type: 'array', items: PodAffinityTerm }, description: "Pods that decide.", 'x-kubernetes-list-type': "atomic" },
  },
};

const Affinity: JSONSchemaProps = {
  type: 'object',
  description: "Which nodes and neighbours a Pod wants or avoids.",
  properties: {
    nodeAffinity: { ...NodeAffinity, description: "Nodes that the Pod wants." },
    podAffinity: { ...PodAffinity, description: "Pods that it wants near." },
    podAntiAffinity: { ...PodAffinity, description: "Pods that it wants far." },
  },
};

const Toleration: JSONSchemaProps = {
  type: 'object',
  description: "A taint that a Pod puts up with.",
  properties: {
    effect: { ...{ type: 'string' }, description: "NoSchedule, PreferNoSchedule or NoExecute; all when empty." },
    key: { ...{ type: 'string' }, description: "Key of the taint; all when empty." },
    operator: { ...{ type: 'string' }, description: "Equal (default) or Exists." },
    tolerationSeconds: { ...{ type: 'integer', format: 'int64' }, description: "Seconds that the Pod stays after a NoExecute taint; forever when unset." },
    value: { ...{ type: 'string' }, description: "Value of the taint, for Equal." },
  },
};

const NodePlacement: JSONSchemaProps = {
  type: 'object',
  description: "Nodes that components run on.",
  properties: {
    affinity: { ...Affinity, description: "Which nodes and neighbours they want or avoid." },
    nodeSelector: { ...{ type: 'object', additionalProperties: { type: 'string' } }, description: "Labels that the node must have." },
    tolerations: { ...{ type: 'array', items: Toleration }, description: "Taints that they put up with." },
  },
};

const ComponentConfig: JSONSchemaProps = {
  type: 'object',
  description: "Where components run, and how many.",
  properties: {
    nodePlacement: { ...NodePlacement, description: "Nodes that they run on." },
    replicas: { ...{ type: 'integer' }, description: "How many run." },
  },
};

const WorkloadUpdateStrategy: JSONSchemaProps = {
  type: 'object',
  description: "How running guests come to a new version.",
  properties: {
    batchEvictionInterval: { ...{ type: 'string' }, description: "Time between two batches." },
    batchEvictionSize: { ...{ type: 'integer' }, description: "Guests in a batch." },
    workloadUpdateMethods: { ...{ type: 'array', items: { type: 'string' } }, description: "LiveMigrate and Evict, in the order in which they are tried.", 'x-kubernetes-list-type': "atomic" },
  },
};

const KubeVirtSpec: JSONSchemaProps = {
  type: 'object',
  description: "What should be installed, and how it should behave.",
  properties: {
    certificateRotateStrategy: { ...KubeVirtCertificateRotateStrategy, description: "How certificates are renewed." },
    configuration: { ...KubeVirtConfiguration, description: "How the cluster's virtual machines behave." },
    customizeComponents: { ...CustomizeComponents, description: "Changes to the installed objects." },
    imagePullPolicy: { ...{ type: 'string' }, description: "When images of components are pulled." },
    imagePullSecrets: { ...{ type: 'array', items: LocalObjectReference }, description: "Secrets with the credentials of the registry.", 'x-kubernetes-list-type': "atomic" },
    imageRegistry: { ...{ type: 'string' }, description: "Registry of the images." },
    imageTag: { ...{ type: 'string' }, description: "Version of the images." },
    infra: { ...ComponentConfig, description: "Where virt-api and virt-controller run, and how many." },
    monitorAccount: { ...{ type: 'string' }, description: "Service account of the monitoring system." },
    monitorNamespace: { ...{ type: 'string' }, description: "Namespace of the monitoring system." },
    productComponent: { ...{ type: 'string' }, description: "Label app.kubernetes.io/component of all objects." },
    productName: { ...{ type: 'string' }, description: "Label app.kubernetes.io/part-of of all objects." },
    productVersion: { ...{ type: 'string' }, description: "Label app.kubernetes.io/version of all objects." },
    serviceMonitorNamespace: { ...{ type: 'string' }, description: "Namespace of the ServiceMonitor." },
    synchronizationPort: { ...{ type: 'string' }, description: "Port of the synchronization controller." },
    uninstallStrategy: { ...{ type: 'string' }, description: "What deletion does while workloads exist: RemoveWorkloads or BlockUninstallIfWorkloadsExist." },
    workloadUpdateStrategy: { ...WorkloadUpdateStrategy, description: "How running guests come to a new version." },
    workloads: { ...ComponentConfig, description: "Where virt-handler, and so the guests, run." },
  },
};

const VMICondition: JSONSchemaProps = {
  type: 'object',
  description: "One aspect of the state.",
  required: ['status', 'type'],
  properties: {
    lastProbeTime: { ...{ type: 'string', format: 'date-time' }, description: "When it was last looked at.", nullable: true },
    lastTransitionTime: { ...{ type: 'string', format: 'date-time' }, description: "When it last changed.", nullable: true },
    message: { ...{ type: 'string' }, description: "What happened, for people." },
    reason: { ...{ type: 'string' }, description: "Why, in one word." },
    status: { ...{ type: 'string' }, description: "True, False or Unknown." },
    type: { ...{ type: 'string' }, description: "What it is about." },
  },
};

const GenerationStatus: JSONSchemaProps = {
  type: 'object',
  description: "Generation of an installed object.",
  required: ['group', 'lastGeneration', 'name', 'resource'],
  properties: {
    group: { ...{ type: 'string' }, description: "Its API group." },
    hash: { ...{ type: 'string' }, description: "Hash of its content." },
    lastGeneration: { ...{ type: 'integer', format: 'int64' }, description: "Its generation when it was last written." },
    name: { ...{ type: 'string' }, description: "Its name." },
    namespace: { ...{ type: 'string' }, description: "Its namespace." },
    resource: { ...{ type: 'string' }, description: "Its resource." },
  },
};

const KubeVirtStatus: JSONSchemaProps = {
  type: 'object',
  description: "What is installed.",
  properties: {
    conditions: { ...{ type: 'array', items: VMICondition }, description: "Available, Progressing, Degraded and other conditions." },
    defaultArchitecture: { ...{ type: 'string' }, description: "Architecture of guests that name none." },
    generations: { ...{ type: 'array', items: GenerationStatus }, description: "Generations of the installed objects.", 'x-kubernetes-list-type': "atomic" },
    observedDeploymentConfig: { ...{ type: 'string' }, description: "Configuration of the version that runs." },
    observedDeploymentID: { ...{ type: 'string' }, description: "Hash of that configuration." },
    observedGeneration: { ...{ type: 'integer', format: 'int64' }, description: "Generation of the spec that was last looked at." },
    observedKubeVirtRegistry: { ...{ type: 'string' }, description: "Registry of the version that runs." },
    observedKubeVirtVersion: { ...{ type: 'string' }, description: "The version that runs." },
    operatorVersion: { ...{ type: 'string' }, description: "Version of the operator." },
    outdatedVirtualMachineInstanceWorkloads: { ...{ type: 'integer' }, description: "Guests that still run in an older launcher." },
    phase: { ...{ type: 'string' }, description: "Deploying, Deployed, Deleting or Deleted." },
    synchronizationAddresses: { ...{ type: 'array', items: { type: 'string' } }, description: "Addresses at which another cluster finds this one.", 'x-kubernetes-list-type': "atomic" },
    targetDeploymentConfig: { ...{ type: 'string' }, description: "Configuration of the version that is being installed." },
    targetDeploymentID: { ...{ type: 'string' }, description: "Hash of that configuration." },
    targetKubeVirtRegistry: { ...{ type: 'string' }, description: "Registry of the version that is being installed." },
    targetKubeVirtVersion: { ...{ type: 'string' }, description: "The version that is being installed." },
  },
};

const KubeVirt: JSONSchemaProps = {
  type: 'object',
  description: "The installation itself: what is installed, and how it behaves.",
  required: ['spec'],
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "The version of the schema that this object is written in." },
    kind: { ...{ type: 'string' }, description: "The kind of resource that this object is." },
    metadata: { type: 'object' },
    spec: { ...KubeVirtSpec, description: "What should be installed, and how it should behave." },
    status: { ...KubeVirtStatus, description: "What is installed." },
  },
};

const DataVolumeCheckpoint: JSONSchemaProps = {
  type: 'object',
  description: "A stage of a multi-stage import.",
  required: ['current', 'previous'],
  properties: {
    current: { ...{ type: 'string' }, description: "Snapshot to copy up to." },
    previous: { ...{ type: 'string' }, description: "Snapshot that was copied before." },
  },
};

const TypedLocalObjectReference: JSONSchemaProps = {
  type: 'object',
  description: "An object of the same namespace, of any kind.",
  'x-kubernetes-map-type': "atomic",
  required: ['kind', 'name'],
  properties: {
    apiGroup: { ...{ type: 'string' }, description: "Its API group." },
    kind: { ...{ type: 'string' }, description: "Its kind." },
    name: { ...{ type: 'string' }, description: "Its name." },
  },
};

const TypedObjectReference: JSONSchemaProps = {
  type: 'object',
  description: "An object of any namespace and kind.",
  required: ['kind', 'name'],
  properties: {
    apiGroup: { ...{ type: 'string' }, description: "Its API group." },
    kind: { ...{ type: 'string' }, description: "Its kind." },
    name: { ...{ type: 'string' }, description: "Its name." },
    namespace: { ...{ type: 'string' }, description: "Its namespace." },
  },
};

const PersistentVolumeClaimSpec: JSONSchemaProps = {
  type: 'object',
  description: "A PersistentVolumeClaim.",
  properties: {
    accessModes: { ...{ type: 'array', items: { type: 'string' } }, description: "Access modes.", 'x-kubernetes-list-type': "atomic" },
    dataSource: { ...TypedLocalObjectReference, description: "Object that fills the claim." },
    dataSourceRef: { ...TypedObjectReference, description: "Object that fills the claim, also of other namespaces." },
    resources: { ...ResourceRequirementsWithoutClaims, description: "Size of the claim." },
    selector: { ...LabelSelector, description: "Volumes that may be bound." },
    storageClassName: { ...{ type: 'string' }, description: "Storage class; the cluster's default when unset." },
    volumeAttributesClassName: { ...{ type: 'string' }, description: "Attributes class of the volume." },
    volumeMode: { ...{ type: 'string' }, description: "Filesystem or Block." },
    volumeName: { ...{ type: 'string' }, description: "Volume to bind." },
  },
};

const DataVolumeSourceGCS: JSONSchemaProps = {
  type: 'object',
  description: "A bucket of Google Cloud Storage.",
  required: ['url'],
  properties: {
    secretRef: { ...{ type: 'string' }, description: "Secret with the credentials." },
    url: { ...{ type: 'string' }, description: "Address of the image." },
  },
};

const DataVolumeSourceHTTP: JSONSchemaProps = {
  type: 'object',
  description: "A web server.",
  required: ['url'],
  properties: {
    certConfigMap: { ...{ type: 'string' }, description: "ConfigMap with the server's CA." },
    extraHeaders: { ...{ type: 'array', items: { type: 'string' } }, description: "Headers to send." },
    secretExtraHeaders: { ...{ type: 'array', items: { type: 'string' } }, description: "Secrets with headers to send." },
    secretRef: { ...{ type: 'string' }, description: "Secret with user and password." },
    url: { ...{ type: 'string' }, description: "Address of the image." },
  },
};

const DataVolumeSourceImageIO: JSONSchemaProps = {
  type: 'object',
  description: "An oVirt server.",
  required: ['diskId', 'url'],
  properties: {
    certConfigMap: { ...{ type: 'string' }, description: "ConfigMap with the server's CA." },
    diskId: { ...{ type: 'string' }, description: "Disk on the server." },
    insecureSkipVerify: { ...{ type: 'boolean' }, description: "Does not check the server's certificate." },
    secretRef: { ...{ type: 'string' }, description: "Secret with user and password." },
    url: { ...{ type: 'string' }, description: "Address of the server." },
  },
};

const DataVolumeSourcePVC: JSONSchemaProps = {
  type: 'object',
  description: "Another claim, or a VolumeSnapshot.",
  required: ['name', 'namespace'],
  properties: {
    name: { ...{ type: 'string' }, description: "Its name." },
    namespace: { ...{ type: 'string' }, description: "Its namespace." },
  },
};

const PlatformOptions: JSONSchemaProps = {
  type: 'object',
  description: "Which image of a multi-platform image.",
  properties: {
    architecture: { ...{ type: 'string' }, description: "CPU architecture." },
  },
};

const DataVolumeSourceRegistry: JSONSchemaProps = {
  type: 'object',
  description: "A container image.",
  properties: {
    certConfigMap: { ...{ type: 'string' }, description: "ConfigMap with the registry's CA." },
    imageStream: { ...{ type: 'string' }, description: "ImageStream that names the image." },
    platform: { ...PlatformOptions, description: "Which image of a multi-platform image." },
    pullMethod: { ...{ type: 'string' }, description: "Who pulls: pod (default) or node." },
    secretRef: { ...{ type: 'string' }, description: "Secret with the credentials." },
    url: { ...{ type: 'string' }, description: "Address of the image, such as docker://quay.io/containerdisks/fedora." },
  },
};

const DataVolumeSourceS3: JSONSchemaProps = {
  type: 'object',
  description: "An S3 bucket.",
  required: ['url'],
  properties: {
    certConfigMap: { ...{ type: 'string' }, description: "ConfigMap with the server's CA." },
    secretRef: { ...{ type: 'string' }, description: "Secret with the keys." },
    url: { ...{ type: 'string' }, description: "Address of the image." },
  },
};

const DataVolumeSourceVDDK: JSONSchemaProps = {
  type: 'object',
  description: "A VMware server.",
  properties: {
    backingFile: { ...{ type: 'string' }, description: "File of the disk." },
    extraArgs: { ...{ type: 'string' }, description: "ConfigMap with further arguments for the library." },
    initImageURL: { ...{ type: 'string' }, description: "Image that holds VMware's library." },
    secretRef: { ...{ type: 'string' }, description: "Secret with user and password." },
    thumbprint: { ...{ type: 'string' }, description: "Fingerprint of the server's certificate." },
    url: { ...{ type: 'string' }, description: "Address of the server." },
    uuid: { ...{ type: 'string' }, description: "UUID of the virtual machine." },
  },
};

const DataVolumeImportSource: JSONSchemaProps = {
  type: 'object',
  description: "Where data comes from; exactly one is set.",
  properties: {
    blank: { ...{ type: 'object' }, description: "Nothing: an empty disk." },
    gcs: { ...DataVolumeSourceGCS, description: "A bucket of Google Cloud Storage." },
    http: { ...DataVolumeSourceHTTP, description: "A web server." },
    imageio: { ...DataVolumeSourceImageIO, description: "An oVirt server." },
    pvc: { ...DataVolumeSourcePVC, description: "Another claim." },
    registry: { ...DataVolumeSourceRegistry, description: "A container image." },
    s3: { ...DataVolumeSourceS3, description: "An S3 bucket." },
    snapshot: { ...DataVolumeSourcePVC, description: "A VolumeSnapshot." },
    upload: { ...{ type: 'object' }, description: "A client that uploads." },
    vddk: { ...DataVolumeSourceVDDK, description: "A VMware server." },
  },
};

const DataVolumeSourceRef: JSONSchemaProps = {
  type: 'object',
  description: "An object that knows where data comes from.",
  required: ['kind', 'name'],
  properties: {
    kind: { ...{ type: 'string' }, description: "Its kind: DataSource." },
    name: { ...{ type: 'string' }, description: "Its name." },
    namespace: { ...{ type: 'string' }, description: "Its namespace; that of the DataVolume when unset." },
  },
};

const StorageSpec: JSONSchemaProps = {
  type: 'object',
  description: "A claim whose gaps are filled from the storage class.",
  properties: {
    accessModes: { ...{ type: 'array', items: { type: 'string' } }, description: "Access modes; chosen by the storage class when unset." },
    dataSource: { ...TypedLocalObjectReference, description: "Object that fills the claim." },
    dataSourceRef: { ...TypedObjectReference, description: "Object that fills the claim, also of other namespaces." },
    resources: { ...ResourceRequirementsWithoutClaims, description: "Size of the claim." },
    selector: { ...LabelSelector, description: "Volumes that may be bound." },
    storageClassName: { ...{ type: 'string' }, description: "Storage class; the cluster's default when unset." },
    volumeMode: { ...{ type: 'string' }, description: "Filesystem or Block; chosen by the storage class when unset." },
    volumeName: { ...{ type: 'string' }, description: "Volume to bind." },
  },
};

const DataVolumeSpec: JSONSchemaProps = {
  type: 'object',
  description: "What a DataVolume is filled with, and its storage.",
  properties: {
    checkpoints: { ...{ type: 'array', items: DataVolumeCheckpoint }, description: "Checkpoints of a multi-stage import." },
    contentType: { ...{ type: 'string', enum: ["kubevirt", "archive"] }, description: "kubevirt for a disk image (default) or archive for files." },
    finalCheckpoint: { ...{ type: 'boolean' }, description: "True when the last checkpoint is the end of the import." },
    preallocation: { ...{ type: 'boolean' }, description: "Takes the whole space at once." },
    priorityClassName: { ...{ type: 'string' }, description: "Priority class of the Pods that fill it." },
    pvc: { ...PersistentVolumeClaimSpec, description: "The claim, exactly as it is made; excludes storage." },
    source: { ...DataVolumeImportSource, description: "Where the data comes from; excludes sourceRef." },
    sourceRef: { ...DataVolumeSourceRef, description: "An object that knows where the data comes from." },
    storage: { ...StorageSpec, description: "The claim, completed from the storage class; excludes pvc." },
  },
};

const DataVolumeTemplate: JSONSchemaProps = {
  type: 'object',
  description: "A DataVolume that a virtual machine brings along.",
  nullable: true,
  required: ['spec'],
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "API version of the DataVolume." },
    kind: { ...{ type: 'string' }, description: "Kind of the object: DataVolume." },
    metadata: { ...{ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, description: "Name, labels and annotations of the DataVolume.", nullable: true },
    spec: { ...DataVolumeSpec, description: "The DataVolume: what it is filled with, and its storage." },
    status: { ...{ type: 'object' }, description: "Ignored; here so that a whole DataVolume can be pasted.", nullable: true },
  },
};

const InstancetypeMatcher: JSONSchemaProps = {
  type: 'object',
  description: "Names an instance type or a preference, or says where its name is found.",
  properties: {
    inferFromVolume: { ...{ type: 'string' }, description: "Volume whose claim or DataVolume carries the name as a label; excludes name and kind." },
    inferFromVolumeFailurePolicy: { ...{ type: 'string' }, description: "What happens when nothing can be inferred: Reject (default) or Ignore." },
    kind: { ...{ type: 'string' }, description: "Kind of the object; the cluster-wide kind when empty." },
    name: { ...{ type: 'string' }, description: "Name of the object." },
    revisionName: { ...{ type: 'string' }, description: "ControllerRevision that holds the object as it was when it was first used; normally set by Podvisor." },
  },
};

const QemuGuestAgentSSHUsers: JSONSchemaProps = {
  type: 'object',
  description: "Users whose authorized keys the guest agent writes.",
  required: ['users'],
  properties: {
    users: { ...{ type: 'array', items: { type: 'string' } }, description: "Names of the users.", 'x-kubernetes-list-type': "set" },
  },
};

const SSHPublicKeyPropagationMethod: JSONSchemaProps = {
  type: 'object',
  description: "How SSH keys reach the guest; exactly one way is set.",
  properties: {
    configDrive: { ...{ type: 'object' }, description: "Through the cloud-init ConfigDrive volume, at start." },
    noCloud: { ...{ type: 'object' }, description: "Through the cloud-init NoCloud volume, at start." },
    qemuGuestAgent: { ...QemuGuestAgentSSHUsers, description: "Through the guest agent, also while the guest runs." },
  },
};

const AccessCredentialSecret: JSONSchemaProps = {
  type: 'object',
  description: "Names the Secret that holds a credential.",
  required: ['secretName'],
  properties: {
    secretName: { ...{ type: 'string' }, description: "Name of the Secret." },
  },
};

const AccessCredentialSource: JSONSchemaProps = {
  type: 'object',
  description: "Where a credential is read from.",
  properties: {
    secret: { ...AccessCredentialSecret, description: "A Secret of the same namespace." },
  },
};

const SSHPublicKeyAccessCredential: JSONSchemaProps = {
  type: 'object',
  description: "SSH public keys and how they reach the guest.",
  required: ['propagationMethod', 'source'],
  properties: {
    propagationMethod: { ...SSHPublicKeyPropagationMethod, description: "How the keys reach the guest." },
    source: { ...AccessCredentialSource, description: "Where the keys are read from." },
  },
};

const UserPasswordPropagationMethod: JSONSchemaProps = {
  type: 'object',
  description: "How passwords reach the guest.",
  properties: {
    qemuGuestAgent: { ...{ type: 'object' }, description: "Through the guest agent." },
  },
};

const UserPasswordAccessCredential: JSONSchemaProps = {
  type: 'object',
  description: "Passwords and how they reach the guest.",
  required: ['propagationMethod', 'source'],
  properties: {
    propagationMethod: { ...UserPasswordPropagationMethod, description: "How the passwords reach the guest." },
    source: { ...AccessCredentialSource, description: "Where the passwords are read from." },
  },
};

const AccessCredential: JSONSchemaProps = {
  type: 'object',
  description: "A credential to bring into the guest; exactly one kind is set.",
  properties: {
    sshPublicKey: { ...SSHPublicKeyAccessCredential, description: "SSH public keys." },
    userPassword: { ...UserPasswordAccessCredential, description: "Passwords of users." },
  },
};

const PodDNSConfigOption: JSONSchemaProps = {
  type: 'object',
  description: "An option of the resolver.",
  properties: {
    name: { ...{ type: 'string' }, description: "Its name." },
    value: { ...{ type: 'string' }, description: "Its value." },
  },
};

const PodDNSConfig: JSONSchemaProps = {
  type: 'object',
  description: "DNS servers, search domains and options.",
  properties: {
    nameservers: { ...{ type: 'array', items: { type: 'string' } }, description: "Addresses of servers, at most 3.", 'x-kubernetes-list-type': "atomic" },
    options: { ...{ type: 'array', items: PodDNSConfigOption }, description: "Options of the resolver.", 'x-kubernetes-list-type': "atomic" },
    searches: { ...{ type: 'array', items: { type: 'string' } }, description: "Search domains, at most 6.", 'x-kubernetes-list-type': "atomic" },
  },
};

const Chassis: JSONSchemaProps = {
  type: 'object',
  description: "What the guest reads about its case (SMBIOS type 3).",
  properties: {
    asset: { ...{ type: 'string' }, description: "Asset tag." },
    manufacturer: { ...{ type: 'string' }, description: "Manufacturer." },
    serial: { ...{ type: 'string' }, description: "Serial number." },
    sku: { ...{ type: 'string' }, description: "Stock keeping number." },
    version: { ...{ type: 'string' }, description: "Version." },
  },
};

const HPETTimer: JSONSchemaProps = {
  type: 'object',
  description: "A timer that may tick late.",
  properties: {
    present: { ...{ type: 'boolean' }, description: "Whether the timer exists; true when unset." },
    tickPolicy: { ...{ type: 'string' }, description: "What happens to missed ticks: delay, catchup, merge or discard." },
  },
};

const FlagTimer: JSONSchemaProps = {
  type: 'object',
  description: "A timer that is there or not.",
  properties: {
    present: { ...{ type: 'boolean' }, description: "Whether the timer exists; true when unset." },
  },
};

const RTCTimer: JSONSchemaProps = {
  type: 'object',
  description: "The real-time clock.",
  properties: {
    present: { ...{ type: 'boolean' }, description: "Whether the timer exists; true when unset." },
    tickPolicy: { ...{ type: 'string' }, description: "What happens to missed ticks: delay or catchup." },
    track: { ...{ type: 'string' }, description: "What the clock follows: guest or wall." },
  },
};

const Timer: JSONSchemaProps = {
  type: 'object',
  description: "Timers of the machine.",
  properties: {
    hpet: { ...HPETTimer, description: "High precision event timer." },
    hyperv: { ...FlagTimer, description: "Hyper-V reference time." },
    kvm: { ...FlagTimer, description: "KVM clock." },
    pit: { ...HPETTimer, description: "Programmable interval timer." },
    rtc: { ...RTCTimer, description: "Real-time clock." },
  },
};

const ClockOffsetUTC: JSONSchemaProps = {
  type: 'object',
  description: "A clock in UTC.",
  properties: {
    offsetSeconds: { ...{ type: 'integer' }, description: "Seconds that the clock is ahead of UTC; none keeps UTC and resets at every start." },
  },
};

const Clock: JSONSchemaProps = {
  type: 'object',
  description: "The guest's clock; utc and timezone exclude each other.",
  properties: {
    timer: { ...Timer, description: "Timers of the machine." },
    timezone: { ...{ type: 'string' }, description: "Time zone that the clock starts in, such as Europe/Paris." },
    utc: { ...ClockOffsetUTC, description: "The clock starts in UTC, with an optional offset." },
  },
};

const CPUFeature: JSONSchemaProps = {
  type: 'object',
  description: "A CPU feature and what to do with it.",
  required: ['name'],
  properties: {
    name: { ...{ type: 'string' }, description: "Name of the feature." },
    policy: { ...{ type: 'string' }, description: "force, require, optional, disable or forbid; require when unset." },
  },
};

const NUMA: JSONSchemaProps = {
  type: 'object',
  description: "How the node's memory zones are shown to the guest.",
  properties: {
    guestMappingPassthrough: { ...{ type: 'object' }, description: "Gives the guest the zones that its pinned CPUs and huge pages come from." },
  },
};

const Realtime: JSONSchemaProps = {
  type: 'object',
  description: "Tunes the guest for realtime work.",
  properties: {
    mask: { ...{ type: 'string' }, description: "vCPUs that run with realtime priority, such as 0-3,^1; all when unset." },
  },
};

const CPU: JSONSchemaProps = {
  type: 'object',
  description: "Number, model and features of the guest's CPUs.",
  properties: {
    cores: { ...{ type: 'integer', format: 'int32' }, description: "Cores in a socket." },
    dedicatedCpuPlacement: { ...{ type: 'boolean' }, description: "Pins every vCPU to a CPU of the node that nobody else uses." },
    features: { ...{ type: 'array', items: CPUFeature }, description: "CPU features to require, add or hide." },
    isolateEmulatorThread: { ...{ type: 'boolean' }, description: "Gives the emulator a CPU of its own; needs dedicatedCpuPlacement." },
    maxSockets: { ...{ type: 'integer', format: 'int32' }, description: "Sockets that may be reached by plugging CPUs." },
    model: { ...{ type: 'string' }, description: "CPU model: a name, host-model or host-passthrough; host-model when unset." },
    numa: { ...NUMA, description: "How the node's memory zones are shown to the guest." },
    realtime: { ...Realtime, description: "Tunes the guest for realtime work." },
    sockets: { ...{ type: 'integer', format: 'int32' }, description: "Sockets of the machine." },
    threads: { ...{ type: 'integer', format: 'int32' }, description: "Threads in a core." },
  },
};

const CustomBlockSize: JSONSchemaProps = {
  type: 'object',
  description: "Block sizes in bytes, powers of two from 512.",
  properties: {
    discardGranularity: { ...{ type: 'integer' }, description: "Smallest piece that can be discarded; a multiple of logical." },
    logical: { ...{ type: 'integer' }, description: "Smallest piece that can be read or written." },
    physical: { ...{ type: 'integer' }, description: "Piece that the storage works with; at least logical." },
  },
};

const FeatureState: JSONSchemaProps = {
  type: 'object',
  description: "A feature that is on unless enabled is false.",
  properties: {
    enabled: { ...{ type: 'boolean' }, description: "Whether the feature is on; true when unset." },
  },
};

const BlockSize: JSONSchemaProps = {
  type: 'object',
  description: "Block size that the guest sees.",
  properties: {
    custom: { ...CustomBlockSize, description: "A size of your own." },
    matchVolume: { ...FeatureState, description: "The size of the storage behind the volume." },
  },
};

const CDRomTarget: JSONSchemaProps = {
  type: 'object',
  description: "A CD-ROM drive.",
  properties: {
    bus: { ...{ type: 'string' }, description: "sata, scsi or usb; the architecture's default when unset." },
    readonly: { ...{ type: 'boolean' }, description: "Whether the medium is read-only; true when unset." },
    tray: { ...{ type: 'string' }, description: "open or closed (default)." },
  },
};

const DiskTarget: JSONSchemaProps = {
  type: 'object',
  description: "A hard disk.",
  properties: {
    bus: { ...{ type: 'string' }, description: "virtio, sata, scsi or usb; sata on amd64 and virtio elsewhere when unset." },
    pciAddress: { ...{ type: 'string' }, description: "PCI address, such as 0000:81:01.0; virtio only." },
    readonly: { ...{ type: 'boolean' }, description: "Refuses writes." },
  },
};

const LunTarget: JSONSchemaProps = {
  type: 'object',
  description: "A LUN whose SCSI commands reach the storage.",
  properties: {
    bus: { ...{ type: 'string' }, description: "scsi or sata; the architecture's default when unset." },
    readonly: { ...{ type: 'boolean' }, description: "Refuses writes." },
    reservation: { ...{ type: 'boolean' }, description: "Lets the guest reserve the LUN (SCSI persistent reservations)." },
  },
};

const Disk: JSONSchemaProps = {
  type: 'object',
  description: "A disk, CD-ROM or LUN; its volume has the same name.",
  required: ['name'],
  properties: {
    blockSize: { ...BlockSize, description: "Block size that the guest sees." },
    bootOrder: { ...{ type: 'integer' }, description: "Place in the order of boot devices, from 1; unique over disks and interfaces." },
    cache: { ...{ type: 'string' }, description: "Caching on the node: none, writethrough or writeback; chosen by what the storage can do when unset." },
    cdrom: { ...CDRomTarget, description: "Shows the volume as a CD-ROM." },
    changedBlockTracking: { ...{ type: 'boolean' }, description: "Whether changed blocks of this disk are tracked." },
    dedicatedIOThread: { ...{ type: 'boolean' }, description: "Gives the disk an IO thread of its own; virtio only." },
    disk: { ...DiskTarget, description: "Shows the volume as a hard disk; the default." },
    errorPolicy: { ...{ type: 'string' }, description: "What an IO error does: stop (default), ignore, report or enospace." },
    io: { ...{ type: 'string' }, description: "How the node reads and writes: native or threads." },
    lun: { ...LunTarget, description: "Hands SCSI commands through to the storage." },
    name: { ...{ type: 'string' }, description: "Name of the disk and of its volume." },
    serial: { ...{ type: 'string' }, description: "Serial number that the guest reads." },
    shareable: { ...{ type: 'boolean' }, description: "Lets several guests write at once; the guests must agree among themselves." },
    tag: { ...{ type: 'string' }, description: "Tag that the guest reads through cloud-init." },
  },
};

const Filesystem: JSONSchemaProps = {
  type: 'object',
  description: "A directory shared with the guest; its volume has the same name.",
  required: ['name', 'virtiofs'],
  properties: {
    name: { ...{ type: 'string' }, description: "Name of the filesystem, which the guest mounts by, and of its volume." },
    virtiofs: { ...{ type: 'object' }, description: "Shares it with virtiofs." },
  },
};

const VGPUDisplayOptions: JSONSchemaProps = {
  type: 'object',
  description: "The display of a virtual GPU.",
  properties: {
    enabled: { ...{ type: 'boolean' }, description: "Whether the GPU has a display; true when unset." },
    ramFB: { ...FeatureState, description: "A framebuffer for the time before the driver is loaded; on when unset." },
  },
};

const VGPUOptions: JSONSchemaProps = {
  type: 'object',
  description: "Options of a virtual GPU.",
  properties: {
    display: { ...VGPUDisplayOptions, description: "The display of the virtual GPU." },
  },
};

const GPU: JSONSchemaProps = {
  type: 'object',
  description: "A GPU: from a device plugin (deviceName) or a resource claim.",
  required: ['name'],
  properties: {
    claimName: { ...{ type: 'string' }, description: "Resource claim of the spec that holds the GPU." },
    deviceName: { ...{ type: 'string' }, description: "Resource name of the device plugin." },
    name: { ...{ type: 'string' }, description: "Name of the device in the guest's definition." },
    requestName: { ...{ type: 'string' }, description: "Request in the claim." },
    tag: { ...{ type: 'string' }, description: "Tag that the guest reads through cloud-init." },
    virtualGPUOptions: { ...VGPUOptions, description: "Options of a virtual GPU." },
  },
};

const HostDevice: JSONSchemaProps = {
  type: 'object',
  description: "A device of the node: from a device plugin (deviceName) or a resource claim.",
  required: ['name'],
  properties: {
    claimName: { ...{ type: 'string' }, description: "Resource claim of the spec that holds the device." },
    deviceName: { ...{ type: 'string' }, description: "Resource name of the device plugin." },
    name: { ...{ type: 'string' }, description: "Name of the device in the guest's definition." },
    requestName: { ...{ type: 'string' }, description: "Request in the claim." },
    tag: { ...{ type: 'string' }, description: "Tag that the guest reads through cloud-init." },
  },
};

const Input: JSONSchemaProps = {
  type: 'object',
  description: "An input device.",
  required: ['name', 'type'],
  properties: {
    bus: { ...{ type: 'string' }, description: "usb (default) or virtio." },
    name: { ...{ type: 'string' }, description: "Name of the device." },
    type: { ...{ type: 'string' }, description: "Type of the device: tablet." },
  },
};

const PluginBinding: JSONSchemaProps = {
  type: 'object',
  description: "Names a binding plugin of the cluster.",
  required: ['name'],
  properties: {
    name: { ...{ type: 'string' }, description: "Name of the plugin." },
  },
};

const DHCPPrivateOption: JSONSchemaProps = {
  type: 'object',
  description: "A DHCP option of your own.",
  required: ['option', 'value'],
  properties: {
    option: { ...{ type: 'integer' }, description: "Number from 224 to 254." },
    value: { ...{ type: 'string' }, description: "Its value." },
  },
};

const DHCPOptions: JSONSchemaProps = {
  type: 'object',
  description: "Further DHCP options for the guest.",
  properties: {
    bootFileName: { ...{ type: 'string' }, description: "Boot file (option 67)." },
    ntpServers: { ...{ type: 'array', items: { type: 'string' } }, description: "NTP servers (option 42), IPv4 addresses." },
    privateOptions: { ...{ type: 'array', items: DHCPPrivateOption }, description: "Options of your own." },
    tftpServerName: { ...{ type: 'string' }, description: "TFTP server (option 66)." },
  },
};

const PortRange: JSONSchemaProps = {
  type: 'object',
  description: "A range of ports that reach the guest.",
  required: ['end', 'protocol', 'start'],
  properties: {
    end: { ...{ type: 'integer', format: 'int32' }, description: "Last port." },
    protocol: { ...{ type: 'string' }, description: "TCP or UDP." },
    start: { ...{ type: 'integer', format: 'int32' }, description: "First port." },
  },
};

const Port: JSONSchemaProps = {
  type: 'object',
  description: "A port that reaches the guest.",
  required: ['port'],
  properties: {
    name: { ...{ type: 'string' }, description: "Name of the port." },
    port: { ...{ type: 'integer', format: 'int32' }, description: "Number from 1 to 65535." },
    protocol: { ...{ type: 'string' }, description: "TCP (default) or UDP." },
  },
};

const Interface: JSONSchemaProps = {
  type: 'object',
  description: "A network interface; its network has the same name, and exactly one binding is set.",
  required: ['name'],
  properties: {
    acpiIndex: { ...{ type: 'integer' }, description: "Number by which the guest names the interface." },
    binding: { ...PluginBinding, description: "A binding plugin." },
    bootOrder: { ...{ type: 'integer' }, description: "Place in the order of boot devices, from 1; unique over disks and interfaces." },
    bridge: { ...{ type: 'object' }, description: "Bridges the guest to the network; it takes over the Pod's address." },
    dhcpOptions: { ...DHCPOptions, description: "Further DHCP options for the guest." },
    macAddress: { ...{ type: 'string' }, description: "MAC address; chosen when unset." },
    macvtap: { ...{ type: 'object' }, description: "No longer supported." },
    masquerade: { ...{ type: 'object' }, description: "Hides the guest behind the Pod's address." },
    model: { ...{ type: 'string' }, description: "virtio (default), e1000, e1000e, igb, ne2k_pci, pcnet or rtl8139." },
    name: { ...{ type: 'string' }, description: "Name of the interface and of its network." },
    passt: { ...{ type: 'object' }, description: "No longer supported; see passtBinding." },
    passtBinding: { ...{ type: 'object' }, description: "Connects the guest through passt, without privileges." },
    pciAddress: { ...{ type: 'string' }, description: "PCI address, such as 0000:81:01.0." },
    portRanges: { ...{ type: 'array', items: PortRange }, description: "Ranges of ports that reach the guest, with masquerade.", 'x-kubernetes-list-type': "atomic" },
    ports: { ...{ type: 'array', items: Port }, description: "Ports that reach the guest, with masquerade; all when unset." },
    slirp: { ...{ type: 'object' }, description: "No longer supported." },
    sriov: { ...{ type: 'object' }, description: "Hands a virtual function of the node's card to the guest." },
    state: { ...{ type: 'string' }, description: "Link state: up, down, or absent to unplug the interface." },
    tag: { ...{ type: 'string' }, description: "Tag that the guest reads through cloud-init." },
  },
};

const PanicDevice: JSONSchemaProps = {
  type: 'object',
  description: "A device on which the guest tells that it crashed.",
  properties: {
    model: { ...{ type: 'string' }, description: "hyperv, isa or pvpanic." },
  },
};

const SoundDevice: JSONSchemaProps = {
  type: 'object',
  description: "A sound card.",
  required: ['name'],
  properties: {
    model: { ...{ type: 'string' }, description: "ich9 (default) or ac97." },
    name: { ...{ type: 'string' }, description: "Name of the device." },
  },
};

const TPMDevice: JSONSchemaProps = {
  type: 'object',
  description: "A Trusted Platform Module.",
  properties: {
    enabled: { ...{ type: 'boolean' }, description: "Whether the device exists; true when unset." },
    persistent: { ...{ type: 'boolean' }, description: "Keeps its state from start to start, in a volume of its own." },
  },
};

const VideoDevice: JSONSchemaProps = {
  type: 'object',
  description: "The graphics card.",
  properties: {
    type: { ...{ type: 'string' }, description: "Type of the card: amd64 vga, cirrus, virtio, ramfb or bochs; arm64 virtio or ramfb; s390x virtio." },
  },
};

const WatchdogTarget: JSONSchemaProps = {
  type: 'object',
  description: "What a watchdog does.",
  properties: {
    action: { ...{ type: 'string' }, description: "poweroff, reset (default) or shutdown." },
  },
};

const Watchdog: JSONSchemaProps = {
  type: 'object',
  description: "A watchdog that acts when the guest stops feeding it.",
  required: ['name'],
  properties: {
    diag288: { ...WatchdogTarget, description: "The watchdog of s390x." },
    i6300esb: { ...WatchdogTarget, description: "The watchdog of amd64." },
    name: { ...{ type: 'string' }, description: "Name of the device." },
  },
};

const Devices: JSONSchemaProps = {
  type: 'object',
  description: "Disks, interfaces and all other devices of the guest.",
  properties: {
    autoattachGraphicsDevice: { ...{ type: 'boolean' }, description: "Adds a graphics card and VNC; true when unset." },
    autoattachInputDevice: { ...{ type: 'boolean' }, description: "Adds a tablet, so that the pointer follows the screen; false when unset." },
    autoattachMemBalloon: { ...{ type: 'boolean' }, description: "Adds a balloon that reports and gives back memory; true when unset." },
    autoattachPodInterface: { ...{ type: 'boolean' }, description: "Adds the Pod network when no network is named; true when unset." },
    autoattachSerialConsole: { ...{ type: 'boolean' }, description: "Adds a serial console; true when unset." },
    autoattachVSOCK: { ...{ type: 'boolean' }, description: "Adds a VSOCK device." },
    blockMultiQueue: { ...{ type: 'boolean' }, description: "Gives virtio disks a queue per vCPU." },
    clientPassthrough: { ...{ type: 'object' }, description: "Lets a client redirect its USB devices into the guest." },
    disableHotplug: { ...{ type: 'boolean' }, description: "Leaves out the controllers that plugging needs." },
    disks: { ...{ type: 'array', items: Disk }, description: "Disks, CD-ROMs and LUNs, each with a volume of its name.", maxItems: 256 },
    downwardMetrics: { ...{ type: 'object' }, description: "A serial port on which the guest reads metrics of its host." },
    filesystems: { ...{ type: 'array', items: Filesystem }, description: "Filesystems shared with the guest, each with a volume of its name.", 'x-kubernetes-list-type': "atomic" },
    gpus: { ...{ type: 'array', items: GPU }, description: "GPUs of the node.", 'x-kubernetes-list-type': "atomic" },
    hostDevices: { ...{ type: 'array', items: HostDevice }, description: "Other devices of the node.", 'x-kubernetes-list-type': "atomic" },
    inputs: { ...{ type: 'array', items: Input }, description: "Input devices." },
    interfaces: { ...{ type: 'array', items: Interface }, description: "Network interfaces, each with a network of its name.", maxItems: 256 },
    logSerialConsole: { ...{ type: 'boolean' }, description: "Copies the serial console to the log of a container; the cluster's default when unset." },
    networkInterfaceMultiqueue: { ...{ type: 'boolean' }, description: "Gives virtio interfaces a queue per vCPU." },
    panicDevices: { ...{ type: 'array', items: PanicDevice }, description: "Devices on which the guest tells that it crashed." },
    rng: { ...{ type: 'object' }, description: "A source of randomness." },
    sound: { ...SoundDevice, description: "A sound card." },
    tpm: { ...TPMDevice, description: "A Trusted Platform Module." },
    useVirtioTransitional: { ...{ type: 'boolean' }, description: "Uses virtio devices that old guests know." },
    video: { ...VideoDevice, description: "The graphics card." },
    watchdog: { ...Watchdog, description: "A watchdog that acts when the guest stops feeding it." },
  },
};

const FeatureAPIC: JSONSchemaProps = {
  type: 'object',
  description: "The interrupt controller.",
  properties: {
    enabled: { ...{ type: 'boolean' }, description: "Whether the feature is on; true when unset." },
    endOfInterrupt: { ...{ type: 'boolean' }, description: "Paravirtual end of interrupt." },
  },
};

const FeatureSpinlocks: JSONSchemaProps = {
  type: 'object',
  description: "Tells the hypervisor when a lock is busy.",
  properties: {
    enabled: { ...{ type: 'boolean' }, description: "Whether the feature is on; true when unset." },
    spinlocks: { ...{ type: 'integer', format: 'int32' }, description: "Tries before the hypervisor is told; 4096 when unset." },
  },
};

const SyNICTimer: JSONSchemaProps = {
  type: 'object',
  description: "Synthetic timers.",
  properties: {
    direct: { ...FeatureState, description: "Timers that interrupt directly." },
    enabled: { ...{ type: 'boolean' }, description: "Whether the feature is on; true when unset." },
  },
};

const TLBFlush: JSONSchemaProps = {
  type: 'object',
  description: "Flushes of the TLB through the hypervisor.",
  properties: {
    direct: { ...FeatureState, description: "Flushes from nested guests." },
    enabled: { ...{ type: 'boolean' }, description: "Whether the feature is on; true when unset." },
    extended: { ...FeatureState, description: "Flushes of address ranges." },
  },
};

const FeatureVendorID: JSONSchemaProps = {
  type: 'object',
  description: "Name of the hypervisor that the guest reads.",
  properties: {
    enabled: { ...{ type: 'boolean' }, description: "Whether the feature is on; true when unset." },
    vendorid: { ...{ type: 'string' }, description: "The name, at most 12 characters." },
  },
};

const FeatureHyperv: JSONSchemaProps = {
  type: 'object',
  description: "Hyper-V enlightenments, which make Windows guests faster.",
  properties: {
    evmcs: { ...FeatureState, description: "Nested virtualisation on Hyper-V; needs the CPU feature vmx." },
    frequencies: { ...FeatureState, description: "Frequencies of TSC and APIC in registers." },
    ipi: { ...FeatureState, description: "Interrupts between CPUs through the hypervisor." },
    reenlightenment: { ...FeatureState, description: "Notice after a migration that the TSC frequency changed." },
    relaxed: { ...FeatureState, description: "No crash when a timer is late." },
    reset: { ...FeatureState, description: "Reboot through the hypervisor." },
    runtime: { ...FeatureState, description: "Time that a vCPU ran, in a register." },
    spinlocks: { ...FeatureSpinlocks, description: "Tells the hypervisor when a lock is busy." },
    synic: { ...FeatureState, description: "Synthetic interrupt controller." },
    synictimer: { ...SyNICTimer, description: "Synthetic timers." },
    tlbflush: { ...TLBFlush, description: "Flushes of the TLB through the hypervisor." },
    vapic: { ...FeatureState, description: "Virtual APIC." },
    vendorid: { ...FeatureVendorID, description: "Name of the hypervisor that the guest reads." },
    vpindex: { ...FeatureState, description: "Index of the virtual processor." },
  },
};

const FeatureKVM: JSONSchemaProps = {
  type: 'object',
  description: "What the guest sees of KVM.",
  properties: {
    hidden: { ...{ type: 'boolean' }, description: "Hides KVM from the guest." },
  },
};

const Features: JSONSchemaProps = {
  type: 'object',
  description: "Hardware features that are switched on or off; naming one switches it on.",
  properties: {
    acpi: { ...FeatureState, description: "ACPI tables; on by default, except on s390x." },
    apic: { ...FeatureAPIC, description: "Interrupt controller." },
    hyperv: { ...FeatureHyperv, description: "Enlightenments for Windows guests." },
    hypervPassthrough: { ...FeatureState, description: "All enlightenments that the host supports." },
    kvm: { ...FeatureKVM, description: "What the guest sees of KVM." },
    pvspinlock: { ...FeatureState, description: "Paravirtual spinlocks." },
    smm: { ...FeatureState, description: "System management mode; needed for Secure Boot." },
  },
};

const FirmwareACPI: JSONSchemaProps = {
  type: 'object',
  description: "ACPI tables that are taken from volumes of Secrets.",
  properties: {
    msdmNameRef: { ...{ type: 'string' }, description: "Volume that holds the MSDM table (a Windows licence key)." },
    slicNameRef: { ...{ type: 'string' }, description: "Volume that holds the SLIC table (a Windows licence)." },
  },
};

const BIOS: JSONSchemaProps = {
  type: 'object',
  description: "Boots with BIOS.",
  properties: {
    useSerial: { ...{ type: 'boolean' }, description: "Shows the boot messages on the serial console." },
  },
};

const EFI: JSONSchemaProps = {
  type: 'object',
  description: "Boots with EFI.",
  properties: {
    persistent: { ...{ type: 'boolean' }, description: "Keeps EFI variables from start to start, in a volume of their own." },
    secureBoot: { ...{ type: 'boolean' }, description: "Boots signed code only; on by default on amd64, and then needs the feature smm." },
  },
};

const Bootloader: JSONSchemaProps = {
  type: 'object',
  description: "BIOS or EFI, not both; BIOS on amd64 and EFI on arm64 when neither is set.",
  properties: {
    bios: { ...BIOS, description: "Boots with BIOS." },
    efi: { ...EFI, description: "Boots with EFI." },
  },
};

const KernelBootContainer: JSONSchemaProps = {
  type: 'object',
  description: "An image that holds a kernel or an initial ramdisk.",
  required: ['image'],
  properties: {
    image: { ...{ type: 'string' }, description: "Name of the image." },
    imagePullPolicy: { ...{ type: 'string' }, description: "When the image is pulled: Always, IfNotPresent or Never." },
    imagePullSecret: { ...{ type: 'string' }, description: "Secret with the credentials of the registry." },
    initrdPath: { ...{ type: 'string' }, description: "Path of the initial ramdisk in the image." },
    kernelPath: { ...{ type: 'string' }, description: "Path of the kernel in the image." },
  },
};

const KernelBoot: JSONSchemaProps = {
  type: 'object',
  description: "Boots a kernel from an image instead of a disk.",
  properties: {
    container: { ...KernelBootContainer, description: "The image that holds the kernel." },
    kernelArgs: { ...{ type: 'string' }, description: "Command line of the kernel." },
  },
};

const Firmware: JSONSchemaProps = {
  type: 'object',
  description: "BIOS or EFI, direct kernel boot, and the identity of the board.",
  properties: {
    acpi: { ...FirmwareACPI, description: "ACPI tables that are taken from Secrets." },
    bootloader: { ...Bootloader, description: "BIOS or EFI." },
    kernelBoot: { ...KernelBoot, description: "Boots a kernel from an image instead of a disk." },
    serial: { ...{ type: 'string' }, description: "Serial number of the board." },
    uuid: { ...{ type: 'string' }, description: "UUID of the board; random when unset." },
  },
};

const DiskIOThreads: JSONSchemaProps = {
  type: 'object',
  description: "Details of the IO threads.",
  properties: {
    supplementalPoolThreadCount: { ...{ type: 'integer', format: 'int32' }, description: "Threads in the pool, for the policy supplementalPool." },
  },
};

const SEVPolicy: JSONSchemaProps = {
  type: 'object',
  description: "What the platform may do with an SEV guest.",
  properties: {
    encryptedState: { ...{ type: 'boolean' }, description: "Also encrypts CPU registers (SEV-ES)." },
  },
};

const SEV: JSONSchemaProps = {
  type: 'object',
  description: "AMD Secure Encrypted Virtualization.",
  properties: {
    attestation: { ...{ type: 'object' }, description: "Starts the guest paused, to be measured before it runs." },
    dhCert: { ...{ type: 'string' }, description: "Diffie-Hellman key of the guest owner, base64." },
    policy: { ...SEVPolicy, description: "What the platform may do with the guest." },
    session: { ...{ type: 'string' }, description: "Session blob of the guest owner, base64." },
  },
};

const LaunchSecurity: JSONSchemaProps = {
  type: 'object',
  description: "Encryption of the guest's memory; one technology on amd64, an empty object on s390x (Secure Execution).",
  properties: {
    sev: { ...SEV, description: "AMD Secure Encrypted Virtualization." },
    snp: { ...{ type: 'object' }, description: "AMD SEV with Secure Nested Paging." },
    tdx: { ...{ type: 'object' }, description: "Intel Trust Domain Extensions." },
  },
};

const Machine: JSONSchemaProps = {
  type: 'object',
  description: "Type of the emulated machine.",
  properties: {
    type: { ...{ type: 'string' }, description: "Machine type, such as q35 or virt; the cluster's default for the architecture when empty." },
  },
};

const Hugepages: JSONSchemaProps = {
  type: 'object',
  description: "Huge pages behind the guest's memory.",
  properties: {
    pageSize: { ...{ type: 'string' }, description: "Size of a page, such as 2Mi or 1Gi." },
  },
};

const ReservedOverhead: JSONSchemaProps = {
  type: 'object',
  description: "Memory beyond the guest's that is kept for it.",
  properties: {
    addedOverhead: { ...QUANTITY, description: "Memory to add to the Pod's request." },
    memLock: { ...{ type: 'string', enum: ["NotRequired", "Required"] }, description: "Whether QEMU may lock all of the guest's memory: Required or NotRequired." },
  },
};

const Memory: JSONSchemaProps = {
  type: 'object',
  description: "Memory of the guest.",
  properties: {
    guest: { ...QUANTITY, description: "Memory that the guest sees; the Pod's memory request when unset." },
    hugepages: { ...Hugepages, description: "Backs the guest's memory with huge pages." },
    maxGuest: { ...QUANTITY, description: "Memory that may be reached by plugging." },
    reservedOverhead: { ...ReservedOverhead, description: "Memory beyond the guest's that is kept for it." },
  },
};

const ResourceRequirements: JSONSchemaProps = {
  type: 'object',
  description: "CPU and memory that the launcher Pod asks for.",
  properties: {
    limits: { ...{ type: 'object', additionalProperties: QUANTITY }, description: "The most that the Pod may use." },
    overcommitGuestOverhead: { ...{ type: 'boolean' }, description: "Leaves the memory of QEMU and libvirt out of the request, so that a node holds more guests." },
    requests: { ...{ type: 'object', additionalProperties: QUANTITY }, description: "What the Pod is sure to get." },
  },
};

const DomainSpec: JSONSchemaProps = {
  type: 'object',
  description: "The virtual machine proper: CPU, memory, devices and firmware.",
  required: ['devices'],
  properties: {
    chassis: { ...Chassis, description: "What the guest reads about its case (SMBIOS type 3)." },
    clock: { ...Clock, description: "The guest's clock and timers.", 'x-kubernetes-preserve-unknown-fields': true },
    cpu: { ...CPU, description: "Number, model and features of CPUs." },
    devices: { ...Devices, description: "Disks, interfaces and all other devices." },
    features: { ...Features, description: "Hardware features that are switched on or off." },
    firmware: { ...Firmware, description: "BIOS or EFI, direct kernel boot, and the identity of the board." },
    ioThreads: { ...DiskIOThreads, description: "Details of the IO threads." },
    ioThreadsPolicy: { ...{ type: 'string' }, description: "How disks share IO threads: shared, auto or supplementalPool." },
    launchSecurity: { ...LaunchSecurity, description: "Encryption of the guest's memory." },
    machine: { ...Machine, description: "Type of the emulated machine." },
    memory: { ...Memory, description: "Memory of the guest." },
    rebootPolicy: { ...{ type: 'string', enum: ["Reboot", "Terminate"] }, description: "What a reboot from inside does: Reboot stays in the same process, Terminate ends the instance." },
    resources: { ...ResourceRequirements, description: "CPU and memory that the launcher Pod asks for." },
  },
};

const ExecAction: JSONSchemaProps = {
  type: 'object',
  description: "A command.",
  properties: {
    command: { ...{ type: 'array', items: { type: 'string' } }, description: "The command and its arguments.", 'x-kubernetes-list-type': "atomic" },
  },
};

const HTTPHeader: JSONSchemaProps = {
  type: 'object',
  description: "A header.",
  required: ['name', 'value'],
  properties: {
    name: { ...{ type: 'string' }, description: "Its name." },
    value: { ...{ type: 'string' }, description: "Its value." },
  },
};

const HTTPGetAction: JSONSchemaProps = {
  type: 'object',
  description: "A page asked for over HTTP.",
  required: ['port'],
  properties: {
    host: { ...{ type: 'string' }, description: "Host to ask; the guest when unset." },
    httpHeaders: { ...{ type: 'array', items: HTTPHeader }, description: "Headers to send.", 'x-kubernetes-list-type': "atomic" },
    path: { ...{ type: 'string' }, description: "Path of the page." },
    port: { ...INT_OR_STRING, description: "Port, by number or name." },
    scheme: { ...{ type: 'string' }, description: "HTTP (default) or HTTPS." },
  },
};

const TCPSocketAction: JSONSchemaProps = {
  type: 'object',
  description: "A TCP connection.",
  required: ['port'],
  properties: {
    host: { ...{ type: 'string' }, description: "Host to connect to; the guest when unset." },
    port: { ...INT_OR_STRING, description: "Port, by number or name." },
  },
};

const Probe: JSONSchemaProps = {
  type: 'object',
  description: "Asks the guest at intervals whether it is well; exactly one handler is set.",
  properties: {
    exec: { ...ExecAction, description: "Runs a command in the guest through the guest agent; exit code 0 is success." },
    failureThreshold: { ...{ type: 'integer', format: 'int32' }, description: "Failures in a row that count as failed; 3 when unset." },
    guestAgentPing: { ...{ type: 'object' }, description: "Pings the guest agent." },
    httpGet: { ...HTTPGetAction, description: "Asks for a page over HTTP." },
    initialDelaySeconds: { ...{ type: 'integer', format: 'int32' }, description: "Seconds to wait after the start." },
    periodSeconds: { ...{ type: 'integer', format: 'int32' }, description: "Seconds between two probes; 10 when unset." },
    successThreshold: { ...{ type: 'integer', format: 'int32' }, description: "Successes in a row that count as well again; 1 when unset." },
    tcpSocket: { ...TCPSocketAction, description: "Opens a TCP connection." },
    timeoutSeconds: { ...{ type: 'integer', format: 'int32' }, description: "Seconds after which a probe has failed; 1 when unset." },
  },
};

const MultusNetwork: JSONSchemaProps = {
  type: 'object',
  description: "A network of a NetworkAttachmentDefinition.",
  required: ['networkName'],
  properties: {
    default: { ...{ type: 'boolean' }, description: "Replaces the Pod network." },
    networkName: { ...{ type: 'string' }, description: "The NetworkAttachmentDefinition, as name or namespace/name." },
  },
};

const PodNetwork: JSONSchemaProps = {
  type: 'object',
  description: "The network of the Pod.",
  properties: {
    vmIPv6NetworkCIDR: { ...{ type: 'string' }, description: "IPv6 range inside the Pod, for masquerade." },
    vmNetworkCIDR: { ...{ type: 'string' }, description: "IPv4 range inside the Pod, for masquerade." },
  },
};

const ResourceClaimNetworkSource: JSONSchemaProps = {
  type: 'object',
  description: "A network device from a resource claim.",
  properties: {
    claimName: { ...{ type: 'string' }, description: "Resource claim of the spec." },
    requestName: { ...{ type: 'string' }, description: "Request in the claim." },
  },
};

const Network: JSONSchemaProps = {
  type: 'object',
  description: "A network; exactly one source is set.",
  required: ['name'],
  properties: {
    multus: { ...MultusNetwork, description: "A network of a NetworkAttachmentDefinition." },
    name: { ...{ type: 'string' }, description: "Name of the network, by which an interface refers to it." },
    pod: { ...PodNetwork, description: "The network of the Pod." },
    resourceClaim: { ...ResourceClaimNetworkSource, description: "A network device from a resource claim." },
  },
};

const PodResourceClaim: JSONSchemaProps = {
  type: 'object',
  description: "A resource claim of a Pod; one of the references is set.",
  required: ['name'],
  properties: {
    name: { ...{ type: 'string' }, description: "Name by which the spec refers to it." },
    resourceClaimName: { ...{ type: 'string' }, description: "A claim that exists." },
    resourceClaimTemplateName: { ...{ type: 'string' }, description: "A template from which a claim is made." },
  },
};

const TopologySpreadConstraint: JSONSchemaProps = {
  type: 'object',
  description: "How Pods are spread over domains.",
  required: ['maxSkew', 'topologyKey', 'whenUnsatisfiable'],
  properties: {
    labelSelector: { ...LabelSelector, description: "Pods that are counted." },
    matchLabelKeys: { ...{ type: 'array', items: { type: 'string' } }, description: "Labels that must equal those of the new Pod.", 'x-kubernetes-list-type': "atomic" },
    maxSkew: { ...{ type: 'integer', format: 'int32' }, description: "How uneven it may get." },
    minDomains: { ...{ type: 'integer', format: 'int32' }, description: "Number of domains that there should be." },
    nodeAffinityPolicy: { ...{ type: 'string' }, description: "Whether nodes that affinity rules out count: Honor or Ignore." },
    nodeTaintsPolicy: { ...{ type: 'string' }, description: "Whether tainted nodes count: Honor or Ignore." },
    topologyKey: { ...{ type: 'string' }, description: "Node label whose value names the domain." },
    whenUnsatisfiable: { ...{ type: 'string' }, description: "DoNotSchedule or ScheduleAnyway." },
  },
};

const UtilityVolume: JSONSchemaProps = {
  type: 'object',
  description: "A claim that the launcher uses for the guest.",
  required: ['claimName', 'name'],
  properties: {
    claimName: { ...{ type: 'string' }, description: "Claim of the same namespace." },
    name: { ...{ type: 'string' }, description: "Name of the volume." },
    readOnly: { ...{ type: 'boolean' }, description: "Refuses writes." },
    type: { ...{ type: 'string' }, description: "What it is for: MemoryDump, Backup, Hibernation, MemorySnapshot or MemorySnapshotDisksTaken." },
  },
};

const CloudInitSource: JSONSchemaProps = {
  type: 'object',
  description: "Data for cloud-init; user and network data each from one place.",
  properties: {
    networkData: { ...{ type: 'string' }, description: "Network configuration, inline." },
    networkDataBase64: { ...{ type: 'string' }, description: "Network configuration, inline and base64." },
    networkDataSecretRef: { ...LocalObjectReference, description: "Secret that holds the network configuration under networkdata." },
    secretRef: { ...LocalObjectReference, description: "Secret that holds the user data under userdata." },
    userData: { ...{ type: 'string' }, description: "User data, inline, at most 2048 bytes." },
    userDataBase64: { ...{ type: 'string' }, description: "User data, inline and base64." },
  },
};

const ConfigMapVolumeSource: JSONSchemaProps = {
  type: 'object',
  description: "The files of a ConfigMap.",
  'x-kubernetes-map-type': "atomic",
  properties: {
    name: { ...{ type: 'string' }, description: "Name of the ConfigMap.", default: "" },
    optional: { ...{ type: 'boolean' }, description: "Starts also without it." },
    volumeLabel: { ...{ type: 'string' }, description: "Label of the disk that the guest sees." },
  },
};

const ContainerDiskSource: JSONSchemaProps = {
  type: 'object',
  description: "A disk image inside a container image.",
  required: ['image'],
  properties: {
    image: { ...{ type: 'string' }, description: "Name of the image." },
    imagePullPolicy: { ...{ type: 'string' }, description: "When the image is pulled: Always, IfNotPresent or Never." },
    imagePullSecret: { ...{ type: 'string' }, description: "Secret with the credentials of the registry." },
    path: { ...{ type: 'string' }, description: "Path of the disk in the image; the only file of /disk when unset." },
  },
};

const ContainerPathVolumeSource: JSONSchemaProps = {
  type: 'object',
  description: "A directory of the launcher container.",
  required: ['path'],
  properties: {
    path: { ...{ type: 'string' }, description: "Absolute path of the directory.", maxLength: 4096, 'x-kubernetes-validations': [{"message":"path must be absolute (start with '/')","rule":"self.startsWith('/')"},{"message":"path must not contain '..'","rule":"!self.contains('..')"}] },
    readOnly: { ...{ type: 'boolean' }, description: "Always true: the guest cannot write.", default: true, 'x-kubernetes-validations': [{"message":"readOnly must be true, write access is not supported","rule":"self == true"}] },
  },
};

const DataVolumeSource: JSONSchemaProps = {
  type: 'object',
  description: "A DataVolume of the same namespace.",
  required: ['name'],
  properties: {
    hotpluggable: { ...{ type: 'boolean' }, description: "Whether the volume was plugged and can be unplugged." },
    name: { ...{ type: 'string' }, description: "Name of the DataVolume." },
  },
};

const ObjectFieldSelector: JSONSchemaProps = {
  type: 'object',
  description: "A field of an object.",
  'x-kubernetes-map-type': "atomic",
  required: ['fieldPath'],
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "API version that the path is written in." },
    fieldPath: { ...{ type: 'string' }, description: "Path of the field." },
  },
};

const ResourceFieldSelector: JSONSchemaProps = {
  type: 'object',
  description: "A request or limit of a container.",
  'x-kubernetes-map-type': "atomic",
  required: ['resource'],
  properties: {
    containerName: { ...{ type: 'string' }, description: "The container." },
    divisor: { ...QUANTITY, description: "What the value is divided by." },
    resource: { ...{ type: 'string' }, description: "The resource, such as limits.cpu." },
  },
};

const DownwardAPIVolumeFile: JSONSchemaProps = {
  type: 'object',
  description: "A file with a field of the instance.",
  required: ['path'],
  properties: {
    fieldRef: { ...ObjectFieldSelector, description: "A field of the metadata." },
    mode: { ...{ type: 'integer', format: 'int32' }, description: "Permissions of the file." },
    path: { ...{ type: 'string' }, description: "Path of the file." },
    resourceFieldRef: { ...ResourceFieldSelector, description: "A request or limit of the Pod." },
  },
};

const DownwardAPIVolumeSource: JSONSchemaProps = {
  type: 'object',
  description: "Fields of the instance, as files.",
  properties: {
    fields: { ...{ type: 'array', items: DownwardAPIVolumeFile }, description: "The files." },
    volumeLabel: { ...{ type: 'string' }, description: "Label of the disk that the guest sees." },
  },
};

const EmptyDiskSource: JSONSchemaProps = {
  type: 'object',
  description: "An empty disk that lives as long as the instance.",
  required: ['capacity'],
  properties: {
    capacity: { ...QUANTITY, description: "Size of the disk." },
  },
};

const EphemeralPVCSource: JSONSchemaProps = {
  type: 'object',
  description: "A claim that is only read.",
  required: ['claimName'],
  properties: {
    claimName: { ...{ type: 'string' }, description: "Name of the claim." },
    readOnly: { ...{ type: 'boolean' }, description: "Mounts it read-only." },
  },
};

const EphemeralVolumeSource: JSONSchemaProps = {
  type: 'object',
  description: "A claim that is only read.",
  properties: {
    persistentVolumeClaim: { ...EphemeralPVCSource, description: "The claim." },
  },
};

const HostDisk: JSONSchemaProps = {
  type: 'object',
  description: "A disk image on the node.",
  required: ['path', 'type'],
  properties: {
    capacity: { ...QUANTITY, description: "Size of an image that is created." },
    path: { ...{ type: 'string' }, description: "Path on the node." },
    shared: { ...{ type: 'boolean' }, description: "Lets several instances use it." },
    type: { ...{ type: 'string' }, description: "Disk needs the image to exist, DiskOrCreate makes it." },
  },
};

const PersistentVolumeClaimVolumeSource: JSONSchemaProps = {
  type: 'object',
  description: "A claim of the same namespace.",
  required: ['claimName'],
  properties: {
    claimName: { ...{ type: 'string' }, description: "Name of the claim." },
    hotpluggable: { ...{ type: 'boolean' }, description: "Whether the volume was plugged and can be unplugged." },
    readOnly: { ...{ type: 'boolean' }, description: "Mounts it read-only." },
  },
};

const SecretVolumeSource: JSONSchemaProps = {
  type: 'object',
  description: "The files of a Secret.",
  properties: {
    optional: { ...{ type: 'boolean' }, description: "Starts also without it." },
    secretName: { ...{ type: 'string' }, description: "Name of the Secret." },
    volumeLabel: { ...{ type: 'string' }, description: "Label of the disk that the guest sees." },
  },
};

const ServiceAccountVolumeSource: JSONSchemaProps = {
  type: 'object',
  description: "The token of a service account.",
  properties: {
    serviceAccountName: { ...{ type: 'string' }, description: "Name of the service account." },
  },
};

const SysprepSource: JSONSchemaProps = {
  type: 'object',
  description: "Answer files for Windows setup; one source is set.",
  properties: {
    configMap: { ...LocalObjectReference, description: "ConfigMap that holds them." },
    secret: { ...LocalObjectReference, description: "Secret that holds them." },
  },
};

const Volume: JSONSchemaProps = {
  type: 'object',
  description: "Where the data of a disk or filesystem comes from; exactly one source is set.",
  required: ['name'],
  properties: {
    cloudInitConfigDrive: { ...CloudInitSource, description: "Cloud-init data on a ConfigDrive disk." },
    cloudInitNoCloud: { ...CloudInitSource, description: "Cloud-init data on a NoCloud disk." },
    configMap: { ...ConfigMapVolumeSource, description: "The files of a ConfigMap." },
    containerDisk: { ...ContainerDiskSource, description: "A disk image inside a container image; changes are lost at the end." },
    containerPath: { ...ContainerPathVolumeSource, description: "A directory of the launcher container." },
    dataVolume: { ...DataVolumeSource, description: "A DataVolume; the guest starts when it is filled." },
    downwardAPI: { ...DownwardAPIVolumeSource, description: "Labels, annotations and other fields of the instance, as files." },
    downwardMetrics: { ...{ type: 'object' }, description: "Metrics of the node, as a small disk." },
    emptyDisk: { ...EmptyDiskSource, description: "An empty disk that lives as long as the instance." },
    ephemeral: { ...EphemeralVolumeSource, description: "A claim that is only read; changes are lost at the end." },
    hostDisk: { ...HostDisk, description: "A disk image on the node." },
    memoryDump: { ...PersistentVolumeClaimVolumeSource, description: "A claim that receives a dump of the guest's memory." },
    name: { ...{ type: 'string' }, description: "Name of the volume." },
    persistentVolumeClaim: { ...PersistentVolumeClaimVolumeSource, description: "A PersistentVolumeClaim." },
    secret: { ...SecretVolumeSource, description: "The files of a Secret." },
    serviceAccount: { ...ServiceAccountVolumeSource, description: "The token of a service account." },
    sysprep: { ...SysprepSource, description: "Answer files for Windows setup." },
  },
};

const VMISpec: JSONSchemaProps = {
  type: 'object',
  description: "What a guest is made of and where it may run.",
  required: ['domain'],
  properties: {
    accessCredentials: { ...{ type: 'array', items: AccessCredential }, description: "SSH keys and passwords that are brought into the guest.", maxItems: 256, 'x-kubernetes-list-type': "atomic" },
    affinity: { ...Affinity, description: "Which nodes and neighbours the launcher Pod wants or avoids." },
    architecture: { ...{ type: 'string' }, description: "CPU architecture: amd64, arm64 or s390x; the cluster's default when empty." },
    dnsConfig: { ...PodDNSConfig, description: "DNS servers, search domains and options, added to what dnsPolicy gives." },
    dnsPolicy: { ...{ type: 'string' }, description: "How DNS is set up: ClusterFirst (default), ClusterFirstWithHostNet, Default or None." },
    domain: { ...DomainSpec, description: "The machine itself: CPU, memory, devices, firmware." },
    evictionStrategy: { ...{ type: 'string' }, description: "What happens when the node is drained: None, LiveMigrate, LiveMigrateIfPossible, External or HibernateIfNotMigratable (Podvisor's own)." },
    hostname: { ...{ type: 'string' }, description: "Hostname of the guest; the name of the instance when empty." },
    livenessProbe: { ...Probe, description: "When this probe fails, the guest is stopped." },
    networks: { ...{ type: 'array', items: Network }, description: "Networks that the interfaces are attached to, by name.", maxItems: 256 },
    nodeSelector: { ...{ type: 'object', additionalProperties: { type: 'string' } }, description: "Labels that the node must have." },
    priorityClassName: { ...{ type: 'string' }, description: "Priority class of the launcher Pod." },
    readinessProbe: { ...Probe, description: "While this probe fails, the guest is not ready and Services leave it out." },
    resourceClaims: { ...{ type: 'array', items: PodResourceClaim }, description: "Resource claims that devices and networks take their hardware from.", 'x-kubernetes-list-map-keys': ["name"], 'x-kubernetes-list-type': "map" },
    schedulerName: { ...{ type: 'string' }, description: "Scheduler that places the launcher Pod." },
    serviceAccountName: { ...{ type: 'string' }, description: "Service account of the launcher Pod." },
    startStrategy: { ...{ type: 'string' }, description: "Paused starts the guest frozen, to be resumed by hand." },
    subdomain: { ...{ type: 'string' }, description: "With hostname, makes the guest's full DNS name." },
    terminationGracePeriodSeconds: { ...{ type: 'integer', format: 'int64' }, description: "Seconds that the guest may take to shut down before it is powered off; 30 when unset." },
    tolerations: { ...{ type: 'array', items: Toleration }, description: "Taints that the launcher Pod puts up with." },
    topologySpreadConstraints: { ...{ type: 'array', items: TopologySpreadConstraint }, description: "How instances are spread over zones, nodes or other domains.", 'x-kubernetes-list-map-keys': ["topologyKey","whenUnsatisfiable"], 'x-kubernetes-list-type': "map" },
    utilityVolumes: { ...{ type: 'array', items: UtilityVolume }, description: "Claims that the launcher uses for the guest (dumps, backups); attached while it runs.", maxItems: 256, 'x-kubernetes-list-map-keys': ["name"], 'x-kubernetes-list-type': "map" },
    volumes: { ...{ type: 'array', items: Volume }, description: "Where the data of disks and filesystems comes from, by name.", maxItems: 256 },
  },
};

const VMITemplate: JSONSchemaProps = {
  type: 'object',
  description: "Metadata and spec of the VirtualMachineInstances that are made from it.",
  properties: {
    metadata: { ...{ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, description: "Labels and annotations that every instance gets.", nullable: true },
    spec: { ...VMISpec, description: "The spec that every instance starts from." },
  },
};

const VMSpec: JSONSchemaProps = {
  type: 'object',
  description: "What a virtual machine should be, and whether it should run.",
  required: ['template'],
  properties: {
    dataVolumeTemplates: { ...{ type: 'array', items: DataVolumeTemplate }, description: "DataVolumes that are created with the machine and deleted with it." },
    instancetype: { ...InstancetypeMatcher, description: "The instance type that gives the guest its CPUs, memory and devices." },
    preference: { ...InstancetypeMatcher, description: "The preference that fills in what the template leaves open." },
    runStrategy: { ...{ type: 'string' }, description: "When the guest runs: Always, Halted, Manual, RerunOnFailure, Once or WaitAsReceiver; excludes running." },
    running: { ...{ type: 'boolean' }, description: "Old form of runStrategy: true is Always, false is Halted. Use runStrategy instead." },
    template: { ...VMITemplate, description: "The VirtualMachineInstance that is started." },
    updateVolumesStrategy: { ...{ type: 'string' }, description: "What a change of volumes does to a running guest: Replacement needs a restart, Migration moves the data while it runs." },
  },
};

const BackupVolumeInfo: JSONSchemaProps = {
  type: 'object',
  description: "A volume in a backup.",
  required: ['volumeName'],
  properties: {
    volumeName: { ...{ type: 'string' }, description: "Name of the volume." },
  },
};

const BackupRuntimeStatus: JSONSchemaProps = {
  type: 'object',
  description: "A backup as the guest's node sees it.",
  properties: {
    backupMsg: { ...{ type: 'string' }, description: "What happened, for people." },
    backupName: { ...{ type: 'string' }, description: "Name of the backup." },
    checkpointName: { ...{ type: 'string' }, description: "Checkpoint that the backup made." },
    completed: { ...{ type: 'boolean' }, description: "True when it ended." },
    endTimestamp: { ...{ type: 'string', format: 'date-time' }, description: "When it ended." },
    failed: { ...{ type: 'boolean' }, description: "True when it failed." },
    quiesceStatus: { ...{ type: 'string' }, description: "Whether the guest's filesystems were frozen." },
    startTimestamp: { ...{ type: 'string', format: 'date-time' }, description: "When it began." },
    volumes: { ...{ type: 'array', items: BackupVolumeInfo }, description: "Volumes in the backup.", 'x-kubernetes-list-type': "atomic" },
  },
};

const ChangedBlockTrackingStatus: JSONSchemaProps = {
  type: 'object',
  description: "Whether changed blocks are tracked.",
  required: ['state'],
  properties: {
    backupStatus: { ...BackupRuntimeStatus, description: "The last backup, or the one under way.", nullable: true },
    state: { ...{ type: 'string' }, description: "PendingRestart, Initializing, Enabled, Disabled or IncrementalBackupFeatureGateDisabled." },
  },
};

const VMCondition = VMICondition;

const HibernatedInterface: JSONSchemaProps = {
  type: 'object',
  description: "An interface of a guest that hibernates.",
  required: ['mac', 'name'],
  properties: {
    mac: { ...{ type: 'string' }, description: "MAC address." },
    name: { ...{ type: 'string' }, description: "Name in the specification." },
  },
};

const VMHibernation: JSONSchemaProps = {
  type: 'object',
  description: "A guest whose memory is, or will be, on a claim.",
  required: ['claimName', 'phase', 'vmiUID'],
  properties: {
    claimName: { ...{ type: 'string' }, description: "Claim with the state of the guest." },
    hibernatedTimestamp: { ...{ type: 'string', format: 'date-time' }, description: "When the guest had been saved." },
    interfaces: { ...{ type: 'array', items: HibernatedInterface }, description: "MAC addresses that the guest knows its interfaces by." },
    isHeld: { ...{ type: 'boolean' }, description: "True while the virtual machine stays off, whatever its run strategy says, until it is started by name." },
    isOfSnapshot: { ...{ type: 'boolean' }, description: "True when the state is the memory of a snapshot, and the disks were restored with it." },
    isWhole: { ...{ type: 'boolean' }, description: "True when the state is known to be whole; otherwise the next start finds out." },
    message: { ...{ type: 'string' }, description: "Why it failed, or why the state was not loaded." },
    newIdentity: { ...{ type: 'boolean' }, description: "True when the guest gets an identity of its own through its agent before it counts as running." },
    phase: { ...{ type: 'string' }, description: "Saving, Hibernated or Failed." },
    reason: { ...{ type: 'string' }, description: "Why the state was not loaded: StateDamaged, StateMissing, StateDoesNotFit or StateInUse." },
    requestTimestamp: { ...{ type: 'string', format: 'date-time' }, description: "When hibernation was asked for." },
    sizeBytes: { ...{ type: 'integer', format: 'int64' }, description: "Bytes that the state takes." },
    vmiUID: { ...{ type: 'string' }, description: "The instance that was hibernated." },
  },
};

const ControllerRevisionRef: JSONSchemaProps = {
  type: 'object',
  description: "Names a ControllerRevision.",
  properties: {
    name: { ...{ type: 'string' }, description: "Name of the ControllerRevision." },
  },
};

const InstancetypeStatusRef: JSONSchemaProps = {
  type: 'object',
  description: "The instance type or preference that is in effect.",
  properties: {
    controllerRevisionRef: { ...ControllerRevisionRef, description: "The revision that holds the object as it was when it was captured." },
    inferFromVolume: { ...{ type: 'string' }, description: "Volume from which the name was inferred." },
    inferFromVolumeFailurePolicy: { ...{ type: 'string' }, description: "What happens when nothing can be inferred." },
    kind: { ...{ type: 'string' }, description: "Kind of the object." },
    name: { ...{ type: 'string' }, description: "Name of the object." },
  },
};

const VMMemoryDumpRequest: JSONSchemaProps = {
  type: 'object',
  description: "A dump of the guest's memory into a claim.",
  required: ['claimName', 'phase'],
  properties: {
    claimName: { ...{ type: 'string' }, description: "Claim that receives the dump." },
    endTimestamp: { ...{ type: 'string', format: 'date-time' }, description: "When the dump ended." },
    fileName: { ...{ type: 'string' }, description: "File in the claim that holds the dump." },
    message: { ...{ type: 'string' }, description: "Why the dump failed." },
    phase: { ...{ type: 'string' }, description: "How far it is: Associating, InProgress, Unmounting, Completed, Dissociating or Failed." },
    remove: { ...{ type: 'boolean' }, description: "True when the claim is to be detached again." },
    startTimestamp: { ...{ type: 'string', format: 'date-time' }, description: "When the dump began." },
  },
};

const VMStartFailure: JSONSchemaProps = {
  type: 'object',
  description: "Failed starts in a row.",
  properties: {
    consecutiveFailCount: { ...{ type: 'integer' }, description: "How many starts failed in a row." },
    lastFailedVMIUID: { ...{ type: 'string' }, description: "The instance that failed last." },
    retryAfterTimestamp: { ...{ type: 'string', format: 'date-time' }, description: "When the next start is tried." },
  },
};

const StateChangeRequest: JSONSchemaProps = {
  type: 'object',
  description: "A request to start or stop the guest.",
  required: ['action'],
  properties: {
    action: { ...{ type: 'string' }, description: "Start, Stop or Hibernate." },
    data: { ...{ type: 'object', additionalProperties: { type: 'string' } }, description: "Details of the request, such as paused." },
    uid: { ...{ type: 'string' }, description: "The instance to stop or to hibernate; a request without it is ignored." },
  },
};

const HotplugVolumeSource: JSONSchemaProps = {
  type: 'object',
  description: "Source of a plugged volume; one is set.",
  properties: {
    dataVolume: { ...DataVolumeSource, description: "A DataVolume of the same namespace." },
    persistentVolumeClaim: { ...PersistentVolumeClaimVolumeSource, description: "A PersistentVolumeClaim of the same namespace." },
  },
};

const AddVolumeOptions: JSONSchemaProps = {
  type: 'object',
  description: "A volume to plug and the disk that shows it to the guest.",
  required: ['disk', 'name', 'volumeSource'],
  properties: {
    disk: { ...Disk, description: "The disk that shows the volume to the guest." },
    dryRun: { ...{ type: 'array', items: { type: 'string' } }, description: "All to check the request without doing it.", 'x-kubernetes-list-type': "atomic" },
    name: { ...{ type: 'string' }, description: "Name of the new volume and disk." },
    volumeSource: { ...HotplugVolumeSource, description: "Where the data comes from." },
  },
};

const RemoveVolumeOptions: JSONSchemaProps = {
  type: 'object',
  description: "A volume to unplug.",
  required: ['name'],
  properties: {
    dryRun: { ...{ type: 'array', items: { type: 'string' } }, description: "All to check the request without doing it.", 'x-kubernetes-list-type': "atomic" },
    name: { ...{ type: 'string' }, description: "Name of the volume." },
  },
};

const VolumeRequest: JSONSchemaProps = {
  type: 'object',
  description: "A volume to plug or unplug; one of the two options is set.",
  properties: {
    addVolumeOptions: { ...AddVolumeOptions, description: "The volume to plug." },
    removeVolumeOptions: { ...RemoveVolumeOptions, description: "The volume to unplug." },
  },
};

const VMVolumeSnapshotStatus: JSONSchemaProps = {
  type: 'object',
  description: "Whether a volume can be snapshotted.",
  required: ['enabled', 'name'],
  properties: {
    enabled: { ...{ type: 'boolean' }, description: "True when it can." },
    name: { ...{ type: 'string' }, description: "Name of the volume." },
    reason: { ...{ type: 'string' }, description: "Why, or why not." },
  },
};

const PersistentVolumeClaimInfo: JSONSchemaProps = {
  type: 'object',
  description: "What is known of a claim.",
  properties: {
    accessModes: { ...{ type: 'array', items: { type: 'string' } }, description: "Access modes of the claim.", 'x-kubernetes-list-type': "atomic" },
    capacity: { ...{ type: 'object', additionalProperties: QUANTITY }, description: "Size that the claim got." },
    claimName: { ...{ type: 'string' }, description: "Name of the claim." },
    filesystemOverhead: { ...{ type: 'string' }, description: "Part of the space that the filesystem keeps for itself, from 0 to 1.", pattern: "^(0(?:\\.\\d{1,3})?|1)$" },
    preallocated: { ...{ type: 'boolean' }, description: "Whether the space was taken at once." },
    requests: { ...{ type: 'object', additionalProperties: QUANTITY }, description: "Size that the claim asked for." },
    volumeMode: { ...{ type: 'string' }, description: "Filesystem or Block." },
  },
};

const MigratedVolume: JSONSchemaProps = {
  type: 'object',
  description: "A volume whose data is moved to another claim.",
  required: ['volumeName'],
  properties: {
    destinationPVCInfo: { ...PersistentVolumeClaimInfo, description: "The new claim." },
    sourcePVCInfo: { ...PersistentVolumeClaimInfo, description: "The old claim." },
    volumeName: { ...{ type: 'string' }, description: "Name of the volume." },
  },
};

const VolumeMigrationState: JSONSchemaProps = {
  type: 'object',
  description: "Volumes whose data is being moved while the guest runs.",
  properties: {
    migratedVolumes: { ...{ type: 'array', items: MigratedVolume }, description: "The volumes with their old and new claims.", 'x-kubernetes-list-type': "atomic" },
  },
};

const VolumeUpdateState: JSONSchemaProps = {
  type: 'object',
  description: "How far a change of volumes has come.",
  properties: {
    volumeMigrationState: { ...VolumeMigrationState, description: "Volumes whose data is being moved." },
  },
};

const VMStatus: JSONSchemaProps = {
  type: 'object',
  description: "What is known of a virtual machine.",
  properties: {
    changedBlockTracking: { ...ChangedBlockTrackingStatus, description: "Whether changed blocks are tracked for incremental backups.", nullable: true },
    conditions: { ...{ type: 'array', items: VMCondition }, description: "Ready, Paused, Failure and other conditions, including those of the running instance." },
    created: { ...{ type: 'boolean' }, description: "True while an instance exists that has not ended." },
    desiredGeneration: { ...{ type: 'integer', format: 'int64' }, description: "Generation of the spec that the user wants to run." },
    hibernation: { ...VMHibernation, description: "The hibernation that is under way, or the state that the guest wakes from at its next start. Podvisor's own.", nullable: true },
    instancetypeRef: { ...InstancetypeStatusRef, description: "The instance type in use and the revision that was captured.", nullable: true },
    memoryDumpRequest: { ...VMMemoryDumpRequest, description: "The memory dump that was asked for, if any.", nullable: true },
    observedGeneration: { ...{ type: 'integer', format: 'int64' }, description: "Generation of the spec that the running instance was started from." },
    preferenceRef: { ...InstancetypeStatusRef, description: "The preference in use and the revision that was captured.", nullable: true },
    printableStatus: { ...{ type: 'string' }, description: "The state in one word, for people: Stopped, Starting, Running, Migrating, CrashLoopBackOff and others.", default: "Stopped" },
    ready: { ...{ type: 'boolean' }, description: "True while the guest runs and is ready." },
    restoreInProgress: { ...{ type: 'string' }, description: "Name of the restore that is under way." },
    runStrategy: { ...{ type: 'string' }, description: "The run strategy that is in effect." },
    snapshotInProgress: { ...{ type: 'string' }, description: "Name of the snapshot that is under way." },
    startFailure: { ...VMStartFailure, description: "How often the start failed in a row and when the next try is due.", nullable: true },
    stateChangeRequests: { ...{ type: 'array', items: StateChangeRequest }, description: "Requests to start or stop that wait to be handled, oldest first." },
    volumeRequests: { ...{ type: 'array', items: VolumeRequest }, description: "Volumes that wait to be plugged or unplugged.", 'x-kubernetes-list-type': "atomic" },
    volumeSnapshotStatuses: { ...{ type: 'array', items: VMVolumeSnapshotStatus }, description: "Whether each volume can be snapshotted." },
    volumeUpdateState: { ...VolumeUpdateState, description: "How far a change of volumes has come." },
  },
};

const VirtualMachine: JSONSchemaProps = {
  type: 'object',
  description: "A virtual machine: it exists whether or not its guest runs, and starts a VirtualMachineInstance from its template.",
  required: ['spec'],
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "The version of the schema that this object is written in." },
    kind: { ...{ type: 'string' }, description: "The kind of resource that this object is." },
    metadata: { type: 'object' },
    spec: { ...VMSpec, description: "What the machine should be and whether it should run." },
    status: { ...VMStatus, description: "What is known of the machine; written by Podvisor." },
  },
};

const CPUTopology: JSONSchemaProps = {
  type: 'object',
  description: "Sockets, cores and threads.",
  properties: {
    cores: { ...{ type: 'integer', format: 'int32' }, description: "Cores in a socket." },
    sockets: { ...{ type: 'integer', format: 'int32' }, description: "Sockets." },
    threads: { ...{ type: 'integer', format: 'int32' }, description: "Threads in a core." },
  },
};

const GuestOSInfo: JSONSchemaProps = {
  type: 'object',
  description: "What the guest agent says of the operating system.",
  properties: {
    id: { ...{ type: 'string' }, description: "Short name, such as fedora." },
    kernelRelease: { ...{ type: 'string' }, description: "Release of the kernel." },
    kernelVersion: { ...{ type: 'string' }, description: "Version of the kernel." },
    machine: { ...{ type: 'string' }, description: "Architecture." },
    name: { ...{ type: 'string' }, description: "Name." },
    prettyName: { ...{ type: 'string' }, description: "Name and version, for people." },
    version: { ...{ type: 'string' }, description: "Version." },
    versionId: { ...{ type: 'string' }, description: "Version, for programs." },
  },
};

const VMIHibernation: JSONSchemaProps = {
  type: 'object',
  description: "The hibernation of a guest, or its waking.",
  required: ['phase'],
  properties: {
    endTimestamp: { ...{ type: 'string', format: 'date-time' }, description: "When it ended." },
    id: { ...{ type: 'string' }, description: "UID of the instance whose memory the state is." },
    message: { ...{ type: 'string' }, description: "What went wrong, or what a reader should know." },
    phase: { ...{ type: 'string' }, description: "Saving, Saved, Failed, Woken, Booted (there was no state) or Refused." },
    reason: { ...{ type: 'string' }, description: "Why the state was refused." },
    sizeBytes: { ...{ type: 'integer', format: 'int64' }, description: "Bytes that the state takes." },
    startTimestamp: { ...{ type: 'string', format: 'date-time' }, description: "When it began." },
  },
};

const InterfaceStatus: JSONSchemaProps = {
  type: 'object',
  description: "An interface as it is found.",
  properties: {
    infoSource: { ...{ type: 'string' }, description: "Who knows of it: domain, guest-agent, multus-status." },
    interfaceName: { ...{ type: 'string' }, description: "Name inside the guest." },
    ipAddress: { ...{ type: 'string' }, description: "First address." },
    ipAddresses: { ...{ type: 'array', items: { type: 'string' } }, description: "All addresses." },
    linkState: { ...{ type: 'string' }, description: "up or down." },
    mac: { ...{ type: 'string' }, description: "MAC address." },
    name: { ...{ type: 'string' }, description: "Name in the spec; empty for interfaces that only the guest knows." },
    podInterfaceName: { ...{ type: 'string' }, description: "Name inside the Pod." },
    queueCount: { ...{ type: 'integer', format: 'int32' }, description: "Number of queues." },
  },
};

const ChecksumInfo: JSONSchemaProps = {
  type: 'object',
  description: "A checksum, to notice that an image changed before a migration.",
  properties: {
    checksum: { ...{ type: 'integer', format: 'int64' }, description: "CRC-32 of the file.", maximum: 4294967295, minimum: 0 },
  },
};

const KernelBootStatus: JSONSchemaProps = {
  type: 'object',
  description: "Checksums of a kernel from an image.",
  properties: {
    initrdInfo: { ...ChecksumInfo, description: "Checksum of the initial ramdisk." },
    kernelInfo: { ...ChecksumInfo, description: "Checksum of the kernel." },
  },
};

const MemoryStatus: JSONSchemaProps = {
  type: 'object',
  description: "Memory that the guest has and may get.",
  properties: {
    guestAtBoot: { ...QUANTITY, description: "Memory at the start." },
    guestCurrent: { ...QUANTITY, description: "Memory now." },
    guestRequested: { ...QUANTITY, description: "Memory that was asked for." },
    memoryOverhead: { ...QUANTITY, description: "Memory that the Pod needs beyond the guest's." },
  },
};

const VMIMemorySnapshot: JSONSchemaProps = {
  type: 'object',
  description: "A snapshot of a guest's memory.",
  required: ['claimName', 'phase'],
  properties: {
    claimName: { ...{ type: 'string' }, description: "Claim that the memory is written to; it says which snapshot it is." },
    endTimestamp: { ...{ type: 'string', format: 'date-time' }, description: "When it ended." },
    message: { ...{ type: 'string' }, description: "What went wrong." },
    pauseMilliseconds: { ...{ type: 'integer', format: 'int64' }, description: "How long the guest stood still." },
    phase: { ...{ type: 'string' }, description: "Saving, Saved (the guest stands still until its disks are taken), Taken or Failed." },
    sizeBytes: { ...{ type: 'integer', format: 'int64' }, description: "Bytes that the memory takes." },
    startTimestamp: { ...{ type: 'string', format: 'date-time' }, description: "When it began." },
  },
};

const DowntimeTuning: JSONSchemaProps = {
  type: 'object',
  description: "Raises the allowed downtime step by step.",
  properties: {
    cooldownSeconds: { ...{ type: 'integer', format: 'int32' }, description: "Seconds between two steps.", minimum: 1 },
    initialMs: { ...{ type: 'integer', format: 'int64' }, description: "Downtime to begin with, in milliseconds.", minimum: 1 },
    startAfterIteration: { ...{ type: 'integer', format: 'int64' }, description: "Passes over the memory before the first step.", minimum: 1 },
    steps: { ...{ type: 'integer', format: 'int32' }, description: "Number of steps.", minimum: 1 },
  },
};

const StallDetector: JSONSchemaProps = {
  type: 'object',
  description: "Notices a migration that cannot end.",
  properties: {
    completionTimeoutFactor: { ...QUANTITY, description: "Factor on the completion timeout." },
    ewmaAlpha: { ...QUANTITY, description: "Weight of the newest measurement, from 0 to 1." },
    patienceWindowDecayFactor: { ...QUANTITY, description: "How fast patience shrinks, from 0 to 1." },
    precopyPossibleFactor: { ...QUANTITY, description: "Share of the bandwidth below which pre-copy counts as possible." },
    searchLocalMinima: { ...{ type: 'boolean' }, description: "Switches over when little memory is left for a moment." },
    stallMargin: { ...{ type: 'integer', format: 'int64' }, description: "Percent of progress below which a migration counts as stalled.", maximum: 100, minimum: 0 },
    stallProgressTimeout: { ...{ type: 'integer', format: 'int64' }, description: "Seconds without progress after which it counts as stalled.", minimum: 0 },
    switchoverTimeout: { ...{ type: 'integer', format: 'int64' }, description: "Seconds that the switch to the target may take.", minimum: 0 },
  },
};

const MigrationExperimental: JSONSchemaProps = {
  type: 'object',
  description: "Settings that may still change.",
  properties: {
    compression: { ...{ type: 'string', enum: ["none", "zstd"] }, description: "Compression of the data: none or zstd." },
    downtimeTuning: { ...DowntimeTuning, description: "Raises the allowed downtime step by step." },
    stallDetector: { ...StallDetector, description: "Notices a migration that cannot end." },
  },
};

const MigrationConfiguration: JSONSchemaProps = {
  type: 'object',
  description: "Settings of one migration: those of the cluster, as policies and the migration itself have changed them.",
  properties: {
    allowAutoConverge: { ...{ type: 'boolean' }, description: "Slows a guest down when it changes memory faster than it can be moved." },
    allowPostCopy: { ...{ type: 'boolean' }, description: "Lets guests run on the target before all memory is there." },
    allowWorkloadDisruption: { ...{ type: 'boolean' }, description: "Lets a migration that does not end pause its guest; follows allowPostCopy when unset." },
    bandwidthPerMigration: { ...QUANTITY, description: "Bytes a second that a migration may use; 0 is no limit." },
    completionTimeoutPerGiB: { ...{ type: 'integer', format: 'int64' }, description: "Seconds for each GiB of memory and disk before a migration is forced or aborted; 150 when unset." },
    disableTLS: { ...{ type: 'boolean' }, description: "Moves the data unencrypted." },
    experimental: { ...MigrationExperimental, description: "Settings that may still change." },
    matchSELinuxLevelOnMigration: { ...{ type: 'boolean' }, description: "Gives target Pods the SELinux level of the source." },
    maxDowntimeMs: { ...{ type: 'integer', format: 'int64' }, description: "Milliseconds that a guest may stand still at the end; 900 when unset.", maximum: 2000000, minimum: 1 },
    network: { ...{ type: 'string' }, description: "NetworkAttachmentDefinition of the network that carries the data." },
    nodeDrainTaintKey: { ...{ type: 'string' }, description: "Taint that makes guests leave a node." },
    parallelMigrationsPerCluster: { ...{ type: 'integer', format: 'int32' }, description: "Migrations that run at once in the cluster; 5 when unset." },
    parallelOutboundMigrationsPerNode: { ...{ type: 'integer', format: 'int32' }, description: "Migrations that leave a node at once; 2 when unset." },
    progressTimeout: { ...{ type: 'integer', format: 'int64' }, description: "Seconds without progress after which a migration is aborted; 150 when unset." },
    unsafeMigrationOverride: { ...{ type: 'boolean' }, description: "Migrates also guests with disks that other nodes may not see alike." },
    utilityVolumesTimeout: { ...{ type: 'integer', format: 'int64' }, description: "Seconds to wait for utility volumes to be detached; 150 when unset." },
  },
};

const MigrationSourceState: JSONSchemaProps = {
  type: 'object',
  description: "The source of a migration between clusters.",
  properties: {
    domainName: { ...{ type: 'string' }, description: "Name of the guest on the source." },
    domainNamespace: { ...{ type: 'string' }, description: "Namespace of the guest on the source." },
    migrationUID: { ...{ type: 'string' }, description: "UID of the migration object on the source." },
    node: { ...{ type: 'string' }, description: "Node that the guest leaves." },
    nodeSelectors: { ...{ type: 'object', additionalProperties: { type: 'string' } }, description: "Labels that the new node must have." },
    persistentStatePVCName: { ...{ type: 'string' }, description: "Claim with the guest's TPM and EFI state." },
    pod: { ...{ type: 'string' }, description: "Launcher Pod that the guest leaves." },
    selinuxContext: { ...{ type: 'string' }, description: "SELinux context of the Pod." },
    syncAddress: { ...{ type: 'string' }, description: "Address of the source's synchronization controller." },
    virtualMachineInstanceUID: { ...{ type: 'string' }, description: "UID of the instance on the source." },
  },
};

const MigrationTargetState: JSONSchemaProps = {
  type: 'object',
  description: "The target of a migration between clusters.",
  properties: {
    attachmentPodUID: { ...{ type: 'string' }, description: "Pod that holds plugged volumes." },
    cpuSet: { ...{ type: 'array', items: { type: 'integer' } }, description: "CPUs that the guest is pinned to.", 'x-kubernetes-list-type': "atomic" },
    directMigrationNodePorts: { ...{ type: 'object', additionalProperties: { type: 'integer' } }, description: "Ports of the target, with what each is for." },
    domainDetected: { ...{ type: 'boolean' }, description: "True when the guest was seen on the target." },
    domainName: { ...{ type: 'string' }, description: "Name of the guest on the target." },
    domainNamespace: { ...{ type: 'string' }, description: "Namespace of the guest on the target." },
    domainReadyTimestamp: { ...{ type: 'string', format: 'date-time' }, description: "When the guest ran on the target." },
    migrationUID: { ...{ type: 'string' }, description: "UID of the migration object on the target." },
    node: { ...{ type: 'string' }, description: "Node that the guest goes to." },
    nodeAddress: { ...{ type: 'string' }, description: "Address of the target." },
    nodeTopology: { ...{ type: 'string' }, description: "CPU topology of the target, as JSON." },
    persistentStatePVCName: { ...{ type: 'string' }, description: "Claim with the guest's TPM and EFI state." },
    pod: { ...{ type: 'string' }, description: "Launcher Pod that the guest goes to." },
    selinuxContext: { ...{ type: 'string' }, description: "SELinux context of the Pod." },
    syncAddress: { ...{ type: 'string' }, description: "Address of the target's synchronization controller." },
    virtualMachineInstanceUID: { ...{ type: 'string' }, description: "UID of the instance on the target." },
  },
};

const MigrationState: JSONSchemaProps = {
  type: 'object',
  description: "A migration as source and target see it.",
  properties: {
    abortRequested: { ...{ type: 'boolean' }, description: "True when the migration is to be aborted." },
    abortStatus: { ...{ type: 'string' }, description: "How the abort went: Succeeded, Failed or Aborting." },
    completed: { ...{ type: 'boolean' }, description: "True when it ended, well or not." },
    endTimestamp: { ...{ type: 'string', format: 'date-time' }, description: "When it ended.", nullable: true },
    failed: { ...{ type: 'boolean' }, description: "True when it failed." },
    failureReason: { ...{ type: 'string' }, description: "Why it failed." },
    migrationConfiguration: { ...MigrationConfiguration, description: "The settings that this migration was started with." },
    migrationNetworkType: { ...{ type: 'string' }, description: "Network that carries the data: pod or migration." },
    migrationPolicyName: { ...{ type: 'string' }, description: "MigrationPolicy that applied." },
    migrationUid: { ...{ type: 'string' }, description: "UID of the migration object." },
    mode: { ...{ type: 'string' }, description: "PreCopy, PostCopy or Paused." },
    sourceNode: { ...{ type: 'string' }, description: "Node that the guest leaves." },
    sourcePersistentStatePVCName: { ...{ type: 'string' }, description: "Claim with the guest's TPM and EFI state on the source." },
    sourcePod: { ...{ type: 'string' }, description: "Launcher Pod that the guest leaves." },
    sourceState: { ...MigrationSourceState, description: "The source, for a migration between clusters." },
    startTimestamp: { ...{ type: 'string', format: 'date-time' }, description: "When the data began to move.", nullable: true },
    targetAttachmentPodUID: { ...{ type: 'string' }, description: "Pod that holds plugged volumes on the target." },
    targetCPUSet: { ...{ type: 'array', items: { type: 'integer' } }, description: "CPUs that the guest is pinned to on the target.", 'x-kubernetes-list-type': "atomic" },
    targetDirectMigrationNodePorts: { ...{ type: 'object', additionalProperties: { type: 'integer' } }, description: "Ports of the target, with what each is for." },
    targetMemoryOverhead: { ...QUANTITY, description: "Memory that the target Pod needs beyond the guest's." },
    targetNode: { ...{ type: 'string' }, description: "Node that the guest goes to." },
    targetNodeAddress: { ...{ type: 'string' }, description: "Address of the target." },
    targetNodeDomainDetected: { ...{ type: 'boolean' }, description: "True when the guest was seen on the target." },
    targetNodeDomainReadyTimestamp: { ...{ type: 'string', format: 'date-time' }, description: "When the guest ran on the target." },
    targetNodeTopology: { ...{ type: 'string' }, description: "CPU topology of the target, as JSON." },
    targetPersistentStatePVCName: { ...{ type: 'string' }, description: "Claim with the guest's TPM and EFI state on the target." },
    targetPod: { ...{ type: 'string' }, description: "Launcher Pod that the guest goes to." },
    targetState: { ...MigrationTargetState, description: "The target, for a migration between clusters." },
  },
};

const PhaseTransitionTimestamp: JSONSchemaProps = {
  type: 'object',
  description: "When a phase was first reached.",
  properties: {
    phase: { ...{ type: 'string' }, description: "The phase." },
    phaseTransitionTimestamp: { ...{ type: 'string', format: 'date-time' }, description: "The time." },
  },
};

const TopologyHints: JSONSchemaProps = {
  type: 'object',
  description: "Needs of the guest that limit where it can run.",
  properties: {
    tscFrequency: { ...{ type: 'integer', format: 'int64' }, description: "Frequency of the time stamp counter in Hz." },
  },
};

const HotplugVolumeStatus: JSONSchemaProps = {
  type: 'object',
  description: "A volume that was plugged.",
  properties: {
    attachPodName: { ...{ type: 'string' }, description: "Pod that holds the volume on the node." },
    attachPodUID: { ...{ type: 'string' }, description: "UID of that Pod." },
  },
};

const MemoryDumpVolumeInfo: JSONSchemaProps = {
  type: 'object',
  description: "A volume that receives a memory dump.",
  properties: {
    claimName: { ...{ type: 'string' }, description: "Claim of the volume." },
    endTimestamp: { ...{ type: 'string', format: 'date-time' }, description: "When the dump ended." },
    startTimestamp: { ...{ type: 'string', format: 'date-time' }, description: "When the dump began." },
    targetFileName: { ...{ type: 'string' }, description: "File that holds the dump." },
  },
};

const VolumeStatus: JSONSchemaProps = {
  type: 'object',
  description: "A volume as it is found.",
  required: ['name', 'target'],
  properties: {
    containerDiskVolume: { ...ChecksumInfo, description: "Checksum of a disk from an image." },
    hotplugVolume: { ...HotplugVolumeStatus, description: "Set for a volume that was plugged." },
    memoryDumpVolume: { ...MemoryDumpVolumeInfo, description: "Set for a volume that receives a memory dump." },
    message: { ...{ type: 'string' }, description: "What happened, for people." },
    name: { ...{ type: 'string' }, description: "Name of the volume." },
    persistentVolumeClaimInfo: { ...PersistentVolumeClaimInfo, description: "What is known of the claim." },
    phase: { ...{ type: 'string' }, description: "Pending, Bound, AttachedToNode, MountedToPod, Ready, Detaching or UnMountedFromPod, or the phase of a dump." },
    reason: { ...{ type: 'string' }, description: "Why, in one word." },
    size: { ...{ type: 'integer', format: 'int64' }, description: "Size in bytes." },
    target: { ...{ type: 'string' }, description: "Device in the guest, such as vda." },
  },
};

const VMIStatus: JSONSchemaProps = {
  type: 'object',
  description: "What is known of a guest.",
  properties: {
    VSOCKCID: { ...{ type: 'integer', format: 'int64' }, description: "Address of the guest on VSOCK.", maximum: 4294967295, minimum: 0 },
    activePods: { ...{ type: 'object', additionalProperties: { type: 'string' } }, description: "Launcher Pods that live, by UID, with their nodes." },
    changedBlockTracking: { ...ChangedBlockTrackingStatus, description: "Whether changed blocks are tracked for incremental backups.", nullable: true },
    conditions: { ...{ type: 'array', items: VMICondition }, description: "Ready, LiveMigratable, Paused, AgentConnected and other conditions." },
    currentCPUTopology: { ...CPUTopology, description: "CPUs that the guest has now." },
    evacuationNodeName: { ...{ type: 'string' }, description: "Node that the guest is to leave." },
    fsFreezeStatus: { ...{ type: 'string' }, description: "frozen while the guest's filesystems are frozen." },
    guestOSInfo: { ...GuestOSInfo, description: "What the guest agent says of the operating system." },
    hibernation: { ...VMIHibernation, description: "How the hibernation of this guest, or its waking, went. Podvisor's own.", nullable: true },
    interfaces: { ...{ type: 'array', items: InterfaceStatus }, description: "Interfaces with their addresses." },
    kernelBootStatus: { ...KernelBootStatus, description: "Checksums of a kernel from an image." },
    launcherContainerImageVersion: { ...{ type: 'string' }, description: "Image of the launcher." },
    machine: { ...Machine, description: "Machine type that the guest was started with." },
    memory: { ...MemoryStatus, description: "Memory that the guest has and may get." },
    memorySnapshot: { ...VMIMemorySnapshot, description: "How a snapshot of this guest's memory goes. Podvisor's own.", nullable: true },
    migratedVolumes: { ...{ type: 'array', items: MigratedVolume }, description: "Volumes whose data is being moved.", 'x-kubernetes-list-type': "atomic" },
    migrationMethod: { ...{ type: 'string' }, description: "LiveMigration, or BlockMigration when disks are copied too." },
    migrationState: { ...MigrationState, description: "The last migration, or the one under way." },
    migrationTransport: { ...{ type: 'string' }, description: "How migration data travels: Unix." },
    nodeName: { ...{ type: 'string' }, description: "Node that runs the guest." },
    phase: { ...{ type: 'string' }, description: "Pending, Scheduling, Scheduled, Running, Succeeded, Failed, WaitingForSync or Unknown." },
    phaseTransitionTimestamps: { ...{ type: 'array', items: PhaseTransitionTimestamp }, description: "When each phase was first reached.", 'x-kubernetes-list-type': "atomic" },
    qosClass: { ...{ type: 'string' }, description: "Quality of service of the Pod." },
    reason: { ...{ type: 'string' }, description: "Why the instance is in its phase, in one word." },
    runtimeUser: { ...{ type: 'integer', format: 'int64' }, description: "User that QEMU runs as: 107, or 0 for root." },
    selinuxContext: { ...{ type: 'string' }, description: "SELinux context of the Pod, or none." },
    topologyHints: { ...TopologyHints, description: "Needs of the guest that limit where it can run." },
    virtualMachineRevisionName: { ...{ type: 'string' }, description: "ControllerRevision with the VM spec that this instance was started from." },
    volumeStatus: { ...{ type: 'array', items: VolumeStatus }, description: "State of every volume.", 'x-kubernetes-list-type': "atomic" },
  },
};

const VirtualMachineInstance: JSONSchemaProps = {
  type: 'object',
  description: "A running guest, or one that is about to run: one instance, one launcher Pod, one QEMU process.",
  required: ['spec'],
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "The version of the schema that this object is written in." },
    kind: { ...{ type: 'string' }, description: "The kind of resource that this object is." },
    metadata: { type: 'object' },
    spec: { ...VMISpec, description: "What runs. Fixed at creation, apart from what can be plugged." },
    status: { ...VMIStatus, description: "What is known of the guest; written by Podvisor." },
  },
};

const VMIMigrationReceive: JSONSchemaProps = {
  type: 'object',
  description: "Receives a guest from another cluster.",
  required: ['migrationID'],
  properties: {
    migrationID: { ...{ type: 'string' }, description: "Name that both clusters know the migration by." },
  },
};

const VMIMigrationSendTo: JSONSchemaProps = {
  type: 'object',
  description: "Sends a guest to another cluster.",
  required: ['connectURL', 'migrationID'],
  properties: {
    connectURL: { ...{ type: 'string' }, description: "Address of the other cluster's synchronization controller." },
    migrationID: { ...{ type: 'string' }, description: "Name that both clusters know the migration by." },
  },
};

const VMIMigrationSpec: JSONSchemaProps = {
  type: 'object',
  description: "Which guest to move, and where.",
  properties: {
    addedNodeSelector: { ...{ type: 'object', additionalProperties: { type: 'string' } }, description: "Labels that the new node must have, beside those of the guest." },
    priority: { ...{ type: 'string' }, description: "Who goes first: system-critical, user-triggered or system-maintenance; set by virt-controller only." },
    receive: { ...VMIMigrationReceive, description: "Receives a guest from another cluster." },
    sendTo: { ...VMIMigrationSendTo, description: "Sends the guest to another cluster." },
    vmiName: { ...{ type: 'string' }, description: "Name of the instance to move." },
  },
};

const VMIMigrationStatus: JSONSchemaProps = {
  type: 'object',
  description: "How far a migration is.",
  properties: {
    conditions: { ...{ type: 'array', items: VMICondition }, description: "Abort requests, quota refusals and other conditions." },
    migrationState: { ...MigrationState, description: "The migration as the guest knew it, kept after its end." },
    phase: { ...{ type: 'string' }, description: "Pending, Scheduling, Scheduled, PreparingTarget, TargetReady, Running, Succeeded, Failed, WaitingForSync or Synchronizing." },
    phaseTransitionTimestamps: { ...{ type: 'array', items: PhaseTransitionTimestamp }, description: "When each phase was first reached.", 'x-kubernetes-list-type': "atomic" },
    synchronizationAddresses: { ...{ type: 'array', items: { type: 'string' } }, description: "Addresses at which another cluster finds this one.", 'x-kubernetes-list-type': "atomic" },
  },
};

const VirtualMachineInstanceMigration: JSONSchemaProps = {
  type: 'object',
  description: "Moves a running guest to another node; deleting it aborts the migration.",
  required: ['spec'],
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "The version of the schema that this object is written in." },
    kind: { ...{ type: 'string' }, description: "The kind of resource that this object is." },
    metadata: { type: 'object' },
    spec: { ...VMIMigrationSpec, description: "Which guest to move, and where." },
    status: { ...VMIMigrationStatus, description: "How far the migration is." },
  },
};

const VirtualMachineInstanceReplicaSetSpec: JSONSchemaProps = {
  type: 'object',
  description: "How many instances, and what they are.",
  required: ['selector', 'template'],
  properties: {
    paused: { ...{ type: 'boolean' }, description: "Stops counting: nothing is created or deleted." },
    replicas: { ...{ type: 'integer', format: 'int32' }, description: "Number of instances; 1 when unset." },
    selector: { ...LabelSelector, description: "Labels by which the instances are found." },
    template: { ...VMITemplate, description: "What the instances are." },
  },
};

const VirtualMachineInstanceReplicaSetStatus: JSONSchemaProps = {
  type: 'object',
  description: "How many instances there are.",
  properties: {
    conditions: { ...{ type: 'array', items: VMICondition }, description: "ReplicaFailure and ReplicaPaused." },
    labelSelector: { ...{ type: 'string' }, description: "The selector as text, for autoscalers." },
    readyReplicas: { ...{ type: 'integer', format: 'int32' }, description: "Instances that are ready." },
    replicas: { ...{ type: 'integer', format: 'int32' }, description: "Instances that exist." },
  },
};

const VirtualMachineInstanceReplicaSet: JSONSchemaProps = {
  type: 'object',
  description: "Keeps a number of equal instances running.",
  required: ['spec'],
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "The version of the schema that this object is written in." },
    kind: { ...{ type: 'string' }, description: "The kind of resource that this object is." },
    metadata: { type: 'object' },
    spec: { ...VirtualMachineInstanceReplicaSetSpec, description: "How many instances, and what they are." },
    status: { ...VirtualMachineInstanceReplicaSetStatus, description: "How many there are.", nullable: true },
  },
};

const VirtualMachineInstancePresetSpec: JSONSchemaProps = {
  type: 'object',
  description: "What is filled in, and where.",
  required: ['selector'],
  properties: {
    domain: { ...DomainSpec, description: "The parts that are filled in." },
    selector: { ...LabelSelector, description: "Labels of the instances that it applies to." },
  },
};

const VirtualMachineInstancePreset: JSONSchemaProps = {
  type: 'object',
  description: "Deprecated: fills gaps of new instances; use instance types and preferences.",
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "The version of the schema that this object is written in." },
    kind: { ...{ type: 'string' }, description: "The kind of resource that this object is." },
    metadata: { type: 'object' },
    spec: { ...VirtualMachineInstancePresetSpec, description: "What is filled in, and where." },
  },
};

const PoolAutohealing: JSONSchemaProps = {
  type: 'object',
  description: "Replaces machines that do not start.",
  properties: {
    minFailingToStartDuration: { ...{ type: 'string' }, description: "How long a machine must fail." },
    startUpFailureThreshold: { ...{ type: 'integer', format: 'int32' }, description: "How often a machine must fail.", minimum: 1 },
  },
};

const PoolNameGeneration: JSONSchemaProps = {
  type: 'object',
  description: "How names inside the machines of a pool are made.",
  properties: {
    appendIndexToConfigMapRefs: { ...{ type: 'boolean' }, description: "Adds the machine's number to names of ConfigMaps." },
    appendIndexToSecretRefs: { ...{ type: 'boolean' }, description: "Adds the machine's number to names of Secrets." },
  },
};

const PoolOpportunisticScaleIn: JSONSchemaProps = {
  type: 'object',
  description: "Machines go when they are stopped anyway.",
  properties: {
    statePreservation: { ...{ type: 'string', enum: ["Disabled", "Offline", "Online"] }, description: "What is kept of them: Disabled, Offline or Online." },
  },
};

const PoolSelectors: JSONSchemaProps = {
  type: 'object',
  description: "Machines that go before all others.",
  properties: {
    labelSelector: { ...LabelSelector, description: "Labels of the machines." },
    nodeSelectorRequirementMatcher: { ...{ type: 'array', items: SelectorRequirement }, description: "Labels of their nodes." },
  },
};

const PoolSelectionPolicy: JSONSchemaProps = {
  type: 'object',
  description: "Which machines go first.",
  properties: {
    selectors: { ...PoolSelectors, description: "Machines that go before all others." },
    sortPolicy: { ...{ type: 'string', enum: ["AscendingOrder", "DescendingOrder", "Newest", "Oldest", "Random"] }, description: "Order among equals: Random, Newest, Oldest, AscendingOrder or DescendingOrder." },
  },
};

const PoolProactiveScaleIn: JSONSchemaProps = {
  type: 'object',
  description: "Machines are chosen and deleted.",
  properties: {
    selectionPolicy: { ...PoolSelectionPolicy, description: "Which machines go first." },
    statePreservation: { ...{ type: 'string', enum: ["Disabled", "Offline", "Online"] }, description: "What is kept of them: Disabled, Offline or Online." },
  },
};

const PoolScaleInStrategy: JSONSchemaProps = {
  type: 'object',
  description: "Which machines go when there are too many; one is set.",
  properties: {
    opportunistic: { ...PoolOpportunisticScaleIn, description: "Machines go when they are stopped anyway." },
    proactive: { ...PoolProactiveScaleIn, description: "Machines are chosen and deleted." },
    unmanaged: { ...{ type: 'object' }, description: "Nobody goes; the user deletes." },
  },
};

const PoolProactiveUpdate: JSONSchemaProps = {
  type: 'object',
  description: "Machines are restarted with the new template.",
  properties: {
    selectionPolicy: { ...PoolSelectionPolicy, description: "Which machines go first." },
  },
};

const PoolUpdateStrategy: JSONSchemaProps = {
  type: 'object',
  description: "How a changed template reaches machines; one is set.",
  properties: {
    opportunistic: { ...{ type: 'object' }, description: "When they restart anyway." },
    proactive: { ...PoolProactiveUpdate, description: "At once, by restarting them." },
    unmanaged: { ...{ type: 'object' }, description: "Never; the user restarts and recreates." },
  },
};

const VirtualMachineTemplateSpec: JSONSchemaProps = {
  type: 'object',
  description: "Metadata and spec of the machines that are made from it.",
  properties: {
    metadata: { ...{ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, description: "Labels and annotations that every machine gets.", nullable: true },
    spec: { ...VMSpec, description: "The spec of every machine." },
  },
};

const VirtualMachinePoolSpec: JSONSchemaProps = {
  type: 'object',
  description: "How many machines, and what they are.",
  required: ['selector', 'virtualMachineTemplate'],
  properties: {
    autohealing: { ...PoolAutohealing, description: "Replaces machines that do not start." },
    identityless: { ...{ type: 'boolean' }, description: "Warm copies go on as the guest that was copied, with its host name, machine id and keys. Podvisor's own." },
    maxUnavailable: { ...INT_OR_STRING, description: "How many machines may be down during an update, as a number or percentage." },
    nameGeneration: { ...PoolNameGeneration, description: "How names inside the machines are made." },
    paused: { ...{ type: 'boolean' }, description: "Stops counting: nothing is created, changed or deleted." },
    replicas: { ...{ type: 'integer', format: 'int32' }, description: "Number of machines; 1 when unset.", minimum: 0 },
    scaleInStrategy: { ...PoolScaleInStrategy, description: "Which machines go when there are too many." },
    selector: { ...LabelSelector, description: "Labels by which the machines are found." },
    source: { ...TypedLocalObjectReference, description: "The VirtualMachineSnapshot with memory that every machine is a warm copy of. Podvisor's own." },
    updateStrategy: { ...PoolUpdateStrategy, description: "How a changed template reaches the machines." },
    virtualMachineTemplate: { ...VirtualMachineTemplateSpec, description: "What the machines are." },
    warm: { ...{ type: 'boolean' }, description: "Machines go on from the memory of `source`, instead of booting. Podvisor's own." },
  },
};

const VirtualMachinePoolStatus: JSONSchemaProps = {
  type: 'object',
  description: "How many machines there are.",
  properties: {
    conditions: { ...{ type: 'array', items: VMICondition }, description: "ReplicaFailure, ReplicaPaused and other conditions.", 'x-kubernetes-list-type': "atomic" },
    labelSelector: { ...{ type: 'string' }, description: "The selector as text, for autoscalers." },
    readyReplicas: { ...{ type: 'integer', format: 'int32' }, description: "Machines that are ready." },
    replicas: { ...{ type: 'integer', format: 'int32' }, description: "Machines that exist." },
  },
};

const VirtualMachinePool: JSONSchemaProps = {
  type: 'object',
  description: "Keeps a number of equal virtual machines.",
  required: ['spec'],
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "The version of the schema that this object is written in." },
    kind: { ...{ type: 'string' }, description: "The kind of resource that this object is." },
    metadata: { type: 'object' },
    spec: { ...VirtualMachinePoolSpec, description: "How many machines, and what they are." },
    status: { ...VirtualMachinePoolStatus, description: "How many there are." },
  },
};

const VirtualMachineSnapshotSpec: JSONSchemaProps = {
  type: 'object',
  description: "What is snapshotted.",
  required: ['source'],
  properties: {
    deletionPolicy: { ...{ type: 'string' }, description: "Whether the content goes with the snapshot: Delete (default) or Retain." },
    failureDeadline: { ...{ type: 'string' }, description: "Time after which the snapshot has failed; 5m when unset, 0 for never." },
    includeMemory: { ...{ type: 'boolean' }, description: "Takes the memory of the running guest too, of the same instant as its volumes: a restore then goes on from there. Podvisor's own." },
    source: { ...TypedLocalObjectReference, description: "The virtual machine." },
  },
};

const SnapshotError: JSONSchemaProps = {
  type: 'object',
  description: "An error.",
  properties: {
    message: { ...{ type: 'string' }, description: "What happened." },
    time: { ...{ type: 'string', format: 'date-time' }, description: "When." },
  },
};

const SnapshotMemory: JSONSchemaProps = {
  type: 'object',
  description: "The memory in a snapshot.",
  required: ['claimName'],
  properties: {
    claimName: { ...{ type: 'string' }, description: "Claim that holds it, encrypted." },
    pauseMilliseconds: { ...{ type: 'integer', format: 'int64' }, description: "How long the guest stood still." },
    sizeBytes: { ...{ type: 'integer', format: 'int64' }, description: "Bytes that it takes." },
  },
};

const SnapshotVolumes: JSONSchemaProps = {
  type: 'object',
  description: "Which volumes are in a snapshot.",
  properties: {
    excludedVolumes: { ...{ type: 'array', items: { type: 'string' } }, description: "Volumes that cannot be snapshotted.", 'x-kubernetes-list-type': "set" },
    includedVolumes: { ...{ type: 'array', items: { type: 'string' } }, description: "Volumes that are in it.", 'x-kubernetes-list-type': "set" },
  },
};

const SourceIndication: JSONSchemaProps = {
  type: 'object',
  description: "Something special about the source.",
  required: ['indication', 'message'],
  properties: {
    indication: { ...{ type: 'string' }, description: "Its name." },
    message: { ...{ type: 'string' }, description: "What it means." },
  },
};

const VirtualMachineSnapshotStatus: JSONSchemaProps = {
  type: 'object',
  description: "How far a snapshot is.",
  properties: {
    conditions: { ...{ type: 'array', items: VMICondition }, description: "Ready, Progressing and Failure.", 'x-kubernetes-list-type': "atomic" },
    creationTime: { ...{ type: 'string', format: 'date-time' }, description: "When the snapshot was taken.", nullable: true },
    error: { ...SnapshotError, description: "The last error." },
    indications: { ...{ type: 'array', items: { type: 'string' } }, description: "Old form of sourceIndications.", 'x-kubernetes-list-type': "set" },
    memory: { ...SnapshotMemory, description: "The memory of the guest, where it was asked for. Podvisor's own.", nullable: true },
    phase: { ...{ type: 'string' }, description: "InProgress, Succeeded, Failed, Deleting or Unknown." },
    readyToUse: { ...{ type: 'boolean' }, description: "Whether it can be restored." },
    snapshotVolumes: { ...SnapshotVolumes, description: "Which volumes are in it." },
    sourceIndications: { ...{ type: 'array', items: SourceIndication }, description: "What was special: Online, GuestAgent, NoGuestAgent, QuiesceTimeout, Paused.", 'x-kubernetes-list-type': "atomic" },
    sourceUID: { ...{ type: 'string' }, description: "UID of the machine." },
    virtualMachineSnapshotContentName: { ...{ type: 'string' }, description: "Object that holds the content." },
  },
};

const VirtualMachineSnapshot: JSONSchemaProps = {
  type: 'object',
  description: "A snapshot of a virtual machine: its spec and its volumes.",
  required: ['spec'],
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "The version of the schema that this object is written in." },
    kind: { ...{ type: 'string' }, description: "The kind of resource that this object is." },
    metadata: { type: 'object' },
    spec: { ...VirtualMachineSnapshotSpec, description: "What is snapshotted." },
    status: { ...VirtualMachineSnapshotStatus, description: "How far the snapshot is." },
  },
};

const MemoryBackup: JSONSchemaProps = {
  type: 'object',
  description: "The memory of a guest in a snapshot.",
  required: ['claimName', 'vmiUID'],
  properties: {
    claimName: { ...{ type: 'string' }, description: "Claim that holds it, encrypted." },
    hasGuestAgent: { ...{ type: 'boolean' }, description: "True when the agent of the guest answered: copies can be given an identity of their own." },
    interfaces: { ...{ type: 'array', items: HibernatedInterface }, description: "MAC addresses that the guest knows its interfaces by.", 'x-kubernetes-list-type': "atomic" },
    vmiUID: { ...{ type: 'string' }, description: "The instance whose memory it is." },
  },
};

const SnapshotVirtualMachine: JSONSchemaProps = {
  type: 'object',
  description: "A virtual machine at the time of the snapshot.",
  properties: {
    metadata: { ...{ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, description: "Its metadata.", nullable: true },
    spec: { ...VMSpec, description: "Its spec." },
    status: { ...VMStatus, description: "Its status." },
  },
};

const SnapshotContentSource: JSONSchemaProps = {
  type: 'object',
  description: "What was snapshotted.",
  properties: {
    virtualMachine: { ...SnapshotVirtualMachine, description: "The virtual machine." },
  },
};

const SnapshotPersistentVolumeClaim: JSONSchemaProps = {
  type: 'object',
  description: "A claim at the time of the snapshot.",
  properties: {
    metadata: { ...{ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, description: "Its metadata." },
    spec: { ...PersistentVolumeClaimSpec, description: "Its spec." },
  },
};

const VolumeBackup: JSONSchemaProps = {
  type: 'object',
  description: "A volume in a snapshot.",
  required: ['persistentVolumeClaim', 'volumeName'],
  properties: {
    persistentVolumeClaim: { ...SnapshotPersistentVolumeClaim, description: "Its claim." },
    volumeName: { ...{ type: 'string' }, description: "Its name." },
    volumeSnapshotName: { ...{ type: 'string' }, description: "The VolumeSnapshot that holds its data." },
  },
};

const VirtualMachineSnapshotContentSpec: JSONSchemaProps = {
  type: 'object',
  description: "The machine and its volumes at the time of the snapshot.",
  required: ['source'],
  properties: {
    memoryBackup: { ...MemoryBackup, description: "The memory of the guest, where it was asked for. Podvisor's own.", nullable: true },
    source: { ...SnapshotContentSource, description: "The machine." },
    virtualMachineSnapshotName: { ...{ type: 'string' }, description: "The snapshot that this content belongs to." },
    volumeBackups: { ...{ type: 'array', items: VolumeBackup }, description: "The volumes.", 'x-kubernetes-list-type': "atomic" },
  },
};

const VolumeSnapshotStatus: JSONSchemaProps = {
  type: 'object',
  description: "State of a VolumeSnapshot.",
  required: ['volumeSnapshotName'],
  properties: {
    creationTime: { ...{ type: 'string', format: 'date-time' }, description: "When it was taken.", nullable: true },
    error: { ...SnapshotError, description: "The last error." },
    readyToUse: { ...{ type: 'boolean' }, description: "Whether it can be restored." },
    volumeSnapshotName: { ...{ type: 'string' }, description: "Its name." },
  },
};

const VirtualMachineSnapshotContentStatus: JSONSchemaProps = {
  type: 'object',
  description: "Whether the content of a snapshot can be restored.",
  properties: {
    creationTime: { ...{ type: 'string', format: 'date-time' }, description: "When the snapshot was taken.", nullable: true },
    error: { ...SnapshotError, description: "The last error." },
    readyToUse: { ...{ type: 'boolean' }, description: "Whether it can be restored." },
    volumeSnapshotStatus: { ...{ type: 'array', items: VolumeSnapshotStatus }, description: "State of every VolumeSnapshot.", 'x-kubernetes-list-type': "atomic" },
  },
};

const VirtualMachineSnapshotContent: JSONSchemaProps = {
  type: 'object',
  description: "The content of a snapshot.",
  required: ['spec'],
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "The version of the schema that this object is written in." },
    kind: { ...{ type: 'string' }, description: "The kind of resource that this object is." },
    metadata: { type: 'object' },
    spec: { ...VirtualMachineSnapshotContentSpec, description: "The machine and its volumes." },
    status: { ...VirtualMachineSnapshotContentStatus, description: "Whether it can be restored." },
  },
};

const VolumeRestoreOverride: JSONSchemaProps = {
  type: 'object',
  description: "Name, labels and annotations of a restored volume.",
  properties: {
    annotations: { ...{ type: 'object', additionalProperties: { type: 'string' } }, description: "Annotations of the new claim." },
    labels: { ...{ type: 'object', additionalProperties: { type: 'string' } }, description: "Labels of the new claim." },
    restoreName: { ...{ type: 'string' }, description: "Name of the new claim." },
    volumeName: { ...{ type: 'string' }, description: "Volume in the snapshot." },
  },
};

const VirtualMachineRestoreSpec: JSONSchemaProps = {
  type: 'object',
  description: "Which machine, and which snapshot.",
  required: ['target', 'virtualMachineSnapshotName'],
  properties: {
    discardMemory: { ...{ type: 'boolean' }, description: "Leaves the memory of the snapshot alone: the restored machine boots. Podvisor's own." },
    newIdentity: { ...{ type: 'boolean' }, description: "The guest gets a host name, machine id, SSH host keys, entropy and time of its own through its agent when it goes on from the memory of the snapshot. Podvisor's own." },
    patches: { ...{ type: 'array', items: { type: 'string' } }, description: "JSON patches of the restored machine, one object each.", 'x-kubernetes-list-type': "atomic" },
    target: { ...TypedLocalObjectReference, description: "The machine to restore; another one is made when it does not exist." },
    targetReadinessPolicy: { ...{ type: 'string', enum: ["StopTarget", "WaitGracePeriod", "FailImmediate", "WaitEventually"] }, description: "What happens while the machine runs: StopTarget, WaitGracePeriod (default), FailImmediate or WaitEventually.", default: "WaitGracePeriod" },
    virtualMachineSnapshotName: { ...{ type: 'string' }, description: "The snapshot." },
    volumeOwnershipPolicy: { ...{ type: 'string' }, description: "Who owns the restored volumes: Vm (default) or None." },
    volumeRestoreOverrides: { ...{ type: 'array', items: VolumeRestoreOverride }, description: "Names, labels and annotations of restored volumes.", 'x-kubernetes-list-type': "atomic" },
    volumeRestorePolicy: { ...{ type: 'string' }, description: "How restored volumes are named: RandomizeNames (default), InPlace or PrefixTargetName." },
  },
};

const VolumeRestore: JSONSchemaProps = {
  type: 'object',
  description: "A restored volume.",
  required: ['persistentVolumeClaim', 'volumeName', 'volumeSnapshotName'],
  properties: {
    dataVolumeName: { ...{ type: 'string' }, description: "DataVolume that was made for it." },
    persistentVolumeClaim: { ...{ type: 'string' }, description: "Its new claim." },
    volumeName: { ...{ type: 'string' }, description: "Its name." },
    volumeSnapshotName: { ...{ type: 'string' }, description: "The VolumeSnapshot that it came from." },
  },
};

const VirtualMachineRestoreStatus: JSONSchemaProps = {
  type: 'object',
  description: "How far a restore is.",
  properties: {
    complete: { ...{ type: 'boolean' }, description: "True when it is done." },
    conditions: { ...{ type: 'array', items: VMICondition }, description: "Ready, Progressing and Failure.", 'x-kubernetes-list-type': "atomic" },
    deletedDataVolumes: { ...{ type: 'array', items: { type: 'string' } }, description: "DataVolumes that the restore replaced.", 'x-kubernetes-list-type': "set" },
    memoryPrepared: { ...{ type: 'boolean' }, description: "True when the machine has the memory that it goes on from; from then on it is never given it again." },
    restoreTime: { ...{ type: 'string', format: 'date-time' }, description: "When it was done." },
    restores: { ...{ type: 'array', items: VolumeRestore }, description: "The restored volumes.", 'x-kubernetes-list-type': "atomic" },
  },
};

const VirtualMachineRestore: JSONSchemaProps = {
  type: 'object',
  description: "Puts a virtual machine back to a snapshot.",
  required: ['spec'],
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "The version of the schema that this object is written in." },
    kind: { ...{ type: 'string' }, description: "The kind of resource that this object is." },
    metadata: { type: 'object' },
    spec: { ...VirtualMachineRestoreSpec, description: "Which machine, and which snapshot." },
    status: { ...VirtualMachineRestoreStatus, description: "How far the restore is." },
  },
};

const VirtualMachineExportSpec: JSONSchemaProps = {
  type: 'object',
  description: "What is offered, and for how long.",
  required: ['source'],
  properties: {
    source: { ...TypedLocalObjectReference, description: "A VirtualMachine, VirtualMachineSnapshot, VirtualMachineBackup, VirtualMachineTemplate or PersistentVolumeClaim." },
    tokenSecretRef: { ...{ type: 'string' }, description: "Secret with the token that downloads need; one is made when unset." },
    ttlDuration: { ...{ type: 'string' }, description: "How long the export lives; 2h when unset." },
  },
};

const VirtualMachineExportBackupEndpoint: JSONSchemaProps = {
  type: 'object',
  description: "A part of a backup that can be read.",
  required: ['endpoint', 'url'],
  properties: {
    endpoint: { ...{ type: 'string' }, description: "What it is: data or map." },
    url: { ...{ type: 'string' }, description: "Its address." },
  },
};

const VirtualMachineExportBackup: JSONSchemaProps = {
  type: 'object',
  description: "A backup that can be read.",
  required: ['name'],
  properties: {
    endpoints: { ...{ type: 'array', items: VirtualMachineExportBackupEndpoint }, description: "What can be read of it.", 'x-kubernetes-list-map-keys': ["endpoint"], 'x-kubernetes-list-type': "map" },
    name: { ...{ type: 'string' }, description: "Its name." },
  },
};

const VirtualMachineExportManifest: JSONSchemaProps = {
  type: 'object',
  description: "A manifest that recreates the machine.",
  required: ['type', 'url'],
  properties: {
    type: { ...{ type: 'string' }, description: "all, auth-header-secret or oci." },
    url: { ...{ type: 'string' }, description: "Its address." },
  },
};

const VirtualMachineExportVolumeFormat: JSONSchemaProps = {
  type: 'object',
  description: "A format of a volume.",
  required: ['format', 'url'],
  properties: {
    format: { ...{ type: 'string' }, description: "raw, gzip, dir or tar.gz." },
    url: { ...{ type: 'string' }, description: "Its address." },
  },
};

const VirtualMachineExportVolume: JSONSchemaProps = {
  type: 'object',
  description: "A volume that can be downloaded.",
  required: ['name'],
  properties: {
    formats: { ...{ type: 'array', items: VirtualMachineExportVolumeFormat }, description: "Formats that it is offered in.", 'x-kubernetes-list-map-keys': ["format"], 'x-kubernetes-list-type': "map" },
    name: { ...{ type: 'string' }, description: "Its name." },
  },
};

const VirtualMachineExportLink: JSONSchemaProps = {
  type: 'object',
  description: "Addresses of an export, from one side.",
  required: ['cert'],
  properties: {
    backups: { ...{ type: 'array', items: VirtualMachineExportBackup }, description: "Backups that can be read.", 'x-kubernetes-list-map-keys': ["name"], 'x-kubernetes-list-type': "map" },
    cert: { ...{ type: 'string' }, description: "Certificate of the server, PEM." },
    manifests: { ...{ type: 'array', items: VirtualMachineExportManifest }, description: "Manifests that recreate the machine.", 'x-kubernetes-list-map-keys': ["type"], 'x-kubernetes-list-type': "map" },
    volumes: { ...{ type: 'array', items: VirtualMachineExportVolume }, description: "Volumes that can be downloaded.", 'x-kubernetes-list-map-keys': ["name"], 'x-kubernetes-list-type': "map" },
  },
};

const VirtualMachineExportLinks: JSONSchemaProps = {
  type: 'object',
  description: "Addresses of an export.",
  properties: {
    external: { ...VirtualMachineExportLink, description: "From outside the cluster." },
    internal: { ...VirtualMachineExportLink, description: "From inside the cluster." },
  },
};

const VirtualMachineExportStatus: JSONSchemaProps = {
  type: 'object',
  description: "Where an export is found.",
  properties: {
    conditions: { ...{ type: 'array', items: VMICondition }, description: "Ready, PVCReady and other conditions.", 'x-kubernetes-list-type': "atomic" },
    links: { ...VirtualMachineExportLinks, description: "Addresses of what is offered." },
    phase: { ...{ type: 'string' }, description: "Pending, Ready, Terminated or Skipped." },
    serviceName: { ...{ type: 'string' }, description: "Service of the export." },
    tokenSecretRef: { ...{ type: 'string' }, description: "Secret with the token." },
    ttlExpirationTime: { ...{ type: 'string', format: 'date-time' }, description: "When the export ends." },
    virtualMachineName: { ...{ type: 'string' }, description: "Machine that the volumes belong to." },
  },
};

const VirtualMachineExport: JSONSchemaProps = {
  type: 'object',
  description: "Offers a machine's volumes for download.",
  required: ['spec'],
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "The version of the schema that this object is written in." },
    kind: { ...{ type: 'string' }, description: "The kind of resource that this object is." },
    metadata: { type: 'object' },
    spec: { ...VirtualMachineExportSpec, description: "What is offered, and for how long." },
    status: { ...VirtualMachineExportStatus, description: "Where it is found." },
  },
};

const VirtualMachineCloneTemplateFilters: JSONSchemaProps = {
  type: 'object',
  description: "Filters for the template of a copy.",
  properties: {
    annotationFilters: { ...{ type: 'array', items: { type: 'string' } }, description: "Annotations to copy.", 'x-kubernetes-list-type': "atomic" },
    labelFilters: { ...{ type: 'array', items: { type: 'string' } }, description: "Labels to copy.", 'x-kubernetes-list-type': "atomic" },
  },
};

const VirtualMachineCloneSpec: JSONSchemaProps = {
  type: 'object',
  description: "What is copied, and to where.",
  required: ['source'],
  properties: {
    annotationFilters: { ...{ type: 'array', items: { type: 'string' } }, description: "Annotations to copy, as patterns; ! excludes, * at the end matches all; all when unset.", 'x-kubernetes-list-type': "atomic" },
    identityless: { ...{ type: 'boolean' }, description: "A warm copy goes on as the guest that was copied, with its host name, machine id and keys. Podvisor's own." },
    labelFilters: { ...{ type: 'array', items: { type: 'string' } }, description: "Labels to copy, in the same way.", 'x-kubernetes-list-type': "atomic" },
    newMacAddresses: { ...{ type: 'object', additionalProperties: { type: 'string' } }, description: "MAC addresses of the copy, by interface; new ones are chosen when unset." },
    newSMBiosSerial: { ...{ type: 'string' }, description: "Serial number of the copy's board." },
    patches: { ...{ type: 'array', items: { type: 'string' } }, description: "JSON patches of the copy.", 'x-kubernetes-list-type': "atomic" },
    source: { ...TypedLocalObjectReference, description: "The VirtualMachine or VirtualMachineSnapshot to copy." },
    target: { ...TypedLocalObjectReference, description: "The new machine; a name is chosen when unset." },
    template: { ...VirtualMachineCloneTemplateFilters, description: "Filters for the copy's template." },
    volumeNamePolicy: { ...{ type: 'string', enum: ["RandomizeNames", "PrefixTargetName"] }, description: "How the copy's volumes are named: RandomizeNames or PrefixTargetName." },
    warm: { ...{ type: 'boolean' }, description: "The copy goes on from the memory of the snapshot that it is made of, instead of booting. Podvisor's own." },
  },
};

const VirtualMachineCloneStatus: JSONSchemaProps = {
  type: 'object',
  description: "How far a copy is.",
  properties: {
    conditions: { ...{ type: 'array', items: VMICondition }, description: "Ready and Progressing.", 'x-kubernetes-list-type': "atomic" },
    creationTime: { ...{ type: 'string', format: 'date-time' }, description: "When the copy was made.", nullable: true },
    phase: { ...{ type: 'string' }, description: "SnapshotInProgress, RestoreInProgress, CreatingTargetVM, Succeeded, Failed or Unknown." },
    restoreName: { ...{ type: 'string' }, description: "The restore that makes the copy.", nullable: true },
    snapshotName: { ...{ type: 'string' }, description: "The snapshot that is copied.", nullable: true },
    targetName: { ...{ type: 'string' }, description: "The new machine.", nullable: true },
  },
};

const VirtualMachineClone: JSONSchemaProps = {
  type: 'object',
  description: "Copies a virtual machine.",
  required: ['spec'],
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "The version of the schema that this object is written in." },
    kind: { ...{ type: 'string' }, description: "The kind of resource that this object is." },
    metadata: { type: 'object' },
    spec: { ...VirtualMachineCloneSpec, description: "What is copied, and to where." },
    status: { ...VirtualMachineCloneStatus, description: "How far the copy is." },
  },
};

const CPUInstancetype: JSONSchemaProps = {
  type: 'object',
  description: "CPUs of an instance type.",
  required: ['guest'],
  properties: {
    dedicatedCPUPlacement: { ...{ type: 'boolean' }, description: "Pins every vCPU to a CPU of the node." },
    guest: { ...{ type: 'integer', format: 'int32' }, description: "Number of vCPUs; the preference decides how they are spread." },
    isolateEmulatorThread: { ...{ type: 'boolean' }, description: "Gives the emulator a CPU of its own." },
    maxSockets: { ...{ type: 'integer', format: 'int32' }, description: "Sockets that may be reached by plugging CPUs." },
    model: { ...{ type: 'string' }, description: "CPU model." },
    numa: { ...NUMA, description: "How the node's memory zones are shown to the guest." },
    realtime: { ...Realtime, description: "Tunes the guest for realtime work." },
  },
};

const MemoryInstancetype: JSONSchemaProps = {
  type: 'object',
  description: "Memory of an instance type.",
  required: ['guest'],
  properties: {
    guest: { ...QUANTITY, description: "Memory that the guest sees." },
    hugepages: { ...Hugepages, description: "Backs the memory with huge pages." },
    maxGuest: { ...QUANTITY, description: "Memory that may be reached by plugging." },
    overcommitPercent: { ...{ type: 'integer' }, description: "Percent of the memory that the Pod does not request.", maximum: 100, minimum: 0 },
  },
};

const VirtualMachineInstancetypeSpec: JSONSchemaProps = {
  type: 'object',
  description: "CPUs, memory and devices; a machine that names an instance type cannot set them itself.",
  required: ['cpu', 'memory'],
  properties: {
    annotations: { ...{ type: 'object', additionalProperties: { type: 'string' } }, description: "Annotations that the guest gets." },
    cpu: { ...CPUInstancetype, description: "The CPUs." },
    gpus: { ...{ type: 'array', items: GPU }, description: "GPUs of the node.", 'x-kubernetes-list-type': "atomic" },
    hostDevices: { ...{ type: 'array', items: HostDevice }, description: "Other devices of the node.", 'x-kubernetes-list-type': "atomic" },
    ioThreads: { ...DiskIOThreads, description: "Details of the IO threads." },
    ioThreadsPolicy: { ...{ type: 'string' }, description: "How disks share IO threads." },
    launchSecurity: { ...LaunchSecurity, description: "Encryption of the guest's memory." },
    memory: { ...MemoryInstancetype, description: "The memory." },
    nodeSelector: { ...{ type: 'object', additionalProperties: { type: 'string' } }, description: "Labels that the node must have." },
    schedulerName: { ...{ type: 'string' }, description: "Scheduler that places the guest." },
  },
};

const VirtualMachineInstancetype: JSONSchemaProps = {
  type: 'object',
  description: "CPUs, memory and devices under a name, for the virtual machines of a namespace.",
  required: ['spec'],
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "The version of the schema that this object is written in." },
    kind: { ...{ type: 'string' }, description: "The kind of resource that this object is." },
    metadata: { type: 'object' },
    spec: { ...VirtualMachineInstancetypeSpec, description: "The resources." },
  },
};

const VirtualMachineClusterInstancetype: JSONSchemaProps = {
  type: 'object',
  description: "CPUs, memory and devices under a name, for all virtual machines of the cluster.",
  required: ['spec'],
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "The version of the schema that this object is written in." },
    kind: { ...{ type: 'string' }, description: "The kind of resource that this object is." },
    metadata: { type: 'object' },
    spec: { ...VirtualMachineInstancetypeSpec, description: "The resources." },
  },
};

const ClockOffset: JSONSchemaProps = {
  type: 'object',
  description: "Where a clock starts; one is set.",
  properties: {
    timezone: { ...{ type: 'string' }, description: "Time zone, such as Europe/Paris." },
    utc: { ...ClockOffsetUTC, description: "UTC, with an optional offset." },
  },
};

const ClockPreferences: JSONSchemaProps = {
  type: 'object',
  description: "The preferred clock.",
  properties: {
    preferredClockOffset: { ...ClockOffset, description: "Where the clock starts." },
    preferredTimer: { ...Timer, description: "Timers of the machine." },
  },
};

const SpreadOptions: JSONSchemaProps = {
  type: 'object',
  description: "How vCPUs are spread.",
  properties: {
    across: { ...{ type: 'string' }, description: "SocketsCores (default), SocketsCoresThreads or CoresThreads." },
    ratio: { ...{ type: 'integer', format: 'int32' }, description: "vCPUs per socket, or threads per core; 2 when unset." },
  },
};

const CPUPreferences: JSONSchemaProps = {
  type: 'object',
  description: "How vCPUs are spread, and CPU features.",
  properties: {
    preferredCPUFeatures: { ...{ type: 'array', items: CPUFeature }, description: "CPU features to require, add or hide." },
    preferredCPUTopology: { ...{ type: 'string' }, description: "What vCPUs become: sockets (default), cores, threads, spread or any." },
    spreadOptions: { ...SpreadOptions, description: "How spread divides them." },
  },
};

const DevicePreferences: JSONSchemaProps = {
  type: 'object',
  description: "The preferred devices.",
  properties: {
    preferredAutoattachGraphicsDevice: { ...{ type: 'boolean' }, description: "Whether a graphics card and VNC are added." },
    preferredAutoattachInputDevice: { ...{ type: 'boolean' }, description: "Whether a tablet is added." },
    preferredAutoattachMemBalloon: { ...{ type: 'boolean' }, description: "Whether a memory balloon is added." },
    preferredAutoattachPodInterface: { ...{ type: 'boolean' }, description: "Whether the Pod network is added." },
    preferredAutoattachSerialConsole: { ...{ type: 'boolean' }, description: "Whether a serial console is added." },
    preferredBlockMultiQueue: { ...{ type: 'boolean' }, description: "Whether virtio disks get a queue per vCPU." },
    preferredCdromBus: { ...{ type: 'string' }, description: "Bus of CD-ROMs." },
    preferredDisableHotplug: { ...{ type: 'boolean' }, description: "Whether controllers for plugging are left out." },
    preferredDiskBlockSize: { ...BlockSize, description: "Block size of disks." },
    preferredDiskBus: { ...{ type: 'string' }, description: "Bus of disks." },
    preferredDiskCache: { ...{ type: 'string' }, description: "Caching of disks." },
    preferredDiskDedicatedIoThread: { ...{ type: 'boolean' }, description: "Whether virtio disks get an IO thread of their own." },
    preferredDiskIO: { ...{ type: 'string' }, description: "How disks are read and written." },
    preferredInputBus: { ...{ type: 'string' }, description: "Bus of input devices." },
    preferredInputType: { ...{ type: 'string' }, description: "Type of input devices." },
    preferredInterfaceMasquerade: { ...{ type: 'object' }, description: "Binds the Pod network with masquerade." },
    preferredInterfaceModel: { ...{ type: 'string' }, description: "Model of interfaces." },
    preferredLunBus: { ...{ type: 'string' }, description: "Bus of LUNs." },
    preferredNetworkInterfaceMultiQueue: { ...{ type: 'boolean' }, description: "Whether virtio interfaces get a queue per vCPU." },
    preferredPanicDeviceModel: { ...{ type: 'string' }, description: "Model of panic devices." },
    preferredRng: { ...{ type: 'object' }, description: "Adds a source of randomness." },
    preferredSoundModel: { ...{ type: 'string' }, description: "Model of sound cards." },
    preferredTPM: { ...TPMDevice, description: "Adds a Trusted Platform Module." },
    preferredUseVirtioTransitional: { ...{ type: 'boolean' }, description: "Whether virtio devices for old guests are used." },
    preferredVideoType: { ...{ type: 'string' }, description: "Type of the graphics card." },
    preferredVirtualGPUOptions: { ...VGPUOptions, description: "Options of virtual GPUs." },
  },
};

const FeaturePreferences: JSONSchemaProps = {
  type: 'object',
  description: "The preferred features.",
  properties: {
    preferredAcpi: { ...FeatureState, description: "ACPI tables." },
    preferredApic: { ...FeatureAPIC, description: "Interrupt controller." },
    preferredHyperv: { ...FeatureHyperv, description: "Enlightenments for Windows guests." },
    preferredKvm: { ...FeatureKVM, description: "What the guest sees of KVM." },
    preferredPvspinlock: { ...FeatureState, description: "Paravirtual spinlocks." },
    preferredSmm: { ...FeatureState, description: "System management mode." },
  },
};

const FirmwarePreferences: JSONSchemaProps = {
  type: 'object',
  description: "The preferred firmware.",
  properties: {
    preferredEfi: { ...EFI, description: "Boots with EFI, with these settings." },
    preferredUseBios: { ...{ type: 'boolean' }, description: "Boots with BIOS." },
    preferredUseBiosSerial: { ...{ type: 'boolean' }, description: "Shows BIOS messages on the serial console." },
    preferredUseEfi: { ...{ type: 'boolean' }, description: "Old form of preferredEfi." },
    preferredUseSecureBoot: { ...{ type: 'boolean' }, description: "Old form of preferredEfi.secureBoot." },
  },
};

const MachinePreferences: JSONSchemaProps = {
  type: 'object',
  description: "The preferred machine type.",
  properties: {
    preferredMachineType: { ...{ type: 'string' }, description: "The machine type." },
  },
};

const CPUPreferenceRequirement: JSONSchemaProps = {
  type: 'object',
  description: "CPUs that a guest needs.",
  required: ['guest'],
  properties: {
    guest: { ...{ type: 'integer', format: 'int32' }, description: "Number of vCPUs." },
  },
};

const MemoryPreferenceRequirement: JSONSchemaProps = {
  type: 'object',
  description: "Memory that a guest needs.",
  required: ['guest'],
  properties: {
    guest: { ...QUANTITY, description: "The memory." },
  },
};

const PreferenceRequirements: JSONSchemaProps = {
  type: 'object',
  description: "What a guest needs at least; less refuses the machine.",
  properties: {
    architecture: { ...{ type: 'string' }, description: "Its architecture." },
    cpu: { ...CPUPreferenceRequirement, description: "Its CPUs." },
    memory: { ...MemoryPreferenceRequirement, description: "Its memory." },
  },
};

const VolumePreferences: JSONSchemaProps = {
  type: 'object',
  description: "The preferred storage.",
  properties: {
    preferredStorageClassName: { ...{ type: 'string' }, description: "Storage class of DataVolumes." },
  },
};

const VirtualMachinePreferenceSpec: JSONSchemaProps = {
  type: 'object',
  description: "Values for what a machine leaves open, and what it needs at least.",
  properties: {
    annotations: { ...{ type: 'object', additionalProperties: { type: 'string' } }, description: "Annotations that the guest gets." },
    clock: { ...ClockPreferences, description: "The preferred clock." },
    cpu: { ...CPUPreferences, description: "How vCPUs are spread, and CPU features." },
    devices: { ...DevicePreferences, description: "The preferred devices." },
    features: { ...FeaturePreferences, description: "The preferred features." },
    firmware: { ...FirmwarePreferences, description: "The preferred firmware." },
    machine: { ...MachinePreferences, description: "The preferred machine type." },
    preferSpreadSocketToCoreRatio: { ...{ type: 'integer', format: 'int32' }, description: "Old form of cpu.spreadOptions.ratio." },
    preferredArchitecture: { ...{ type: 'string' }, description: "The preferred architecture." },
    preferredLaunchSecurity: { ...LaunchSecurity, description: "The preferred encryption." },
    preferredSubdomain: { ...{ type: 'string' }, description: "The preferred subdomain." },
    preferredTerminationGracePeriodSeconds: { ...{ type: 'integer', format: 'int64' }, description: "Seconds that the guest may take to shut down." },
    requirements: { ...PreferenceRequirements, description: "What the guest needs at least." },
    volumes: { ...VolumePreferences, description: "The preferred storage." },
  },
};

const VirtualMachinePreference: JSONSchemaProps = {
  type: 'object',
  description: "What virtual machines of a namespace get where they leave something open.",
  required: ['spec'],
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "The version of the schema that this object is written in." },
    kind: { ...{ type: 'string' }, description: "The kind of resource that this object is." },
    metadata: { type: 'object' },
    spec: { ...VirtualMachinePreferenceSpec, description: "The preferred values." },
  },
};

const VirtualMachineClusterPreference: JSONSchemaProps = {
  type: 'object',
  description: "What all virtual machines of the cluster get where they leave something open.",
  required: ['spec'],
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "The version of the schema that this object is written in." },
    kind: { ...{ type: 'string' }, description: "The kind of resource that this object is." },
    metadata: { type: 'object' },
    spec: { ...VirtualMachinePreferenceSpec, description: "The preferred values." },
  },
};

const MigrationPolicySelectors: JSONSchemaProps = {
  type: 'object',
  description: "Guests that a policy applies to; all labels must match.",
  properties: {
    namespaceSelector: { ...{ type: 'object', additionalProperties: { type: 'string' } }, description: "Labels of their namespaces." },
    virtualMachineInstanceSelector: { ...{ type: 'object', additionalProperties: { type: 'string' } }, description: "Labels of the instances." },
  },
};

const MigrationPolicySpec: JSONSchemaProps = {
  type: 'object',
  description: "Which guests, and the settings that differ from the cluster's.",
  required: ['selectors'],
  properties: {
    allowAutoConverge: { ...{ type: 'boolean' }, description: "Slows a guest down when it changes memory faster than it can be moved." },
    allowPostCopy: { ...{ type: 'boolean' }, description: "Lets guests run on the target before all memory is there." },
    allowWorkloadDisruption: { ...{ type: 'boolean' }, description: "Lets a migration that does not end pause its guest." },
    bandwidthPerMigration: { ...QUANTITY, description: "Bytes a second that a migration may use; 0 is no limit." },
    completionTimeoutPerGiB: { ...{ type: 'integer', format: 'int64' }, description: "Seconds for each GiB of memory and disk before a migration is forced or aborted." },
    experimental: { ...MigrationExperimental, description: "Settings that may still change." },
    maxDowntimeMs: { ...{ type: 'integer', format: 'int64' }, description: "Milliseconds that a guest may stand still at the end.", maximum: 2000000, minimum: 1 },
    selectors: { ...MigrationPolicySelectors, description: "The guests; the policy with most matching labels applies." },
  },
};

const MigrationPolicy: JSONSchemaProps = {
  type: 'object',
  description: "Settings of the migrations of some guests.",
  required: ['spec'],
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "The version of the schema that this object is written in." },
    kind: { ...{ type: 'string' }, description: "The kind of resource that this object is." },
    metadata: { type: 'object' },
    spec: { ...MigrationPolicySpec, description: "Which guests, and the settings." },
    status: { ...{ type: 'object' }, description: "Nothing yet.", nullable: true },
  },
};

const VirtualMachineBackupSpec: JSONSchemaProps = {
  type: 'object',
  description: "What is backed up, and to where.",
  required: ['source'],
  properties: {
    forceFullBackup: { ...{ type: 'boolean' }, description: "Copies everything, also when a checkpoint exists." },
    mode: { ...{ type: 'string', enum: ["Push", "Pull"] }, description: "Push writes into a claim, Pull lets a client read." },
    pvcName: { ...{ type: 'string' }, description: "Claim that receives the backup, or scratch space for Pull." },
    skipQuiesce: { ...{ type: 'boolean' }, description: "Does not freeze the guest's filesystems." },
    source: { ...TypedLocalObjectReference, description: "The VirtualMachine, or the VirtualMachineBackupTracker for incremental backups.", 'x-kubernetes-validations': [{"message":"apiGroup is required","rule":"has(self.apiGroup)"},{"message":"apiGroup must be kubevirt.io or backup.kubevirt.io","rule":"!has(self.apiGroup) || self.apiGroup == 'kubevirt.io' || self.apiGroup == 'backup.kubevirt.io'"},{"message":"kind must be VirtualMachine for kubevirt.io or VirtualMachineBackupTracker for backup.kubevirt.io","rule":"!has(self.apiGroup) || (self.apiGroup == 'kubevirt.io' && self.kind == 'VirtualMachine') || (self.apiGroup == 'backup.kubevirt.io' && self.kind == 'VirtualMachineBackupTracker')"},{"message":"name is required","rule":"self.name != ''"}] },
    tokenSecretRef: { ...{ type: 'string' }, description: "Secret with the token that readers need, for Pull." },
    ttlDuration: { ...{ type: 'string' }, description: "How long a Pull backup can be read." },
  },
};

const StandardCondition: JSONSchemaProps = {
  type: 'object',
  description: "One aspect of the state.",
  required: ['lastTransitionTime', 'message', 'reason', 'status', 'type'],
  properties: {
    lastTransitionTime: { ...{ type: 'string', format: 'date-time' }, description: "When it last changed." },
    message: { ...{ type: 'string' }, description: "What happened, for people.", maxLength: 32768 },
    observedGeneration: { ...{ type: 'integer', format: 'int64' }, description: "Generation of the spec that it is about.", minimum: 0 },
    reason: { ...{ type: 'string' }, description: "Why, in one word.", maxLength: 1024, minLength: 1, pattern: "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$" },
    status: { ...{ type: 'string', enum: ["True", "False", "Unknown"] }, description: "True, False or Unknown." },
    type: { ...{ type: 'string' }, description: "What it is about.", maxLength: 316, pattern: "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$" },
  },
};

const BackupIncludedVolume: JSONSchemaProps = {
  type: 'object',
  description: "A volume in a backup.",
  required: ['volumeName'],
  properties: {
    dataEndpoint: { ...{ type: 'string' }, description: "Address of its data, for Pull." },
    mapEndpoint: { ...{ type: 'string' }, description: "Address of its map of changes, for Pull." },
    volumeName: { ...{ type: 'string' }, description: "Its name." },
  },
};

const VirtualMachineBackupStatus: JSONSchemaProps = {
  type: 'object',
  description: "How far a backup is.",
  properties: {
    checkpointName: { ...{ type: 'string' }, description: "Checkpoint that the backup made." },
    conditions: { ...{ type: 'array', items: StandardCondition }, description: "Progressing, Complete, Failed and Quiesced.", 'x-kubernetes-list-map-keys': ["type"], 'x-kubernetes-list-type': "map" },
    endpointCert: { ...{ type: 'string' }, description: "Certificate of the server, for Pull." },
    exportUID: { ...{ type: 'string' }, description: "UID of the export that serves the backup, for Pull." },
    includedVolumes: { ...{ type: 'array', items: BackupIncludedVolume }, description: "Volumes in the backup.", 'x-kubernetes-list-type': "atomic" },
    type: { ...{ type: 'string' }, description: "Full or Incremental." },
  },
};

const VirtualMachineBackup: JSONSchemaProps = {
  type: 'object',
  description: "A backup of a virtual machine's disks.",
  required: ['spec'],
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "The version of the schema that this object is written in." },
    kind: { ...{ type: 'string' }, description: "The kind of resource that this object is." },
    metadata: { type: 'object' },
    spec: { ...VirtualMachineBackupSpec, description: "What is backed up, and to where.", 'x-kubernetes-validations': [{"message":"spec is immutable after creation","rule":"self == oldSelf"},{"message":"pvcName is required","rule":"has(self.pvcName) && self.pvcName != \"\""},{"message":"tokenSecretRef is required when mode is Pull","rule":"!has(self.mode) || self.mode != 'Pull' || (has(self.tokenSecretRef) && self.tokenSecretRef != \"\")"}] },
    status: { ...VirtualMachineBackupStatus, description: "How far the backup is." },
  },
};

const VirtualMachineBackupTrackerSpec: JSONSchemaProps = {
  type: 'object',
  description: "The machine whose checkpoints are remembered.",
  required: ['source'],
  properties: {
    source: { ...TypedLocalObjectReference, description: "The virtual machine.", 'x-kubernetes-validations': [{"message":"apiGroup must be kubevirt.io","rule":"has(self.apiGroup) && self.apiGroup == 'kubevirt.io'"},{"message":"kind must be VirtualMachine","rule":"self.kind == 'VirtualMachine'"},{"message":"name is required","rule":"self.name != ''"}] },
  },
};

const BackupCheckpoint: JSONSchemaProps = {
  type: 'object',
  description: "A point in time from which changes are known.",
  properties: {
    creationTime: { ...{ type: 'string', format: 'date-time' }, description: "When it was made." },
    name: { ...{ type: 'string' }, description: "Its name." },
    volumes: { ...{ type: 'array', items: BackupIncludedVolume }, description: "Volumes that it covers.", 'x-kubernetes-list-type': "atomic" },
  },
};

const VirtualMachineBackupTrackerStatus: JSONSchemaProps = {
  type: 'object',
  description: "The last checkpoint.",
  properties: {
    checkpointRedefinitionRequired: { ...{ type: 'boolean' }, description: "True after a restart, until the checkpoint is known to QEMU again." },
    latestCheckpoint: { ...BackupCheckpoint, description: "The last checkpoint." },
  },
};

const VirtualMachineBackupTracker: JSONSchemaProps = {
  type: 'object',
  description: "Remembers the last checkpoint of a machine, for incremental backups.",
  required: ['spec'],
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "The version of the schema that this object is written in." },
    kind: { ...{ type: 'string' }, description: "The kind of resource that this object is." },
    metadata: { type: 'object' },
    spec: { ...VirtualMachineBackupTrackerSpec, description: "The machine.", 'x-kubernetes-validations': [{"message":"spec is immutable after creation","rule":"self == oldSelf"}] },
    status: { ...VirtualMachineBackupTrackerStatus, description: "The last checkpoint." },
  },
};

const PluginCELHook: JSONSchemaProps = {
  type: 'object',
  description: "A CEL expression that changes the domain.",
  required: ['expression'],
  properties: {
    expression: { ...{ type: 'string' }, description: "The expression; it gives a Domain.", minLength: 1 },
  },
};

const PluginSidecarHook: JSONSchemaProps = {
  type: 'object',
  description: "A sidecar that changes the domain.",
  required: ['socketPath'],
  properties: {
    socketPath: { ...{ type: 'string' }, description: "Socket of the sidecar, an absolute path.", minLength: 1 },
  },
};

const PluginDomainHook: JSONSchemaProps = {
  type: 'object',
  description: "A change of the domain before it starts; cel or sidecar is set.",
  properties: {
    cel: { ...PluginCELHook, description: "A CEL expression that changes the domain." },
    condition: { ...{ type: 'string' }, description: "CEL expression over vmi: the hook applies when it is true." },
    failureStrategy: { ...{ type: 'string' }, description: "What a failure does: Fail or Ignore." },
    sidecar: { ...PluginSidecarHook, description: "A sidecar that changes the domain." },
    timeout: { ...{ type: 'string' }, description: "How long the hook may take." },
  },
};

const PluginAdmissionReference: JSONSchemaProps = {
  type: 'object',
  description: "Names an admission object.",
  required: ['name'],
  properties: {
    name: { ...{ type: 'string' }, description: "Its name.", minLength: 1 },
  },
};

const PluginNodeHook: JSONSchemaProps = {
  type: 'object',
  description: "A program on the node that is called.",
  required: ['permittedHooks', 'socket'],
  properties: {
    condition: { ...{ type: 'string' }, description: "CEL expression over vmi: the hook applies when it is true." },
    failureStrategy: { ...{ type: 'string' }, description: "What a failure does: Fail or Ignore." },
    permittedHooks: { ...{ type: 'array', items: { type: 'string' } }, description: "Points at which it may be called.", minItems: 1, 'x-kubernetes-list-type': "atomic" },
    socket: { ...{ type: 'string' }, description: "Socket of the program.", minLength: 1 },
    timeout: { ...{ type: 'string' }, description: "How long the hook may take." },
  },
};

const PluginSpec: JSONSchemaProps = {
  type: 'object',
  description: "What a plugin changes, and when.",
  properties: {
    condition: { ...{ type: 'string' }, description: "CEL expression over vmi: the plugin applies when it is true." },
    domainHooks: { ...{ type: 'array', items: PluginDomainHook }, description: "Changes of the domain before it starts.", 'x-kubernetes-list-type': "atomic" },
    failureStrategy: { ...{ type: 'string' }, description: "What a failing hook does: Fail or Ignore." },
    mutatingAdmissionPolicies: { ...{ type: 'array', items: PluginAdmissionReference }, description: "Admission policies that belong to the plugin.", 'x-kubernetes-list-type': "atomic" },
    mutatingAdmissionWebhooks: { ...{ type: 'array', items: PluginAdmissionReference }, description: "Webhooks that belong to the plugin.", 'x-kubernetes-list-type': "atomic" },
    nodeHooks: { ...{ type: 'array', items: PluginNodeHook }, description: "Programs on the node that are called.", 'x-kubernetes-list-type': "atomic" },
    validatingAdmissionPolicies: { ...{ type: 'array', items: PluginAdmissionReference }, description: "Admission policies that belong to the plugin.", 'x-kubernetes-list-type': "atomic" },
    validatingAdmissionWebhooks: { ...{ type: 'array', items: PluginAdmissionReference }, description: "Webhooks that belong to the plugin.", 'x-kubernetes-list-type': "atomic" },
  },
};

const Plugin: JSONSchemaProps = {
  type: 'object',
  description: "Changes guests or nodes at defined points, from outside.",
  required: ['spec'],
  properties: {
    apiVersion: { ...{ type: 'string' }, description: "The version of the schema that this object is written in." },
    kind: { ...{ type: 'string' }, description: "The kind of resource that this object is." },
    metadata: { type: 'object' },
    spec: { ...PluginSpec, description: "What is changed, and when." },
    status: { ...{ type: 'object' }, description: "Nothing yet." },
  },
};

export const schemas: Readonly<Record<string, JSONSchemaProps>> = { KubeVirt, VirtualMachine, VirtualMachineInstance, VirtualMachineInstanceMigration, VirtualMachineInstanceReplicaSet, VirtualMachineInstancePreset, VirtualMachinePool, VirtualMachineSnapshot, VirtualMachineSnapshotContent, VirtualMachineRestore, VirtualMachineExport, VirtualMachineClone, VirtualMachineInstancetype, VirtualMachineClusterInstancetype, VirtualMachinePreference, VirtualMachineClusterPreference, MigrationPolicy, VirtualMachineBackup, VirtualMachineBackupTracker, Plugin };
