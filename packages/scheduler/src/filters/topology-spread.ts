/** Topology spread with whenUnsatisfiable DoNotSchedule: no domain gets too far ahead of the emptiest. */
import { memberOf } from '@podvisor/base';
import { type Pod, type TopologySpreadConstraint, matchesSelector } from '@podvisor/api';
import type { NodeInfo } from '../node-info.ts';
import { type ClusterView, type Filter, refuse } from '../types.ts';
import { matchesNodeAffinity } from './node-affinity.ts';
import { untolerated } from './taints.ts';

const SKEWED = refuse("node(s) didn't match pod topology spread constraints", true);
const NO_LABEL = refuse("node(s) didn't match pod topology spread constraints (missing required label)");

export function topologySpreadFilter(pod: Pod, { nodes }: ClusterView): Filter {
  const constraints = (pod.spec.topologySpreadConstraints ?? [])
    .filter((constraint) => constraint.whenUnsatisfiable === 'DoNotSchedule')
    .map((constraint) => ({ constraint, counts: countDomains(pod, constraint, nodes) }));
  return (node) => {
    for (const { constraint, counts } of constraints) {
      const domain = memberOf(node.node.metadata.labels, constraint.topologyKey);
      if (domain === undefined) return [NO_LABEL];
      // With fewer domains than asked for, the emptiest counts as empty.
      const fewest = counts.size < (constraint.minDomains ?? 1) ? 0 : Math.min(...counts.values());
      const self = matchesSelector(spreadSelector(pod, constraint), pod.metadata.labels) ? 1 : 0;
      if ((counts.get(domain) ?? 0) + self - fewest > constraint.maxSkew) return [SKEWED];
    }
    return [];
  };
}

/** Matching Pods by domain, over the nodes that count for this constraint. */
export function countDomains(
  pod: Pod,
  constraint: TopologySpreadConstraint,
  nodes: readonly NodeInfo[],
): Map<string, number> {
  const selector = spreadSelector(pod, constraint);
  const counts = new Map<string, number>();
  for (const info of nodes) {
    const domain = memberOf(info.node.metadata.labels, constraint.topologyKey);
    if (domain === undefined || !countsFor(info, pod, constraint)) continue;
    let count = counts.get(domain) ?? 0;
    for (const other of info.pods.values()) {
      if (
        other.metadata.namespace !== pod.metadata.namespace ||
        other.metadata.deletionTimestamp !== undefined
      )
        continue;
      if (matchesSelector(selector, other.metadata.labels)) count += 1;
    }
    counts.set(domain, count);
  }
  return counts;
}

function countsFor(info: NodeInfo, pod: Pod, constraint: TopologySpreadConstraint): boolean {
  if (constraint.nodeAffinityPolicy !== 'Ignore' && !matchesNodeAffinity(pod, info)) return false;
  if (constraint.nodeTaintsPolicy !== 'Honor') return true;
  return untolerated(info.node.spec?.taints, pod.spec.tolerations, ['NoSchedule', 'NoExecute']) === undefined;
}

function spreadSelector(
  pod: Pod,
  { labelSelector, matchLabelKeys }: TopologySpreadConstraint,
): TopologySpreadConstraint['labelSelector'] {
  if (labelSelector === undefined || matchLabelKeys === undefined) return labelSelector;
  const labels = pod.metadata.labels ?? {};
  const added = matchLabelKeys.flatMap((key) => {
    const value = memberOf(labels, key);
    return value === undefined ? [] : [{ key, operator: 'In', values: [value] }];
  });
  return { ...labelSelector, matchExpressions: [...(labelSelector.matchExpressions ?? []), ...added] };
}
