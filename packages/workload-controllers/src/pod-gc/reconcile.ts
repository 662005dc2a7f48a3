/** Which Pods nobody will ever finish. Pure. */
import type { Pod } from '@podvisor/api';

/** What is known about the node that a Pod is bound to. */
export type NodePresence = 'present' | 'unknown' | 'absent';

export type PodFate =
  | { readonly kind: 'keep' }
  /** Its node may be gone: ask the server, after a while. */
  | { readonly kind: 'check-node' }
  | { readonly kind: 'collect'; readonly markFailed: boolean; readonly reason: string };

/**
 * A Pod is collected when its Node object is proven absent (then its kubelet will never report again), or
 * when it was deleted before it got a node. A node that does not answer is not absent.
 */
export function fateOf(pod: Pod, node: NodePresence): PodFate {
  const nodeName = pod.spec.nodeName ?? '';
  if (nodeName === '') {
    if (pod.metadata.deletionTimestamp === undefined) return { kind: 'keep' };
    return { kind: 'collect', markFailed: false, reason: 'deleted before it had a node' };
  }
  if (node === 'present') return { kind: 'keep' };
  if (node === 'unknown') return { kind: 'check-node' };
  const finished = pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
  return { kind: 'collect', markFailed: !finished, reason: `node ${nodeName} does not exist` };
}

/** The oldest finished Pods beyond the limit. */
export function surplus(pods: readonly Pod[], limit: number): Pod[] {
  const finished = pods.filter(({ status, metadata }) => {
    return (
      (status?.phase === 'Succeeded' || status?.phase === 'Failed') &&
      metadata.deletionTimestamp === undefined
    );
  });
  if (finished.length <= limit) return [];
  const created = (pod: Pod): string => pod.metadata.creationTimestamp ?? '';
  return finished.toSorted((a, b) => (created(a) < created(b) ? -1 : 1)).slice(0, finished.length - limit);
}
