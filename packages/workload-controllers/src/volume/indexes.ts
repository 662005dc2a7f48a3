/** What the caches of claims, volumes and Pods need, from before their first objects, so that nobody scans them. */
import {
  ownerKinds,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Pod,
  saidOwners,
} from '@podvisor/api';
import type { Indexers } from '@podvisor/kube';

/** Values of the index `waiting`: claims that are not bound, and those of them that another object fills. */
export const UNBOUND = 'unbound';
export const FED = 'fed';

export const claimIndexes: Indexers<PersistentVolumeClaim> = {
  waiting: (claim) => {
    if (claim.status?.phase === 'Bound') return [];
    return isFed(claim) ? [UNBOUND, FED] : [UNBOUND];
  },
  class: ({ spec }) => (spec.storageClassName === undefined ? [] : [spec.storageClassName]),
};

export const volumeIndexes: Indexers<PersistentVolume> = {
  /** By the claim that it is bound to or reserved for. */
  claim: ({ spec: { claimRef } }) =>
    claimRef === undefined ? [] : [`${claimRef.namespace}/${claimRef.name}`],
  /** Those that no claim has, by class; without one, ''. */
  free: ({ spec }) => (spec.claimRef === undefined ? [spec.storageClassName ?? ''] : []),
};

export const podClaimIndexes: Indexers<Pod> = { claim: claimNamesOf };

/** Keys of the claims that a Pod names. */
export function claimNamesOf({ metadata, spec }: Pod): readonly string[] {
  return (spec.volumes ?? [])
    .flatMap(({ persistentVolumeClaim: found }) => found ?? [])
    .map(({ claimName }) => `${metadata.namespace}/${claimName}`);
}

function isFed(claim: PersistentVolumeClaim): boolean {
  const { spec } = claim;
  return (
    saidOwners(claim, ownerKinds.dataVolume).length > 0 ||
    spec.dataSource !== undefined ||
    spec.dataSourceRef !== undefined
  );
}
