/** Which Pods stand still while a volume is copied. Pure. */
import { ownerKinds, type Pod, saidOwners } from '@podvisor/api';

/**
 * UIDs of the writers, and of Pods that they hold the volume for. Whoever may write Pods may write any owner into them:
 * an owner counts when a Pod of that name and UID is there, in the same namespace. Otherwise a tenant's snapshot would
 * stop another's guest.
 */
export function podsToPause(
  writers: readonly Pod[],
  podOf: (key: string) => Pod | undefined,
): readonly string[] {
  const owners = writers.flatMap((writer) =>
    saidOwners(writer, ownerKinds.pod)
      .filter(({ name, uid }) => podOf(`${writer.metadata.namespace}/${name}`)?.metadata.uid === uid)
      .map(({ uid }) => uid),
  );
  return [...new Set([...writers.map(({ metadata }) => metadata.uid ?? ''), ...owners])];
}
