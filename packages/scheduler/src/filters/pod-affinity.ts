/**
 * Required affinity and anti-affinity between Pods, both ways: what this Pod wants of others, and what the
 * Pods that are there refuse.
 */
import { memberOf } from '@podvisor/base';
import {
  type LabelSelector,
  type Pod,
  type PodAffinityTerm,
  type SelectorRequirement,
  matchesSelector,
} from '@podvisor/api';
import type { NodeInfo } from '../node-info.ts';
import { type ClusterView, type Filter, refuse } from '../types.ts';

type NamespaceLabels = ClusterView['namespaceLabels'];

const NOT_WITH = refuse("node(s) didn't match pod anti-affinity rules", true);
const REFUSED_BY = refuse("node(s) didn't satisfy existing pods anti-affinity rules", true);
const WITH = refuse("node(s) didn't match pod affinity rules");

/** `topologyKey=value` pairs. */
type Domains = ReadonlySet<string>;

/** Builds the filter for one Pod; the nodes are looked through once. */
export function podAffinityFilter(pod: Pod, { nodes, namespaceLabels }: ClusterView): Filter {
  const affinity = pod.spec.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const anti = pod.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const wanted = affinity.map((term) => domainsWith(term, pod, nodes, namespaceLabels));
  const avoided = anti.map((term) => domainsWith(term, pod, nodes, namespaceLabels));
  const refusing = domainsRefusing(pod, nodes, namespaceLabels);
  // The first of a group that wants its own company may go anywhere: otherwise none could ever start.
  const isFirst =
    wanted.every((domains) => domains.size === 0) &&
    affinity.every((term) => matchesTerm(term, pod, pod, namespaceLabels));
  return (node) => {
    const labels = node.node.metadata.labels ?? {};
    const inDomain = (term: PodAffinityTerm, domains: Domains | undefined): boolean =>
      domains?.has(domainOf(term.topologyKey, labels) ?? '') === true;
    const hasKeys = affinity.every(({ topologyKey }) => memberOf(labels, topologyKey) !== undefined);
    if (!hasKeys || (!isFirst && !affinity.every((term, i) => inDomain(term, wanted[i])))) return [WITH];
    if (anti.some((term, i) => inDomain(term, avoided[i]))) return [NOT_WITH];
    for (const [key, value] of Object.entries(labels))
      if (refusing.has(`${key}=${value}`)) return [REFUSED_BY];
    return [];
  };
}

function domainOf(topologyKey: string, labels: Readonly<Record<string, string>>): string | undefined {
  const value = memberOf(labels, topologyKey);
  return value === undefined ? undefined : `${topologyKey}=${value}`;
}

/** Domains that hold a Pod which the term of `owner` selects. */
function domainsWith(
  term: PodAffinityTerm,
  owner: Pod,
  nodes: readonly NodeInfo[],
  namespaceLabels: NamespaceLabels,
): Domains {
  const domains = new Set<string>();
  for (const info of nodes) {
    const domain = domainOf(term.topologyKey, info.node.metadata.labels ?? {});
    if (domain === undefined || domains.has(domain)) continue;
    for (const other of info.pods.values()) {
      if (
        other.metadata.deletionTimestamp === undefined &&
        matchesTerm(term, owner, other, namespaceLabels)
      ) {
        domains.add(domain);
        break;
      }
    }
  }
  return domains;
}

/** Domains whose Pods refuse this one. */
function domainsRefusing(pod: Pod, nodes: readonly NodeInfo[], namespaceLabels: NamespaceLabels): Domains {
  const domains = new Set<string>();
  for (const info of nodes) {
    for (const other of info.podsWithAntiAffinity.values()) {
      for (const term of other.spec.affinity?.podAntiAffinity
        ?.requiredDuringSchedulingIgnoredDuringExecution ?? []) {
        const domain = domainOf(term.topologyKey, info.node.metadata.labels ?? {});
        if (domain !== undefined && matchesTerm(term, other, pod, namespaceLabels)) domains.add(domain);
      }
    }
  }
  return domains;
}

/** Does the term of `owner` select `other`? */
export function matchesTerm(
  term: PodAffinityTerm,
  owner: Pod,
  other: Pod,
  namespaceLabels: NamespaceLabels,
): boolean {
  return (
    matchesNamespace(term, owner, other, namespaceLabels) &&
    matchesSelector(selectorOf(term, owner), other.metadata.labels)
  );
}

function matchesNamespace(
  term: PodAffinityTerm,
  owner: Pod,
  other: Pod,
  namespaceLabels: NamespaceLabels,
): boolean {
  const namespace = other.metadata.namespace ?? '';
  const named = term.namespaces ?? [];
  if (named.includes(namespace)) return true;
  if (term.namespaceSelector !== undefined)
    return matchesSelector(term.namespaceSelector, namespaceLabels(namespace));
  return named.length === 0 && namespace === owner.metadata.namespace;
}

/** The selector with the owner's own values of matchLabelKeys and mismatchLabelKeys put in. */
function selectorOf(term: PodAffinityTerm, owner: Pod): LabelSelector | undefined {
  const labels = owner.metadata.labels ?? {};
  const added: SelectorRequirement[] = [];
  const put = (keys: readonly string[] | undefined, operator: 'In' | 'NotIn'): void => {
    for (const key of keys ?? []) {
      const value = memberOf(labels, key);
      if (value !== undefined) added.push({ key, operator, values: [value] });
    }
  };
  put(term.matchLabelKeys, 'In');
  put(term.mismatchLabelKeys, 'NotIn');
  if (added.length === 0 || term.labelSelector === undefined) return term.labelSelector;
  return {
    ...term.labelSelector,
    matchExpressions: [...(term.labelSelector.matchExpressions ?? []), ...added],
  };
}
