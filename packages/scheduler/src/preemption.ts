/**
 * Making room: which Pods of lower priority would have to go so that this one fits. As few and as
 * unimportant as possible; Pods that are going already are waited for, not replaced by new victims.
 */
import type { Pod } from '@podvisor/api';
import { type NodeInfo, NodeState } from './node-info.ts';
import { keyOf } from '@podvisor/kube';

export interface Preemption {
  readonly node: string;
  readonly victims: readonly Pod[];
}

const priorityOf = (pod: Pod): number => pod.spec.priority ?? 0;

/** The best node to make room on; undefined when no set of victims helps. */
export function findPreemption(
  pod: Pod,
  candidates: readonly NodeInfo[],
  all: readonly NodeInfo[],
  fits: (nodes: readonly NodeInfo[], node: NodeInfo) => boolean,
): Preemption | undefined {
  const options: Preemption[] = [];
  for (const candidate of candidates) {
    const victims = victimsOn(pod, candidate, (state) => {
      return fits(
        all.map((node) => (node.name === candidate.name ? state : node)),
        state,
      );
    });
    if (victims !== undefined) options.push({ node: candidate.name, victims });
  }
  return options.toSorted((a, b) => highest(a) - highest(b) || a.victims.length - b.victims.length)[0];
}

const highest = ({ victims }: Preemption): number =>
  Math.max(Number.NEGATIVE_INFINITY, ...victims.map(priorityOf));

function victimsOn(pod: Pod, node: NodeInfo, fits: (state: NodeState) => boolean): Pod[] | undefined {
  const lower = [...node.pods.values()].filter((other) => priorityOf(other) < priorityOf(pod));
  if (lower.length === 0) return undefined;
  const state = new NodeState(node.node, node.pods.values());
  for (const other of lower) state.removePod(keyOf(other));
  if (!fits(state)) return undefined;
  const victims: Pod[] = [];
  // Let each one back in that does not stand in the way, the most important first.
  for (const other of lower.toSorted((a, b) => priorityOf(b) - priorityOf(a) || age(a) - age(b))) {
    state.addPod(other);
    if (other.metadata.deletionTimestamp === undefined && fits(state)) continue;
    state.removePod(keyOf(other));
    victims.push(other);
  }
  return victims;
}

const age = (pod: Pod): number => Date.parse(pod.metadata.creationTimestamp ?? '') || 0;
