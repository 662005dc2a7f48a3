/** Affinity of the launcher Pod: the VMI's own, plus what the CPU model and persistent reservations demand. */
import {
  type Affinity,
  labels,
  nodeLabelPrefixes,
  type SelectorRequirement,
  type VirtualMachineInstance,
  type VMISpec,
} from '@podvisor/api';
import type { LauncherPodOptions } from './options.ts';
import { mayCrossArchitectures } from './node-selector.ts';
import { reservationLabels, reservationTerms } from './resources/reservations.ts';

/** The affinity, or undefined when there is nothing to say. */
export function affinityOf(vmi: VirtualMachineInstance, options: LauncherPodOptions): Affinity | undefined {
  const affinity = withPreferredArchitecture(nodeAffinityOf(vmi.spec), vmi.spec, options);
  const terms = reservationTerms(reservationLabels(vmi, options));
  if (terms.length === 0) return affinity;
  const own = affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  return {
    ...affinity,
    podAntiAffinity: {
      ...affinity?.podAntiAffinity,
      requiredDuringSchedulingIgnoredDuringExecution: [...own, ...terms],
    },
  };
}

/** Where nodes may emulate other architectures, those of the guest's own come first. */
function withPreferredArchitecture(
  affinity: Affinity | undefined,
  { architecture }: VMISpec,
  options: LauncherPodOptions,
): Affinity | undefined {
  if (!architecture || !mayCrossArchitectures(options)) return affinity;
  const values = [architecture.toLowerCase()];
  const own = affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const preference = { matchExpressions: [{ key: 'kubernetes.io/arch', operator: 'In', values }] };
  return {
    ...affinity,
    nodeAffinity: {
      ...affinity?.nodeAffinity,
      preferredDuringSchedulingIgnoredDuringExecution: [...own, { weight: 100, preference }],
    },
  };
}

function nodeAffinityOf(spec: VMISpec): Affinity | undefined {
  const required = nodeRequirements(spec);
  if (required.length === 0) return spec.affinity;
  const own = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  // Terms are alternatives: what every node must fulfil has to be in each of them.
  const terms = own?.nodeSelectorTerms?.map((term) => ({
    ...term,
    matchExpressions: [...(term.matchExpressions ?? []), ...required],
  })) ?? [{ matchExpressions: required }];
  return {
    ...spec.affinity,
    nodeAffinity: {
      ...spec.affinity?.nodeAffinity,
      requiredDuringSchedulingIgnoredDuringExecution: { ...own, nodeSelectorTerms: terms },
    },
  };
}

function nodeRequirements(spec: VMISpec): readonly SelectorRequirement[] {
  const cpu = spec.domain.cpu;
  const forbidden = (cpu?.features ?? []).filter(({ policy }) => policy === 'forbid');
  return [
    ...(!cpu?.model || cpu.model === 'host-model'
      ? [{ key: labels.obsoleteHostModel, operator: 'DoesNotExist' }]
      : []),
    ...forbidden.map(({ name }) => ({
      key: `${nodeLabelPrefixes.cpuFeature}${name}`,
      operator: 'DoesNotExist',
    })),
  ];
}
