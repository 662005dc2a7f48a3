/** nodeSelector and required node affinity. */
import { memberOf } from '@podvisor/base';
import { type NodeSelector, type NodeSelectorTerm, type Pod, matchesRequirement } from '@podvisor/api';
import type { NodeInfo } from '../node-info.ts';
import { type Filter, refuse } from '../types.ts';

const REFUSAL = [refuse("node(s) didn't match Pod's node affinity/selector")];

export function nodeAffinityFilter(pod: Pod): Filter {
  return (node) => (matchesNodeAffinity(pod, node) ? [] : REFUSAL);
}

/** True when the node satisfies the Pod's nodeSelector and required node affinity. */
export function matchesNodeAffinity(pod: Pod, { node }: NodeInfo): boolean {
  const labels = node.metadata.labels ?? {};
  for (const [key, value] of Object.entries(pod.spec.nodeSelector ?? {})) {
    if (memberOf(labels, key) !== value) return false;
  }
  const required = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required === undefined || matchesNodeSelector(required, labels, node.metadata.name ?? '');
}

/** Terms are alternatives; the requirements of one term all hold. */
export function matchesNodeSelector(
  selector: NodeSelector,
  labels: Readonly<Record<string, string>>,
  name: string,
): boolean {
  return selector.nodeSelectorTerms.some((term) => matchesTerm(term, labels, name));
}

/** A term without requirements matches nothing. */
export function matchesTerm(
  term: NodeSelectorTerm,
  labels: Readonly<Record<string, string>>,
  name: string,
): boolean {
  const expressions = term.matchExpressions ?? [];
  const fields = term.matchFields ?? [];
  if (expressions.length + fields.length === 0) return false;
  return (
    expressions.every((requirement) => matchesRequirement(requirement, labels)) &&
    fields.every((requirement) => matchesRequirement(requirement, { 'metadata.name': name }))
  );
}
