/** Annotations and finalizers. */

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
  /** On a node: `true` while virt-handler has the kernel merge equal memory pages. */
  ksmHandlerManaged: 'kubevirt.io/ksm-handler-managed',
  /** On a node: other numbers for it than the usual ones. */
  ksmPagesBoost: 'kubevirt.io/ksm-pages-boost-override',
  ksmPagesDecay: 'kubevirt.io/ksm-pages-decay-override',
  ksmPagesMin: 'kubevirt.io/ksm-pages-min-override',
  ksmPagesMax: 'kubevirt.io/ksm-pages-max-override',
  ksmPagesInit: 'kubevirt.io/ksm-pages-init-override',
  ksmSleepMsBaseline: 'kubevirt.io/ksm-sleep-ms-baseline-override',
  ksmFreePercent: 'kubevirt.io/ksm-free-percent-override',
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

/** VMI annotation of ours: JSON, handoff number → milliseconds since the epoch, as the node saw them. */
export const HANDOFFS_ANNOTATION = 'podvisor.io/handoffs';
