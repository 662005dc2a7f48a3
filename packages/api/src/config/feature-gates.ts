/**
 * Every feature gate and its state. Alpha gates are off until named, Beta gates are on until disabled, GA
 * gates are always on, Deprecated ones work and warn, and a VM that uses a Discontinued one is refused.
 */
export type FeatureGateState = 'Alpha' | 'Beta' | 'GA' | 'Deprecated' | 'Discontinued';

export const featureGates = {
  AlignCPUs: 'Alpha',
  CPUManager: 'Alpha',
  ConfigurableHypervisor: 'Alpha',
  ContainerPathVolumes: 'Alpha',
  CrossArchitectureVirtualization: 'Alpha',
  // Ours: DataVolumes without CDI (docs/cluster-install.md).
  DataVolumes: 'Alpha',
  DownwardMetrics: 'Alpha',
  EnableVirtioFsStorageVolumes: 'Alpha',
  ExperimentalIgnitionSupport: 'Alpha',
  FirmwareAutoSelection: 'Alpha',
  GraceIOVirtualization: 'Alpha',
  HostDevices: 'Alpha',
  HostDisk: 'Alpha',
  HypervStrictCheck: 'Alpha',
  IOMMUFD: 'Alpha',
  IncrementalBackup: 'Alpha',
  MigrationDowntimeTuning: 'Alpha',
  MigrationStallDetection: 'Alpha',
  NetworkDevicesWithDRA: 'Alpha',
  OCIExport: 'Alpha',
  ObjectGraph: 'Alpha',
  PCINUMAAwareTopology: 'Alpha',
  Plugins: 'Alpha',
  PortRangesSpec: 'Alpha',
  ReservedOverheadMemlock: 'Alpha',
  Root: 'Alpha',
  Sidecar: 'Alpha',
  // Ours: Pods of ours in user namespaces (docs/security-isolation.md).
  UserNamespaces: 'Alpha',
  UtilityVolumes: 'Alpha',
  VGPULiveMigration: 'Alpha',
  VMStatsCollector: 'Alpha',
  VSOCK: 'Alpha',
  WorkloadEncryptionTDX: 'Alpha',
  DecentralizedLiveMigration: 'Beta',
  DeclarativeHotplugVolumes: 'Beta',
  ExternalNetResourceInjection: 'Beta',
  GPUsWithDRA: 'Beta',
  HostDevicesWithDRA: 'Beta',
  ImageVolume: 'Beta',
  KubevirtSeccompProfile: 'Beta',
  NodeRestriction: 'Beta',
  OptOutRoleAggregation: 'Beta',
  PasstBinding: 'Beta',
  PodSecondaryInterfaceNamingUpgrade: 'Beta',
  RebootPolicy: 'Beta',
  Snapshot: 'Beta',
  Template: 'Beta',
  WorkloadEncryptionSEV: 'Beta',
  AutoResourceLimitsGate: 'GA',
  BochsDisplayForEFIGuests: 'GA',
  CPUNodeDiscovery: 'GA',
  ClusterProfiler: 'GA',
  CommonInstancetypesDeploymentGate: 'GA',
  DisableCustomSELinuxPolicy: 'GA',
  DynamicPodInterfaceNaming: 'GA',
  EnableVirtioFsConfigVolumes: 'GA',
  ExpandDisks: 'GA',
  GPU: 'GA',
  HotplugNICs: 'GA',
  InstancetypeReferencePolicy: 'GA',
  LibvirtHooksServerAndClient: 'GA',
  LiveMigration: 'GA',
  LiveUpdateNADRef: 'GA',
  MigrationPriorityQueue: 'GA',
  NUMA: 'GA',
  NetworkBindingPlugins: 'GA',
  NonRoot: 'GA',
  PSA: 'GA',
  PanicDevices: 'GA',
  PersistentReservation: 'GA',
  SRIOVLiveMigration: 'GA',
  SecureExecution: 'GA',
  VMExport: 'GA',
  VMLiveUpdateFeatures: 'GA',
  VMPersistentState: 'GA',
  VideoConfig: 'GA',
  VmiMemoryOverheadReport: 'GA',
  VolumeMigration: 'GA',
  VolumesUpdateStrategy: 'GA',
  DisableMDEVConfiguration: 'Deprecated',
  DockerSELinuxMCSWorkaround: 'Deprecated',
  HotplugVolumes: 'Deprecated',
  MultiArchitecture: 'Deprecated',
  ExperimentalVirtiofsSupport: 'Discontinued',
  Macvtap: 'Discontinued',
  Passt: 'Discontinued',
  PasstIPStackMigration: 'Discontinued',
} as const satisfies Readonly<Record<string, FeatureGateState>>;

export type FeatureGate = keyof typeof featureGates;

/** The gates that are on: those that need no naming, and those that are named. */
export function enabledGates(enabled: readonly string[], disabled: readonly string[]): ReadonlySet<string> {
  const gates = new Set(enabled.filter((gate) => gate !== ''));
  for (const [gate, state] of Object.entries(featureGates)) {
    if (state === 'GA') gates.add(gate);
    // Naming a gate beats disabling it.
    else if (state === 'Beta' && !disabled.includes(gate)) gates.add(gate);
  }
  return gates;
}
