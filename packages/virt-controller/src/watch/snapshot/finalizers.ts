/** One finalizer of an object, set or taken away without touching the others. */
import type { KubernetesObject } from '@podvisor/api';
import { type KubeClient, type Resource, patchGuarded, guardedChange, ignoreNotFound } from '@podvisor/kube';

export async function setFinalizer<T extends KubernetesObject>(
  client: Pick<KubeClient, 'patch'>,
  resource: Resource<T>,
  object: T,
  finalizer: string,
  isWanted: boolean,
  signal: AbortSignal,
): Promise<void> {
  const old = object.metadata?.finalizers;
  if ((old?.includes(finalizer) ?? false) === isWanted) return;
  const value = isWanted ? [...(old ?? []), finalizer] : (old ?? []).filter((name) => name !== finalizer);
  const patch = guardedChange('/metadata/finalizers', old, value);
  const { namespace, name = '' } = object.metadata ?? {};
  await ignoreNotFound(patchGuarded(client, resource, { namespace, name }, patch, signal));
}
