/** How well a node that can take the Pod suits it. Each part gives 0 to 100; weights are Kubernetes'. */
import { memberOf } from '@podvisor/base';
import type { Pod } from '@podvisor/api';
import { matchesTerm as matchesNodeTerm } from './filters/node-affinity.ts';
import { matchesTerm as matchesPodTerm } from './filters/pod-affinity.ts';
import { isTolerated } from './filters/taints.ts';
import { countDomains } from './filters/topology-spread.ts';
import type { NodeInfo } from './node-info.ts';
import { nano, podRequests } from './requests.ts';
import type { ClusterView } from './types.ts';

type Score = (node: NodeInfo) => number;

/** The best node; of equals the one with fewest Pods that were placed on it (a mirror Pod was not), then by name. */
export function bestNode(pod: Pod, nodes: readonly NodeInfo[], view: ClusterView): NodeInfo | undefined {
  const parts: readonly (readonly [number, Score])[] = [
    [1, leastAllocated(pod)],
    [2, normalized(preferredNodes(pod), nodes)],
    [3, normalized(fewAvoidedTaints(pod), nodes)],
    [2, normalized(preferredCompany(pod, view), nodes)],
    [2, normalized(evenSpread(pod, view), nodes)],
  ];
  const total = (node: NodeInfo): number =>
    parts.reduce((sum, [weight, score]) => sum + weight * score(node), 0);
  const scored = nodes.map((node) => ({ node, total: total(node), placed: node.placed }));
  scored.sort((a, b) => b.total - a.total || a.placed - b.placed || (a.node.name < b.node.name ? -1 : 1));
  return scored[0]?.node;
}

/** Pods that ask for nothing still take something. */
const ASSUMED: readonly (readonly [string, bigint])[] = [
  ['cpu', nano('100m')],
  ['memory', nano('200Mi')],
];

function leastAllocated(pod: Pod): Score {
  const requests = podRequests(pod);
  return (node) => {
    const free = ASSUMED.map(([name, assumed]) => {
      const offered = Number(node.allocatable.get(name) ?? 0n);
      const taken = Number((node.requested.get(name) ?? 0n) + (requests.get(name) ?? assumed));
      return offered === 0 ? 0 : Math.max(0, (offered - taken) / offered);
    });
    return (100 * free.reduce((sum, part) => sum + part, 0)) / free.length;
  };
}

function preferredNodes(pod: Pod): Score {
  const terms = pod.spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return ({ node, name }) =>
    terms.reduce(
      (sum, { preference, weight }) =>
        sum + (matchesNodeTerm(preference, node.metadata.labels ?? {}, name) ? weight : 0),
      0,
    );
}

function fewAvoidedTaints(pod: Pod): Score {
  return ({ node }) =>
    -(node.spec?.taints ?? []).filter(
      (taint) => taint.effect === 'PreferNoSchedule' && !isTolerated(taint, pod.spec.tolerations),
    ).length;
}

function preferredCompany(pod: Pod, { nodes, namespaceLabels }: ClusterView): Score {
  const terms = [
    ...(pod.spec.affinity?.podAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(
      (term) => ({ ...term, sign: 1 }),
    ),
    ...(pod.spec.affinity?.podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(
      (term) => ({ ...term, sign: -1 }),
    ),
  ];
  const byDomain = new Map<string, number>();
  for (const { podAffinityTerm, weight, sign } of terms) {
    for (const info of nodes) {
      const value = memberOf(info.node.metadata.labels, podAffinityTerm.topologyKey);
      if (value === undefined) continue;
      const domain = `${podAffinityTerm.topologyKey}=${value}`;
      for (const other of info.pods.values()) {
        if (!matchesPodTerm(podAffinityTerm, pod, other, namespaceLabels)) continue;
        byDomain.set(domain, (byDomain.get(domain) ?? 0) + sign * weight);
      }
    }
  }
  return ({ node }) =>
    Object.entries(node.metadata.labels ?? {}).reduce(
      (sum, [key, value]) => sum + (byDomain.get(`${key}=${value}`) ?? 0),
      0,
    );
}

function evenSpread(pod: Pod, { nodes }: ClusterView): Score {
  const constraints = (pod.spec.topologySpreadConstraints ?? [])
    .filter((constraint) => constraint.whenUnsatisfiable === 'ScheduleAnyway')
    .map((constraint) => ({ constraint, counts: countDomains(pod, constraint, nodes) }));
  return ({ node }) =>
    -constraints.reduce(
      (sum, { constraint, counts }) =>
        sum + (counts.get(memberOf(node.metadata.labels, constraint.topologyKey) ?? '') ?? 0),
      0,
    );
}

/** Stretches raw scores to 0…100; when all are equal they say nothing. */
function normalized(score: Score, nodes: readonly NodeInfo[]): Score {
  const raw = new Map(nodes.map((node) => [node.name, score(node)]));
  const low = Math.min(...raw.values());
  const high = Math.max(...raw.values());
  return high === low ? () => 0 : (node) => (100 * ((raw.get(node.name) ?? low) - low)) / (high - low);
}
