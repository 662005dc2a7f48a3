/**
 * The mutating webhook of VMIs, as pure functions. The order of the steps is part of the API: later steps
 * read what earlier ones filled in.
 */
import { deepEqual } from '@podvisor/base';
import { type ClusterConfig, isGateEnabled } from '../../config/cluster-config.ts';
import { type Draft, draftOf } from '../../draft.ts';
import { annotations, finalizers } from '../../names.ts';
import type { VirtualMachineInstance, VMISpec } from '../../types/index.ts';
import type { VmiDefaultsContext } from '../context.ts';
import { canonicalizeSpec } from '../quantities.ts';
import { defaultCpuModel, defaultCpuRequest, defaultMaxSockets, defaultTopology } from './cpu.ts';
import { defaultGpuDisplays, defaultInputs, defaultWatchdog } from './devices.ts';
import { defaultDiskBuses, defaultDiskTargets, defaultPullPolicies, defaultVolumeDisks } from './disks.ts';
import { defaultFeatures, defaultProbes, defaultTimers } from './features.ts';
import { defaultHypervDependencies } from './hyperv.ts';
import { defaultArchitecture, defaultBootloader, defaultMachineType, hasPcieTopology } from './machine.ts';
import { defaultGuestMemory, defaultMaxGuest } from './memory.ts';
import { defaultNetwork } from './network.ts';
import { applyPresets } from './presets.ts';
import { seedStatus } from './status.ts';

type SpecDefault = (spec: Draft<VMISpec>, config: ClusterConfig) => void;

/** What a spec needs wherever it stands, also inside a template that is only checked. */
const SPEC_DEFAULTS: readonly SpecDefault[] = [
  defaultArchitecture,
  defaultMachineType,
  defaultCpuRequest,
  defaultGuestMemory,
  defaultTopology,
  defaultPullPolicies,
  defaultEvictionStrategy,
  defaultNetwork,
  defaultVolumeDisks,
];

/** What only a VMI that is about to run needs. */
const VMI_DEFAULTS: readonly SpecDefault[] = [
  defaultFeatures,
  defaultTimers,
  defaultDiskTargets,
  defaultInputs,
  defaultGpuDisplays,
  defaultProbes,
  defaultHypervDependencies,
  defaultBootloader,
  defaultDiskBuses,
  defaultWatchdog,
  defaultCpuModel,
];

/** The defaults of a VMI spec alone: no identity, no headroom for hotplug, no status. */
export function defaultVmiSpec(spec: VMISpec, config: ClusterConfig): VMISpec {
  const draft = draftOf(spec);
  applySpecDefaults(draft, config);
  return draft;
}

/** The interface and the disks that a spec is completed with: what a preference then has a say in. */
export function defaultVmiDevices(spec: VMISpec, config: ClusterConfig): VMISpec {
  const draft = draftOf(spec);
  defaultVolumeDisks(draft);
  defaultNetwork(draft, config);
  return draft;
}

/** A VMI as it is stored when it is created. Throws DefaultsError when it cannot be completed. */
export function defaultVmi(vmi: VirtualMachineInstance, context: VmiDefaultsContext): VirtualMachineInstance {
  const draft = draftOf(vmi);
  const { config } = context;
  applyPresets(draft, context.presets ?? []);
  canonicalizeSpec(draft.spec, 'VirtualMachineInstance');
  applySpecDefaults(draft.spec, config);
  for (const apply of VMI_DEFAULTS) apply(draft.spec, config);
  draft.spec.domain.firmware ??= {};
  draft.spec.domain.firmware.uuid ||= context.newUuid();
  // Hotplug of CPUs and memory does not work on arm64.
  if (draft.spec.architecture !== 'arm64' && config.vmRolloutStrategy === 'LiveUpdate') {
    defaultMaxSockets(draft.spec, config);
    defaultMaxGuest(draft.spec, config);
  }
  annotate(draft, config);
  const kept = (draft.metadata?.finalizers ?? []).filter((name) => name !== finalizers.vmi);
  draft.metadata = { ...draft.metadata, finalizers: [...kept, finalizers.vmi] };
  seedStatus(draft, context);
  return draft;
}

/** On update only our own components may change the status; anyone else's change of it is dropped. */
export function defaultVmiUpdate(
  vmi: VirtualMachineInstance,
  old: VirtualMachineInstance,
  isKubeVirtServiceAccount: boolean,
): VirtualMachineInstance {
  if (isKubeVirtServiceAccount || deepEqual(vmi.status, old.status)) return vmi;
  return { ...vmi, status: old.status };
}

/** The warning of a VMI that a preset was applied to. */
export function vmiDefaultWarnings(vmi: VirtualMachineInstance): string[] {
  const hasPreset = Object.keys(vmi.metadata?.annotations ?? {}).some((key) =>
    key.includes('virtualmachinepreset'),
  );
  return hasPreset
    ? ['kubevirt.io/v1 VirtualMachineInstancePresets is now deprecated and will be removed in v2.']
    : [];
}

function applySpecDefaults(spec: Draft<VMISpec>, config: ClusterConfig): void {
  spec.domain.resources ??= {};
  for (const apply of SPEC_DEFAULTS) apply(spec, config);
}

function defaultEvictionStrategy(spec: Draft<VMISpec>, config: ClusterConfig): void {
  spec.evictionStrategy ??= config.evictionStrategy;
}

function annotate(vmi: Draft<VirtualMachineInstance>, config: ClusterConfig): void {
  // A layout that was chosen stays; what the cluster decides is not the user's to say.
  const chosen: Record<string, string> = hasPcieTopology(vmi.spec)
    ? { [annotations.pciTopologyVersion]: 'v3' }
    : {};
  const added: Record<string, string> = {};
  const socket = qgsSocketPath(config);
  if (vmi.spec.domain.launchSecurity?.tdx && socket !== '') added[annotations.qgsSocketPath] = socket;
  const parity = config.annotations[annotations.emulatorThreadCompleteToEvenParity];
  if (
    parity !== undefined &&
    vmi.spec.domain.cpu?.isolateEmulatorThread &&
    isGateEnabled(config, 'AlignCPUs')
  ) {
    added[annotations.emulatorThreadCompleteToEvenParity] = '';
  }
  const all = { ...chosen, ...vmi.metadata?.annotations, ...added };
  if (Object.keys(all).length > 0) vmi.metadata = { ...vmi.metadata, annotations: all };
}

function qgsSocketPath(config: ClusterConfig): string {
  return (
    config.configuration.confidentialCompute?.tdx?.attestation?.qgsSocketPath ?? '/var/run/tdx-qgs/qgs.socket'
  );
}
