/** Which nodes can run the VM. */
import { labels, nodeLabelPrefixes, type VirtualMachineInstance, type VMISpec } from '@podvisor/api';
import { manualTscFrequency } from '../domain/tsc.ts';
import type { LauncherPodOptions } from './options.ts';

const TSC_LABEL = 'scheduling.node.kubevirt.io/tsc-frequency-';
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

/** Node labels that the Pod needs; those of the VMI and the cluster win. */
export function nodeSelectorOf(
  vmi: VirtualMachineInstance,
  options: LauncherPodOptions,
): Record<string, string> {
  const { spec } = vmi;
  const machine = vmi.status?.machine?.type;
  const frequency = manualTscFrequency(vmi);
  return {
    [labels.schedulable]: 'true',
    ...(spec.architecture ? { 'kubernetes.io/arch': spec.architecture } : {}),
    ...(machine ? { [`${nodeLabelPrefixes.machineType}${machine}`]: 'true' } : {}),
    ...cpuLabels(spec),
    ...hypervLabels(spec, options),
    ...(frequency === undefined ? {} : { [`${TSC_LABEL}${frequency}`]: 'true' }),
    ...(spec.domain.cpu?.dedicatedCpuPlacement ? { [CPU_MANAGER_LABEL]: 'true' } : {}),
    ...(spec.domain.cpu?.realtime === undefined ? {} : { [labels.realtime]: 'true' }),
    ...securityLabels(spec),
    ...options.config.nodeSelectors,
    ...spec.nodeSelector,
  };
}

function cpuLabels(spec: VMISpec): Record<string, string> {
  const cpu = spec.domain.cpu;
  const model = cpu?.model;
  const named = model && model !== 'host-model' && model !== 'host-passthrough';
  return {
    ...(named ? { [`${nodeLabelPrefixes.cpuModel}${model}`]: 'true' } : {}),
    ...Object.fromEntries(
      (cpu?.features ?? [])
        .filter(({ policy }) => !policy || policy === 'require')
        // The frequency label already stands for an invariant TSC.
        .filter(({ name }) => name !== 'invtsc')
        .map(({ name }) => [`${nodeLabelPrefixes.cpuFeature}${name}`, 'true']),
    ),
  };
}

function hypervLabels(spec: VMISpec, { config }: LauncherPodOptions): Record<string, string> {
  const hyperv = spec.domain.features?.hyperv;
  if (hyperv === undefined || !config.gates.has('HypervStrictCheck')) return {};
  const isOn = (feature: { readonly enabled?: boolean } | undefined): boolean =>
    feature !== undefined && feature.enabled !== false;
  return {
    ...Object.fromEntries(
      HYPERV_OF_HOST.filter((name) => isOn(hyperv[name])).map((name) => [
        `${nodeLabelPrefixes.hyperv}${name}`,
        'true',
      ]),
    ),
    ...(isOn(hyperv.evmcs) ? { [`${nodeLabelPrefixes.cpuVendor}Intel`]: 'true' } : {}),
  };
}

function securityLabels(spec: VMISpec): Record<string, string> {
  const security = spec.domain.launchSecurity;
  if (security === undefined) return {};
  return {
    ...(security.sev === undefined
      ? {}
      : { [security.sev.policy?.encryptedState ? labels.sevES : labels.sev]: 'true' }),
    ...(security.snp === undefined ? {} : { [labels.sevSNP]: 'true' }),
    ...(security.tdx === undefined ? {} : { [labels.tdx]: 'true' }),
    ...(spec.architecture === 's390x' ? { [labels.secureExecution]: 'true' } : {}),
  };
}
