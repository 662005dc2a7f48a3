/**
 * Names that clients, Services and scripts see: labels, annotations, finalizers, conditions, phases and
 * event reasons. They are part of the API, so they are written once, here, and byte for byte as KubeVirt
 * has them (misspellings included). Names that begin with `podvisor.io/` are ours.
 */

/** Label keys. */
export const labels = {
  istioInject: 'sidecar.istio.io/inject',
  /** App label of every Pod: `virt-launcher`, `virt-handler`, `hotplug-disk` … */
  app: 'kubevirt.io',
  /** On a launcher Pod: the UID of its VMI. */
  createdBy: 'kubevirt.io/created-by',
  /** On a VMI: the node that runs it. virt-handler watches by it. */
  nodeName: 'kubevirt.io/nodeName',
  migrationTargetNodeName: 'kubevirt.io/migrationTargetNodeName',
  /** On a target Pod: the UID of its migration. */
  migrationJobUID: 'kubevirt.io/migrationJobUID',
  /** On a migration: the VMI it moves. */
  vmiName: 'kubevirt.io/vmi-name',
  /** On a migration that copies volumes to other claims: its VMI. */
  volumesUpdateMigration: 'kubevirt.io/volume-update-migration',
  vmName: 'vm.kubevirt.io/name',
  /** On a VMI and its Pod, for Services. */
  vmiId: 'vmi.kubevirt.io/id',
  outdatedLauncherImage: 'kubevirt.io/outdatedLauncherImage',
  installStrategy: 'kubevirt.io/install-strategy',
  poolRevisionName: 'kubevirt.io/vm-pool-revision-name',
  /** On a node. */
  schedulable: 'kubevirt.io/schedulable',
  cpuManager: 'cpumanager',
  realtime: 'kubevirt.io/realtime',
  sev: 'kubevirt.io/sev',
  sevES: 'kubevirt.io/sev-es',
  sevSNP: 'kubevirt.io/sev-snp',
  tdx: 'kubevirt.io/tdx',
  secureExecution: 'kubevirt.io/s390-pv',
  obsoleteHostModel: 'node-labeller.kubevirt.io/obsolete-host-model',
} as const;

/** Prefixes of node labels; the model, feature or machine type follows. */
export const nodeLabelPrefixes = {
  cpuModel: 'cpu-model.node.kubevirt.io/',
  cpuModelMigration: 'cpu-model-migration.node.kubevirt.io/',
  cpuFeature: 'cpu-feature.node.kubevirt.io/',
  cpuVendor: 'cpu-vendor.node.kubevirt.io/',
  cpuTimer: 'cpu-timer.node.kubevirt.io/',
  hostModelCPU: 'host-model-cpu.node.kubevirt.io/',
  hostModelRequiredFeatures: 'host-model-required-features.node.kubevirt.io/',
  hyperv: 'hyperv.node.kubevirt.io/',
  machineType: 'machine-type.node.kubevirt.io/',
  /** Guests of this architecture run here, natively or emulated. */
  vmArchitecture: 'kubevirt.io/vm-arch-',
} as const;

/** Labels of a VMI that only our own service accounts may write. */
export const restrictedVmiLabels: readonly string[] = [
  labels.createdBy,
  labels.migrationJobUID,
  labels.nodeName,
  labels.migrationTargetNodeName,
  labels.schedulable,
  labels.installStrategy,
];

/** Annotation keys. */
export const annotations = {
  /** On a launcher Pod: the VMI's name. */
  domain: 'kubevirt.io/domain',
  /** On a claim: how far the copy into its new volume is, in percent. The provisioner writes it while it copies. */
  fillProgress: 'podvisor.io/fill-progress',
  /** On a Pod that takes an upload: the port of its loopback that does. Who may forward to the Pod may upload. */
  uploadPort: 'podvisor.io/upload-port',
  /** On a DataVolume: what of another namespace its maker was allowed to copy (`clone-pin.ts`). */
  cloneAllowedFrom: 'podvisor.io/clone-allowed-from',
  latestObservedApiVersion: 'kubevirt.io/latest-observed-api-version',
  storageObservedApiVersion: 'kubevirt.io/storage-observed-api-version',
  vmGeneration: 'kubevirt.io/vm-generation',
  migrationJobName: 'kubevirt.io/migrationJobName',
  evacuationMigration: 'kubevirt.io/evacuationMigration',
  /** On a VMI: who asked for its eviction, where that makes a difference (descheduler). */
  evictionSource: 'kubevirt.io/eviction-source',
  /** On a launcher Pod: it will leave its node, by and by; the descheduler counts it as evicted. */
  evictionInProgress: 'descheduler.alpha.kubernetes.io/eviction-in-progress',
  workloadUpdateMigration: 'kubevirt.io/workloadUpdateMigration',
  /** On a migration: seconds that its target Pod may be unschedulable, or pending for whatever reason. */
  migrationUnschedulablePodTimeoutSeconds: 'kubevirt.io/migrationUnschedulablePodTimeoutSeconds',
  migrationPendingPodTimeoutSeconds: 'kubevirt.io/migrationPendingPodTimeoutSeconds',
  migrationTransportUnix: 'kubevirt.io/migrationTransportUnix',
  migrationTargetReadyTimestamp: 'kubevirt.io/migration-target-ready-timestamp',
  memoryOverheadBytes: 'kubevirt.io/memory-overhead-bytes',
  ephemeralProvisioning: 'kubevirt.io/ephemeral-provisioning',
  allowPodBridgeNetworkLiveMigration: 'kubevirt.io/allow-pod-bridge-network-live-migration',
  keepLauncherAlive: 'kubevirt.io/keep-launcher-alive-after-failure',
  /** Tests of crash loops set it: the launcher ends at once. */
  launcherFailFast: 'kubevirt.io/func-test-virt-launcher-fail-fast',
  libvirtLogFilters: 'kubevirt.io/libvirt-log-filters',
  ignitionData: 'kubevirt.io/ignitiondata',
  placePCIDevicesOnRootComplex: 'kubevirt.io/placePCIDevicesOnRootComplex',
  disablePCIHole64: 'kubevirt.io/disablePCIHole64',
  memfd: 'kubevirt.io/memfd',
  freePageReportingDisabled: 'kubevirt.io/free-page-reporting-disabled',
  pauseGuestAgentProbes: 'kubevirt.io/pause-guest-agent-probes',
  hookSidecars: 'hooks.kubevirt.io/hookSidecars',
  istioInject: 'sidecar.istio.io/inject',
  /** On a VMI: backup tools shall not freeze it. */
  skipBackupHooks: 'kubevirt.io/skip-backup-hooks',
  /** On a claim: the file with a guest's memory that is in it. */
  memoryDump: 'kubevirt.io/memory-dump',
  /** `v3` on every VMI that is created today; freezes the guest's PCI layout. */
  pciTopologyVersion: 'kubevirt.io/pci-topology-version',
  pciInterfaceSlotCount: 'kubevirt.io/pci-interface-slot-count',
  immediateDataVolumeCreation: 'kubevirt.io/immediate-data-volume-creation',
  emulatorThreadCompleteToEvenParity: 'alpha.kubevirt.io/EmulatorThreadCompleteToEvenParity',
  qgsSocketPath: 'kubevirt.io/qgs-socket-path',
  /** Prefix; the preset's name follows. */
  preset: 'virtualmachinepreset.kubevirt.io/',
  excludePresets: 'virtualmachineinstancepresets.admission.kubevirt.io/exclude',
  /** On a node: when virt-handler last said that it is alive. */
  heartbeat: 'kubevirt.io/heartbeat',
  ksmEnabled: 'kubevirt.io/ksm-enabled',
  skipNode: 'node-labeller.kubevirt.io/skip-node',
  lastRestoreUID: 'restore.kubevirt.io/lastRestoreUID',
  /** On the Lease of a virt-handler: its URL. */
  handlerEndpoint: 'podvisor.io/endpoint',
  /** Of the Lease of a virt-handler: where it takes migrations in. */
  handlerMigrationAddress: 'podvisor.io/migration-address',
  /** On the Lease of a virt-handler: the certificates that it asks virt-operator for, and the answer. */
  certificateRequest: 'podvisor.io/certificate-request',
  certificates: 'podvisor.io/certificates',
  /** On the KubeVirt object: `true` where the Pod network takes the address of a VM along when it migrates. */
  podNetworkKeepsAddresses: 'podvisor.io/pod-network-keeps-addresses',
  /** On a backup: a quantity of bytes that are read from each disk a second, at most. */
  backupBandwidth: 'podvisor.io/backup-bandwidth',
  /** On a backup that runs: how much of it is done, e.g. `42%`. */
  backupProgress: 'podvisor.io/backup-progress',
  /** On a VMI: the claim and the identity of the hibernated state that it wakes from; virt-controller writes it. */
  hibernatedState: 'podvisor.io/hibernated-state',
  /** On a Node: somebody's word that its machine is off (`virtctl fence`); JSON of FenceRequest. */
  fence: 'podvisor.io/fence',
  /** On a VM whose guest was lost with a node: UID of the VMI and the node, until the guest runs again. */
  lostWith: 'podvisor.io/lost-with-node',
} as const;

export const finalizers = {
  vmi: 'kubevirt.io/foregroundDeleteVirtualMachine',
  /** The older spelling, still found on stored objects. */
  vmiDeprecated: 'foregroundDeleteVirtualMachine',
  vm: 'kubevirt.io/virtualMachineControllerFinalize',
  migration: 'kubevirt.io/migrationJobFinalize',
  pool: 'pool.kubevirt.io/finalizer',
  snapshot: 'snapshot.kubevirt.io/vmsnapshot-protection',
  snapshotContent: 'snapshot.kubevirt.io/vmsnapshotcontent-protection',
  snapshotSource: 'snapshot.kubevirt.io/snapshot-source-protection',
  backup: 'backup.kubevirt.io/vmbackup-protection',
} as const;

/** Readiness gate of a launcher Pod: False only while the guest is paused. */
export const unpausedReadinessGate = 'kubevirt.io/virtual-machine-unpaused';

/** Taint that drains VMs from a node. */
export const drainTaintKey = 'kubevirt.io/drain';

export const vmiPhases = {
  unset: '',
  pending: 'Pending',
  scheduling: 'Scheduling',
  scheduled: 'Scheduled',
  running: 'Running',
  succeeded: 'Succeeded',
  failed: 'Failed',
  waitingForSync: 'WaitingForSync',
  unknown: 'Unknown',
} as const;
export type VMIPhase = (typeof vmiPhases)[keyof typeof vmiPhases];

/** True for a phase that a VMI never leaves. */
export function isFinalVmiPhase(phase: string | undefined): boolean {
  return phase === vmiPhases.succeeded || phase === vmiPhases.failed;
}

export const migrationPhases = {
  unset: '',
  pending: 'Pending',
  scheduling: 'Scheduling',
  scheduled: 'Scheduled',
  preparingTarget: 'PreparingTarget',
  targetReady: 'TargetReady',
  running: 'Running',
  succeeded: 'Succeeded',
  failed: 'Failed',
  waitingForSync: 'WaitingForSync',
  synchronizing: 'Synchronizing',
} as const;
export type MigrationPhase = (typeof migrationPhases)[keyof typeof migrationPhases];

/** True for a phase that a migration never leaves. */
export function isFinalMigrationPhase(phase: string | undefined): boolean {
  return phase === migrationPhases.succeeded || phase === migrationPhases.failed;
}

export const volumePhases = {
  pending: 'Pending',
  bound: 'Bound',
  attachedToNode: 'AttachedToNode',
  mountedToPod: 'MountedToPod',
  ready: 'Ready',
  detaching: 'Detaching',
  unmountedFromPod: 'UnMountedFromPod',
  memoryDumpInProgress: 'MemoryDumpVolumeInProgress',
  memoryDumpCompleted: 'MemoryDumpVolumeCompleted',
  memoryDumpFailed: 'MemoryDumpVolumeFailed',
} as const;

/** `status.printableStatus` of a VM, in the order in which the first match wins. */
export const printableStatuses = [
  'Terminating',
  'Stopping',
  'Migrating',
  'Paused',
  'Running',
  'ErrorPvcNotFound',
  'DataVolumeError',
  'ErrorUnschedulable',
  'Provisioning',
  'WaitingForVolumeBinding',
  'ErrImagePull',
  'ImagePullBackOff',
  'Starting',
  'CrashLoopBackOff',
  'Stopped',
  'WaitingForReceiver',
  'Unknown',
] as const;
export type PrintableStatus = (typeof printableStatuses)[number];

export const runStrategies = [
  'Always',
  'Halted',
  'Manual',
  'RerunOnFailure',
  'Once',
  'WaitAsReceiver',
] as const;
export type RunStrategy = (typeof runStrategies)[number];

export const vmiConditions = {
  provisioning: 'Provisioning',
  ready: 'Ready',
  synchronized: 'Synchronized',
  paused: 'Paused',
  agentConnected: 'AgentConnected',
  accessCredentialsSynchronized: 'AccessCredentialsSynchronized',
  agentVersionNotSupported: 'AgentVersionNotSupported',
  /** Ours. Only there (False) when a migration would change an address of the VM. */
  /** Ours: others can tell the guest's end from its storage. */
  fencedByLease: 'FencedByLease',
  /** Ours: the node of the guest is lost; then how its end was proven, and where it runs now. */
  nodeLost: 'NodeLost',
  leaseExpired: 'LeaseExpired',
  fenced: 'Fenced',
  restartedOn: 'RestartedOn',
  addressesKept: 'AddressesKept',
  liveMigratable: 'LiveMigratable',
  storageLiveMigratable: 'StorageLiveMigratable',
  hotVCPUChange: 'HotVCPUChange',
  hotMemoryChange: 'HotMemoryChange',
  volumesChange: 'VolumesChange',
  dataVolumesReady: 'DataVolumesReady',
  decentralizedLiveMigrationFailure: 'DecentralizedLiveMigrationFailure',
  migrationRequired: 'MigrationRequired',
  evictionRequested: 'EvictionRequested',
  softwareEmulation: 'SoftwareEmulation',
  podScheduled: 'PodScheduled',
} as const;

export const vmConditions = {
  failure: 'Failure',
  ready: 'Ready',
  paused: 'Paused',
  restartRequired: 'RestartRequired',
  manualRecoveryRequired: 'ManualRecoveryRequired',
} as const;

export const migrationConditions = {
  abortRequested: 'migrationAbortRequested',
  rejectedByResourceQuota: 'migrationRejectedByResourceQuota',
  blockedByUtilityVolumes: 'migrationBlockedByUtilityVolumes',
  decentralizedBlocked: 'decentralizedMigrationBlocked',
  blockedByBackup: 'migrationBlockedByBackup',
} as const;

/** Reasons of VMI conditions. */
export const conditionReasons = {
  podTerminating: 'PodTerminating',
  podNotExists: 'PodNotExists',
  podConditionMissing: 'PodConditionMissing',
  guestNotRunning: 'GuestNotRunning',
  pausedByUser: 'PausedByUser',
  pausedIOError: 'PausedIOError',
  pausedByMigrationMonitor: 'PausedByMigrationMonitor',
  disksNotLiveMigratable: 'DisksNotLiveMigratable',
  interfaceNotLiveMigratable: 'InterfaceNotLiveMigratable',
  hotplugNotLiveMigratable: 'HotplugNotLiveMigratable',
  cpuModeLiveMigratable: 'CPUModeLiveMigratable',
  virtIOFSNotLiveMigratable: 'VirtIOFSNotLiveMigratable',
  hostDeviceNotLiveMigratable: 'HostDeviceNotLiveMigratable',
  sevNotLiveMigratable: 'SEVNotLiveMigratable',
  secureExecutionNotLiveMigratable: 'SecureExecutionNotLiveMigratable',
  tdxNotLiveMigratable: 'TDXNotLiveMigratable',
  noTSCFrequencyNotLiveMigratable: 'NoTSCFrequencyNotLiveMigratable',
  hypervPassthroughNotLiveMigratable: 'HypervPassthroughNotLiveMigratable',
  persistentReservationNotLiveMigratable: 'PersistentReservationNotLiveMigratable',
  /** Of StorageLiveMigratable: the message names what is in the way. */
  notMigratable: 'NotMigratable',
  /** Of VolumesChange: the volumes were put back. */
  volumesChangeCancellation: 'VolumesChangeCancellation',
  decentralizedNotLiveMigratable: 'DecentralizedNotLiveMigratable',
  /** virt-handler's reason when a sync with the domain failed: a sentence, as clients know it. */
  synchronizationFailed: 'Synchronizing with the Domain failed.',
  failedCreate: 'FailedCreate',
} as const;

/** Reasons of the Failure condition of a VM. */
export const vmFailureReasons = {
  hotPlugVolume: 'HotPlugVolumeError',
  hotPlugCPU: 'HotPlugCPUError',
  hotPlugMemory: 'HotPlugMemoryError',
  hotPlugNetworkInterface: 'HotPlugNetworkInterfaceError',
  affinityChange: 'AffinityChangeError',
  tolerationsChange: 'TolerationsChangeError',
  volumesUpdate: 'VolumesUpdateError',
  firmwareUUID: 'FirmwareUUIDError',
  failedUpdate: 'FailedUpdateError',
} as const;

/** Reasons of Kubernetes events. */
export const eventReasons = {
  successfulCreate: 'SuccessfulCreate',
  failedCreate: 'FailedCreate',
  successfulDelete: 'SuccessfulDelete',
  failedDelete: 'FailedDelete',
  successfulDataVolumeCreate: 'SuccessfulDataVolumeCreate',
  failedDataVolumeCreate: 'FailedDataVolumeCreate',
  failedDataVolumeImport: 'FailedDataVolumeImport',
  unauthorizedDataVolumeCreate: 'UnauthorizedDataVolumeCreate',
  sourcePVCNotAvailable: 'SourcePVCNotAvailabe',
  created: 'Created',
  deleted: 'Deleted',
  started: 'Started',
  shuttingDown: 'ShuttingDown',
  stopped: 'Stopped',
  preparingTarget: 'PreparingTarget',
  migrating: 'Migrating',
  migrated: 'Migrated',
  syncFailed: 'SyncFailed',
  resumed: 'Resumed',
  presetFailed: 'PresetFailed',
  override: 'Override',
  accessCredentialsSyncFailed: 'AccessCredentialsSyncFailed',
  accessCredentialsSyncSuccess: 'AccessCredentialsSyncSuccess',
  paused: 'Paused',
  unpaused: 'Unpaused',
  freezeError: 'FreezeError',
  successfulPaused: 'SuccessfulPaused',
  successfulResumed: 'SuccessfulResumed',
} as const;

/** Service accounts of our components. */
export const serviceAccounts = {
  api: 'kubevirt-apiserver',
  controller: 'kubevirt-controller',
  handler: 'kubevirt-handler',
  operator: 'kubevirt-operator',
} as const;

/** Service account of the component that fills DataVolumes, where it is installed. VMs are none of its business. */
export const dataVolumesAccount = 'kubevirt-data-volumes';

/** Service account of the web page, where it is installed. It may do nothing: users bring their own rights. */
export const webPageAccount = 'kubevirt-ui';

/** `system:serviceaccount:<namespace>:<name>`. */
export function serviceAccountUser(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

/** Extra field of a user: the node that a Pod's token, or a certificate of the embedded home, belongs to. */
export const NODE_NAME_EXTRA = 'authentication.kubernetes.io/node-name';

/** Extended resources of the device plugins. */
export const deviceResources = {
  kvm: 'devices.kubevirt.io/kvm',
  tun: 'devices.kubevirt.io/tun',
  vhostNet: 'devices.kubevirt.io/vhost-net',
  vhostVsock: 'devices.kubevirt.io/vhost-vsock',
  sev: 'devices.kubevirt.io/sev',
} as const;

/** Uid and gid of QEMU in a launcher Pod. */
export const nonRootUser = 107;

/** VMI annotation of ours: JSON, handoff number → milliseconds since the epoch, as the node saw them. */
export const HANDOFFS_ANNOTATION = 'podvisor.io/handoffs';
