/** Where a Pod goes, or why it goes nowhere, in Kubernetes' words. Pure. */
import type { Pod } from '@podvisor/api';
import { exclusiveClaimsFilter } from './filters/exclusive-claims.ts';
import { hostPortsFilter } from './filters/host-ports.ts';
import { nodeAffinityFilter } from './filters/node-affinity.ts';
import { podAffinityFilter } from './filters/pod-affinity.ts';
import { resourcesFilter } from './filters/resources.ts';
import { taintsFilter, unschedulableFilter } from './filters/taints.ts';
import { topologySpreadFilter } from './filters/topology-spread.ts';
import { podVolumes, volumesFilter } from './filters/volumes.ts';
import type { NodeInfo } from './node-info.ts';
import { findPreemption } from './preemption.ts';
import { bestNode } from './scores.ts';
import type { ClusterView, Decision, Filter, Refusal } from './types.ts';

/** Decides for one Pod that is on no node yet. */
export function decide(pod: Pod, view: ClusterView): Decision {
  if (view.nodes.length === 0)
    return { kind: 'unschedulable', message: 'no nodes available to schedule pods' };
  const volumes = podVolumes(pod, view);
  if (volumes.kind === 'waiting') {
    const help = preemptionText(view.nodes.length, [[view.nodes.length, NOT_HELPFUL]]);
    return {
      kind: 'unschedulable',
      message: `0/${view.nodes.length} nodes are available: ${volumes.reason}. ${help}`,
    };
  }
  const filtersFor = (nodes: readonly NodeInfo[]): readonly Filter[] => [
    unschedulableFilter(pod),
    taintsFilter(pod),
    nodeAffinityFilter(pod),
    hostPortsFilter(pod),
    exclusiveClaimsFilter(pod, { ...view, nodes }),
    volumesFilter(volumes.volumes),
    resourcesFilter(pod),
    podAffinityFilter(pod, { ...view, nodes }),
    topologySpreadFilter(pod, { ...view, nodes }),
  ];
  const filters = filtersFor(view.nodes);
  const refusals = new Map(view.nodes.map((node) => [node.name, firstRefusals(filters, node)]));
  const fitting = view.nodes.filter((node) => refusals.get(node.name)?.length === 0);
  const best = bestNode(pod, fitting, view);
  if (best !== undefined) return { kind: 'bind', node: best.name };
  return unschedulable(
    pod,
    view,
    refusals,
    (nodes, node) => firstRefusals(filtersFor(nodes), node).length === 0,
  );
}

/** The refusals of the first filter that refuses, as one node is counted under one filter. */
function firstRefusals(filters: readonly Filter[], node: NodeInfo): readonly Refusal[] {
  for (const filter of filters) {
    const refusals = filter(node);
    if (refusals.length > 0) return refusals;
  }
  return [];
}

const NOT_HELPFUL = 'Preemption is not helpful for scheduling';
const NO_VICTIMS = 'No preemption victims found for incoming pod';

function unschedulable(
  pod: Pod,
  view: ClusterView,
  refusals: ReadonlyMap<string, readonly Refusal[]>,
  fits: (nodes: readonly NodeInfo[], node: NodeInfo) => boolean,
): Decision {
  const total = view.nodes.length;
  const reasons = counted([...refusals.values()].flatMap((list) => list.map(({ reason }) => reason)));
  const why = `0/${total} nodes are available: ${reasons.map(([count, reason]) => `${count} ${reason}`).join(', ')}.`;
  if (pod.spec.preemptionPolicy === 'Never') {
    return {
      kind: 'unschedulable',
      message: `${why} preemption: not eligible due to preemptionPolicy=Never.`,
    };
  }
  const candidates = view.nodes.filter(
    (node) => refusals.get(node.name)?.every(({ preemptionHelps }) => preemptionHelps) === true,
  );
  const preemption = findPreemption(pod, candidates, view.nodes, fits);
  const results: readonly (readonly [number, string])[] = [
    [candidates.length, NO_VICTIMS],
    [total - candidates.length, NOT_HELPFUL],
  ];
  if (preemption !== undefined) return { kind: 'preempt', ...preemption, message: why };
  return { kind: 'unschedulable', message: `${why} ${preemptionText(total, results)}` };
}

function preemptionText(total: number, results: readonly (readonly [number, string])[]): string {
  const parts = results.filter(([count]) => count > 0).map(([count, text]) => `${count} ${text}`);
  return `preemption: 0/${total} nodes are available: ${parts.join(', ')}.`;
}

function counted(reasons: readonly string[]): [number, string][] {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .map(([reason, count]): [number, string] => [count, reason])
    .sort((a, b) => (`${a[0]} ${a[1]}` < `${b[0]} ${b[1]}` ? -1 : 1));
}
