/** Labels of our objects and of nodes, and the taint and gate that stand beside them. */

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
  /** On a claim of firmware and TPM whose state counts: the name of its VM. */
  persistentStateFor: 'persistent-state-for',
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
  /** On a node: whether virt-handler is to have equal memory pages merged there. */
  ksmEnabled: 'kubevirt.io/ksm-enabled',
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

/** Readiness gate of a launcher Pod: False only while the guest is paused. */
export const unpausedReadinessGate = 'kubevirt.io/virtual-machine-unpaused';

/** Taint that drains VMs from a node. */
export const drainTaintKey = 'kubevirt.io/drain';
