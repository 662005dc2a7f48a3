/** Which Pods nobody will ever finish, and which finished ones are too many. Pure. */
import { type Pod, isPodEnded } from '@podvisor/api';

/** What is known about the node that a Pod is bound to. */
export type NodePresence = 'present' | 'unknown' | 'absent';

export interface PodGcObservation {
  readonly pod: Pod;
  readonly node: NodePresence;
  /** Milliseconds since its Node object was first missed; undefined: it was not. */
  readonly missedForMs?: number;
  /** It is one of the finished Pods beyond the limit. */
  readonly isSurplus: boolean;
}

export type PodGcPlan =
  | { readonly kind: 'keep' }
  /** Its Node object may be about to be registered again. */
  | { readonly kind: 'wait'; readonly ms: number }
  /** Its node seems gone: only the server can tell. */
  | { readonly kind: 'check-node' }
  | { readonly kind: 'remove' }
  | { readonly kind: 'collect'; readonly markFailed: boolean; readonly reason: string };

/** A Node object that is missing may be about to be registered again. */
const QUARANTINE_MS = 40_000;

/**
 * A Pod is collected when its Node object is proven absent (then its kubelet will never report again), or
 * when it was deleted before it got a node. A node that does not answer is not absent.
 */
export function planPodGc({ pod, node, missedForMs = 0, isSurplus }: PodGcObservation): PodGcPlan {
  const rest: PodGcPlan = isSurplus ? { kind: 'remove' } : { kind: 'keep' };
  const nodeName = pod.spec.nodeName ?? '';
  if (nodeName === '') {
    if (pod.metadata.deletionTimestamp === undefined) return rest;
    return { kind: 'collect', markFailed: false, reason: 'deleted before it had a node' };
  }
  if (node === 'present') return rest;
  if (node === 'unknown')
    return missedForMs < QUARANTINE_MS
      ? { kind: 'wait', ms: QUARANTINE_MS - missedForMs }
      : { kind: 'check-node' };
  return { kind: 'collect', markFailed: !isPodEnded(pod), reason: `node ${nodeName} does not exist` };
}

/** The oldest of these finished Pods beyond the limit. */
export function surplus(finished: readonly Pod[], limit: number): readonly Pod[] {
  if (finished.length <= limit) return [];
  const created = (pod: Pod): string => pod.metadata.creationTimestamp ?? '';
  return finished.toSorted((a, b) => (created(a) < created(b) ? -1 : 1)).slice(0, finished.length - limit);
}
