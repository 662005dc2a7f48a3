import type { PersistentVolumeClaim, Pod } from '../types/index.ts';

/** Pods that name the claim and have not finished. */
export function usersOf(claim: PersistentVolumeClaim, pods: readonly Pod[]): Pod[] {
  return pods.filter(
    ({ spec, status }) =>
      status?.phase !== 'Succeeded' &&
      status?.phase !== 'Failed' &&
      spec.volumes?.some((volume) => volume.persistentVolumeClaim?.claimName === claim.metadata.name) ===
        true,
  );
}
