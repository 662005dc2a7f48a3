/**
 * The cluster's configuration as every component sees it: the KubeVirt object with all defaults filled in.
 * Pure; who watches the KubeVirt object decides when to call it again, and keeps the last configuration
 * when a new one cannot be read.
 */
import { type Amount, parseQuantity } from '@podvisor/base';
import type { KubeVirt, KubeVirtConfiguration, Quantity } from '../types/index.ts';
import { type NodeLossTimes, nodeLossTimes } from '../lifecycle/node-loss.ts';
import { type Architecture, type ArchitectureDefaults, architectureSettings } from './architectures.ts';
import { enabledGates, type FeatureGate } from './feature-gates.ts';
import { type MigrationDefaults, migrationSettings } from './migration-settings.ts';

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
  /** CPU models that nodes do not offer, beside those that are obsolete everywhere. */
  readonly obsoleteCpuModels: readonly string[];
  /** Annotations of the KubeVirt object: a few alpha switches live there. */
  readonly annotations: Readonly<Record<string, string>>;
  /** The configuration as it was written, for settings that have no default. */
  readonly configuration: KubeVirtConfiguration;
}

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
    architectures: architectureSettings(configuration),
    cpuModel: configuration.cpuModel ?? '',
    cpuRequest: parseQuantity(configuration.cpuRequest ?? '100m'),
    evictionStrategy: configuration.evictionStrategy ?? 'None',
    imagePullPolicy: configuration.imagePullPolicy || 'IfNotPresent',
    defaultNetworkInterface: network.defaultNetworkInterface || 'bridge',
    permitBridgeInterfaceOnPodNetwork: network.permitBridgeInterfaceOnPodNetwork ?? true,
    networkBindings: network.binding ?? {},
    migrations: migrationSettings(configuration.migrations ?? {}),
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
    obsoleteCpuModels: Object.entries(configuration.obsoleteCPUModels ?? {}).flatMap(([model, isObsolete]) =>
      isObsolete ? [model] : [],
    ),
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
