/**
 * The cluster's configuration as every component sees it: the KubeVirt object with all defaults filled in.
 * Pure; who watches the KubeVirt object decides when to call it again, and keeps the last configuration
 * when a new one cannot be read.
 */
import { type Amount, parseQuantity } from '@podvisor/base';
import type {
  ArchSpecificConfiguration,
  ClusterMigrationConfiguration,
  KubeVirt,
  KubeVirtConfiguration,
  Quantity,
} from '../types/index.ts';
import { type NodeLossTimes, nodeLossTimes } from '../lifecycle/node-loss.ts';
import { type FeatureGate, featureGates } from './feature-gates.ts';

export type Architecture = 'amd64' | 'arm64' | 's390x';

/** Machine types and firmware of one architecture. */
export interface ArchitectureDefaults {
  readonly machineType: string;
  /** Globs of the machine types that a VM may ask for. */
  readonly emulatedMachines: readonly string[];
  readonly ovmfPath: string;
}

/** Migration settings, all of them decided. */
export type MigrationDefaults = Required<Omit<ClusterMigrationConfiguration, 'network'>> &
  Pick<ClusterMigrationConfiguration, 'network'>;

export interface ClusterConfig {
  /** Of the KubeVirt object; empty: there is none. */
  readonly resourceVersion: string;
  /** The gates that are on. Ask with `isGateEnabled`. */
  readonly gates: ReadonlySet<string>;
  /** Gates that the KubeVirt object names although they need no naming any more. */
  readonly namedGates: readonly string[];
  readonly defaultArchitecture: string;
  readonly architectures: Readonly<Record<Architecture, ArchitectureDefaults>>;
  readonly cpuModel: string;
  readonly cpuRequest: Amount;
  readonly evictionStrategy: string;
  readonly imagePullPolicy: string;
  readonly defaultNetworkInterface: string;
  readonly permitBridgeInterfaceOnPodNetwork: boolean;
  readonly networkBindings: NonNullable<NonNullable<KubeVirtConfiguration['network']>['binding']>;
  readonly migrations: MigrationDefaults;
  readonly nodeLoss: NodeLossTimes;
  readonly vmRolloutStrategy: 'LiveUpdate' | 'Stage';
  readonly liveUpdate: {
    readonly maxHotplugRatio: number;
    /** 0 = not configured. */
    readonly maxCpuSockets: number;
    readonly maxGuest: Quantity | undefined;
  };
  readonly memoryOvercommit: number;
  readonly cpuAllocationRatio: number;
  readonly useEmulation: boolean;
  readonly diskVerificationMemoryLimit: Quantity;
  readonly nodeSelectors: Readonly<Record<string, string>>;
  readonly smbios: NonNullable<KubeVirtConfiguration['smbios']>;
  /** Seconds; 0 turns the statistics off. */
  readonly memBalloonStatsPeriodSeconds: number;
  readonly freePageReportingDisabled: boolean;
  readonly serialConsoleLogDisabled: boolean;
  readonly persistentReservationEnabled: boolean;
  readonly virtualMachineInstancesPerNode: number;
  readonly instancetypeReferencePolicy: 'reference' | 'expand' | 'expandAll';
  /** Annotations of the KubeVirt object: a few alpha switches live there. */
  readonly annotations: Readonly<Record<string, string>>;
  /** The configuration as it was written, for settings that have no default. */
  readonly configuration: KubeVirtConfiguration;
}

const ARCHITECTURES: Readonly<Record<Architecture, ArchitectureDefaults>> = {
  amd64: { machineType: 'q35', emulatedMachines: ['q35*', 'pc-q35*'], ovmfPath: '/usr/share/edk2/ovmf' },
  arm64: { machineType: 'virt', emulatedMachines: ['virt*'], ovmfPath: '/usr/share/AAVMF' },
  s390x: { machineType: 's390-ccw-virtio', emulatedMachines: ['s390-ccw-virtio*'], ovmfPath: '' },
};

/** The configuration of a cluster; `undefined` (no KubeVirt object yet) gives the defaults. */
export function clusterConfig(kubevirt?: Pick<KubeVirt, 'spec' | 'status' | 'metadata'>): ClusterConfig {
  const configuration = kubevirt?.spec.configuration ?? {};
  const developer = configuration.developerConfiguration ?? {};
  const network = configuration.network ?? {};
  const live = configuration.liveUpdateConfiguration ?? {};
  return {
    resourceVersion: kubevirt?.metadata?.resourceVersion ?? '',
    gates: enabledGates(developer.featureGates ?? [], developer.disabledFeatureGates ?? []),
    namedGates: developer.featureGates ?? [],
    defaultArchitecture:
      configuration.architectureConfiguration?.defaultArchitecture ||
      kubevirt?.status?.defaultArchitecture ||
      'amd64',
    architectures: {
      amd64: architecture('amd64', configuration),
      arm64: architecture('arm64', configuration),
      s390x: architecture('s390x', configuration),
    },
    cpuModel: configuration.cpuModel ?? '',
    cpuRequest: parseQuantity(configuration.cpuRequest ?? '100m'),
    evictionStrategy: configuration.evictionStrategy ?? 'None',
    imagePullPolicy: configuration.imagePullPolicy || 'IfNotPresent',
    defaultNetworkInterface: network.defaultNetworkInterface || 'bridge',
    permitBridgeInterfaceOnPodNetwork: network.permitBridgeInterfaceOnPodNetwork ?? true,
    networkBindings: network.binding ?? {},
    migrations: migrations(configuration.migrations ?? {}),
    nodeLoss: nodeLossTimes(configuration.nodeLoss),
    vmRolloutStrategy: configuration.vmRolloutStrategy ?? 'LiveUpdate',
    liveUpdate: {
      maxHotplugRatio: live.maxHotplugRatio || 4,
      maxCpuSockets: live.maxCpuSockets ?? 0,
      maxGuest: live.maxGuest,
    },
    memoryOvercommit: developer.memoryOvercommit ?? 100,
    cpuAllocationRatio: developer.cpuAllocationRatio ?? 10,
    useEmulation: developer.useEmulation ?? false,
    diskVerificationMemoryLimit: developer.diskVerification?.memoryLimit ?? '2000Mi',
    nodeSelectors: developer.nodeSelectors ?? {},
    smbios: { family: 'KubeVirt', manufacturer: 'KubeVirt', product: 'None', ...configuration.smbios },
    memBalloonStatsPeriodSeconds: configuration.memBalloonStatsPeriod ?? 10,
    freePageReportingDisabled: configuration.virtualMachineOptions?.disableFreePageReporting !== undefined,
    serialConsoleLogDisabled: configuration.virtualMachineOptions?.disableSerialConsoleLog !== undefined,
    persistentReservationEnabled: configuration.persistentReservationConfiguration?.enabled ?? false,
    virtualMachineInstancesPerNode: configuration.virtualMachineInstancesPerNode ?? 1000,
    instancetypeReferencePolicy: configuration.instancetype?.referencePolicy ?? 'reference',
    annotations: kubevirt?.metadata?.annotations ?? {},
    configuration,
  };
}

/** Whether a feature gate is on. */
export function isGateEnabled(config: ClusterConfig, gate: FeatureGate): boolean {
  return config.gates.has(gate);
}

/** Machine types of an architecture; an unknown one is treated as amd64, as its VMs are refused later. */
export function architectureDefaults(config: ClusterConfig, name: string | undefined): ArchitectureDefaults {
  return name === 'arm64' || name === 's390x' ? config.architectures[name] : config.architectures.amd64;
}

function enabledGates(enabled: readonly string[], disabled: readonly string[]): ReadonlySet<string> {
  const gates = new Set(enabled.filter((gate) => gate !== ''));
  for (const [gate, state] of Object.entries(featureGates)) {
    if (state === 'GA') gates.add(gate);
    // Naming a gate beats disabling it.
    else if (state === 'Beta' && !disabled.includes(gate)) gates.add(gate);
  }
  return gates;
}

function architecture(name: Architecture, configuration: KubeVirtConfiguration): ArchitectureDefaults {
  const own: ArchSpecificConfiguration = configuration.architectureConfiguration?.[name] ?? {};
  const defaults = ARCHITECTURES[name];
  // The old cluster-wide settings, where present, hold for every architecture.
  return {
    machineType: configuration.machineType || own.machineType || defaults.machineType,
    emulatedMachines: configuration.emulatedMachines ?? own.emulatedMachines ?? defaults.emulatedMachines,
    ovmfPath: configuration.ovmfPath || own.ovmfPath || defaults.ovmfPath,
  };
}

function migrations(own: ClusterMigrationConfiguration): MigrationDefaults {
  const allowPostCopy = own.allowPostCopy ?? false;
  return {
    allowAutoConverge: own.allowAutoConverge ?? false,
    allowPostCopy,
    // Post-copy has always been allowed to disturb the workload, so it decides when nothing is said.
    allowWorkloadDisruption: own.allowWorkloadDisruption ?? allowPostCopy,
    bandwidthPerMigration: own.bandwidthPerMigration ?? '0',
    completionTimeoutPerGiB: own.completionTimeoutPerGiB ?? 150,
    disableTLS: own.disableTLS ?? false,
    matchSELinuxLevelOnMigration: own.matchSELinuxLevelOnMigration ?? true,
    maxDowntimeMs: own.maxDowntimeMs ?? 900,
    nodeDrainTaintKey: own.nodeDrainTaintKey ?? 'kubevirt.io/drain',
    parallelMigrationsPerCluster: own.parallelMigrationsPerCluster ?? 5,
    parallelOutboundMigrationsPerNode: own.parallelOutboundMigrationsPerNode ?? 2,
    progressTimeout: own.progressTimeout ?? 150,
    unsafeMigrationOverride: own.unsafeMigrationOverride ?? false,
    utilityVolumesTimeout: own.utilityVolumesTimeout ?? 150,
    ...(own.network !== undefined && { network: own.network }),
  };
}
