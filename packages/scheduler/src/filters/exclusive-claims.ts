/** A claim of access mode ReadWriteOncePod belongs to one Pod at a time, wherever that is. */
import type { PersistentVolumeClaim, Pod } from '@podvisor/api';
import type { NodeInfo } from '../node-info.ts';
import { type ClusterView, type Filter, refuse } from '../types.ts';

const IN_USE = [
  refuse(
    'node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode',
    true,
  ),
];

export function isExclusive(claim: PersistentVolumeClaim | undefined): boolean {
  return claim?.spec.accessModes?.includes('ReadWriteOncePod') === true;
}

/** `view.nodes`: with the Pods that would be there. */
export function exclusiveClaimsFilter(pod: Pod, view: Pick<ClusterView, 'nodes' | 'claim'>): Filter {
  const exclusive = claimsOf(pod).filter((key) => isExclusive(view.claim(key)));
  if (exclusive.length === 0) return () => [];
  const isTaken = view.nodes.some((node) => holds(node, exclusive));
  return () => (isTaken ? IN_USE : []);
}

function holds({ pods }: NodeInfo, keys: readonly string[]): boolean {
  return [...pods.values()].some((other) => claimsOf(other).some((key) => keys.includes(key)));
}

/** `namespace/name` of every claim. */
function claimsOf({ metadata, spec }: Pod): readonly string[] {
  return (spec.volumes ?? []).flatMap(({ persistentVolumeClaim }) =>
    persistentVolumeClaim === undefined ? [] : [`${metadata.namespace}/${persistentVolumeClaim.claimName}`],
  );
}
