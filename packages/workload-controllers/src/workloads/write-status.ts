/** Writes the status of an object when it differs from what the API has. */
import type { KubernetesObject } from '@podvisor/api';
import { type KubeClient, type Resource, ignoreNotFound } from '@podvisor/kube';
import { canonical } from './template-hash.ts';

/** Absent fields count as absent, also when they are there and undefined. True when something was written. */
export async function writeStatus<T extends KubernetesObject & { readonly status?: object }>(
  client: Pick<KubeClient, 'updateStatus'>,
  resource: Resource<T>,
  object: T,
  status: NonNullable<T['status']>,
  signal: AbortSignal,
): Promise<boolean> {
  if (canonical(object.status ?? {}) === canonical(status)) return false;
  await ignoreNotFound(client.updateStatus(resource, { ...object, status }, {}, signal));
  return true;
}
