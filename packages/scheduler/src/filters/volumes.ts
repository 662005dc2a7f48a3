/** Claims must be bound, and their volumes reachable from the node. */
import type { PersistentVolume, Pod } from '@podvisor/api';
import { type ClusterView, type Filter, refuse } from '../types.ts';
import { matchesNodeSelector } from './node-affinity.ts';

/** The Pod cannot go anywhere yet: its storage is not there. */
export type VolumesReady =
  | { readonly kind: 'ready'; readonly volumes: readonly PersistentVolume[] }
  | { readonly kind: 'waiting'; readonly reason: string };

/** Looks up the volumes behind the Pod's claims. */
export function podVolumes(pod: Pod, view: Pick<ClusterView, 'claim' | 'volume'>): VolumesReady {
  const volumes: PersistentVolume[] = [];
  for (const source of pod.spec.volumes ?? []) {
    const name = source.persistentVolumeClaim?.claimName;
    if (name === undefined) continue;
    const claim = view.claim(`${pod.metadata.namespace}/${name}`);
    if (claim === undefined) return { kind: 'waiting', reason: `persistentvolumeclaim "${name}" not found` };
    if (claim.metadata.deletionTimestamp !== undefined) {
      return { kind: 'waiting', reason: `persistentvolumeclaim "${name}" is being deleted` };
    }
    const volume = view.volume(claim.spec.volumeName ?? '');
    if (claim.status?.phase !== 'Bound' || volume === undefined) {
      return { kind: 'waiting', reason: 'pod has unbound immediate PersistentVolumeClaims' };
    }
    volumes.push(volume);
  }
  return { kind: 'ready', volumes };
}

const UNREACHABLE = [refuse("node(s) didn't match PersistentVolume's node affinity")];

export function volumesFilter(volumes: readonly PersistentVolume[]): Filter {
  return ({ node, name }) => {
    const labels = node.metadata.labels ?? {};
    const reachable = volumes.every(({ spec }) => {
      const required = spec.nodeAffinity?.required;
      return required === undefined || matchesNodeSelector(required, labels, name);
    });
    return reachable ? [] : UNREACHABLE;
  };
}
