/** Which nodes can run the VM. */
import { labels, nodeLabelPrefixes, type VirtualMachineInstance, type VMISpec } from '@podvisor/api';
import { manualTscFrequency } from '../domain/cpu/tsc.ts';
import type { LauncherPodOptions } from './options.ts';

const TSC_LABEL = 'scheduling.node.kubevirt.io/tsc-frequency-';
const NATIVE = 'kubernetes.io/arch';
const CPU_MANAGER_LABEL = 'kubevirt.io/cpumanager';
/** Enlightenments that the host's kernel must support, by the name of their node label. */
const HYPERV_OF_HOST = [
  'vpindex',
  'runtime',
  'synic',
  'synictimer',
  'frequencies',
  'reset',
  'reenlightenment',
  'ipi',
  'tlbflush',
] as const;

/** Node labels that the Pod needs: the user's choice, and what the VM cannot run without. */
export function nodeSelectorOf(
  vmi: VirtualMachineInstance,
  options: LauncherPodOptions,
): Record<string, string> {
  const { spec } = vmi;
  const machine = vmi.status?.machine?.type || spec.domain.machine?.type;
  const frequency = manualTscFrequency(vmi);
  return {
    [labels.schedulable]: 'true',
    ...architectureLabels(spec, options),
    ...(machine ? { [`${nodeLabelPrefixes.machineType}${machine}`]: 'true' } : {}),
    ...cpuLabels(spec),
    ...hypervLabels(spec, options),
    ...(frequency === undefined ? {} : { [`${TSC_LABEL}${frequency}`]: 'true' }),
    ...(spec.domain.cpu?.dedicatedCpuPlacement ? { [CPU_MANAGER_LABEL]: 'true' } : {}),
    ...(spec.domain.cpu?.realtime === undefined ? {} : { [labels.realtime]: 'true' }),
    ...securityLabels(spec),
  };
}

/** Whether nodes of one architecture may run guests of another. */
export function mayCrossArchitectures({ config }: LauncherPodOptions): boolean {
  return config.gates.has('CrossArchitectureVirtualization');
}

/** What the cluster and the user choose, and a node that can run the guest's architecture, natively or not. */
function architectureLabels(spec: VMISpec, options: LauncherPodOptions): Record<string, string> {
  const { architecture } = spec;
  const chosen = { ...options.config.nodeSelectors, ...spec.nodeSelector };
  if (!architecture) return chosen;
  if (!mayCrossArchitectures(options)) return { [NATIVE]: architecture.toLowerCase(), ...chosen };
  const { [NATIVE]: _native, ...others } = chosen;
  return { ...others, [`${nodeLabelPrefixes.vmArchitecture}${architecture}`]: 'true' };
}

/** Nodes are labelled by model and feature; a VMI without a model takes any CPU. */
function cpuLabels(spec: VMISpec): Record<string, string> {
  const { model, features = [] } = spec.domain.cpu ?? {};
  if (!model) return {};
  const named = model !== 'host-model' && model !== 'host-passthrough';
  const required = features.filter(({ policy }) => !policy || policy === 'require');
  return {
    ...(named ? { [`${nodeLabelPrefixes.cpuModel}${model}`]: 'true' } : {}),
    ...Object.fromEntries(required.map(({ name }) => [`${nodeLabelPrefixes.cpuFeature}${name}`, 'true'])),
  };
}

function hypervLabels(spec: VMISpec, { config }: LauncherPodOptions): Record<string, string> {
  const hyperv = spec.domain.features?.hyperv;
  if (hyperv === undefined || !config.gates.has('HypervStrictCheck')) return {};
  return {
    ...Object.fromEntries(
      HYPERV_OF_HOST.filter((name) => hyperv[name]?.enabled === true).map((name) => [
        `${nodeLabelPrefixes.hyperv}${name}`,
        'true',
      ]),
    ),
    ...(hyperv.evmcs !== undefined && hyperv.evmcs.enabled !== false
      ? { [`${nodeLabelPrefixes.cpuVendor}Intel`]: 'true' }
      : {}),
  };
}

function securityLabels(spec: VMISpec): Record<string, string> {
  const security = spec.domain.launchSecurity;
  if (security === undefined) return {};
  return {
    ...(security.sev === undefined && security.snp === undefined ? {} : { [labels.sev]: 'true' }),
    ...(security.sev?.policy?.encryptedState ? { [labels.sevES]: 'true' } : {}),
    ...(security.snp === undefined ? {} : { [labels.sevSNP]: 'true' }),
    ...(security.tdx === undefined ? {} : { [labels.tdx]: 'true' }),
    ...(spec.architecture === 's390x' ? { [labels.secureExecution]: 'true' } : {}),
  };
}
