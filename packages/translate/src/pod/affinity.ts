/** Affinity of the launcher Pod: the VMI's own, plus what the CPU model and persistent reservations demand. */
import {
  type Affinity,
  labels,
  nodeLabelPrefixes,
  type SelectorRequirement,
  type VMISpec,
} from '@podvisor/api';

/** The affinity, or undefined when there is nothing to say. */
export function affinityOf(spec: VMISpec): Affinity | undefined {
  const required = nodeRequirements(spec);
  if (required.length === 0) return spec.affinity;
  const own = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  // Terms are alternatives: what every node must fulfil has to be in each of them.
  const terms = own?.nodeSelectorTerms.map((term) => ({
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
