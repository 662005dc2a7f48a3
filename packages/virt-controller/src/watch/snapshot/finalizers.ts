/** One finalizer of an object, set or taken away without touching the others. */
import type { KubernetesObject } from '@podvisor/api';
import { isStatus } from '@podvisor/base';
import type { JsonPatchOperation, KubeClient, Resource } from '@podvisor/kube';
import { patchGuarded } from '../guarded-patch.ts';

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
  const path = '/metadata/finalizers';
  const test: readonly JsonPatchOperation[] = old === undefined ? [] : [{ op: 'test', path, value: old }];
  const { namespace, name = '' } = object.metadata ?? {};
  try {
    await patchGuarded(client, resource, { namespace, name }, [...test, { op: 'add', path, value }], signal);
  } catch (error) {
    if (!isStatus(error, 'NotFound')) throw error;
  }
}
