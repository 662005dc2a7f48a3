/** Writes the status of an object when it differs from what the API has. */
import type { KubernetesObject } from '@podvisor/api';
import { isStatus } from '@podvisor/base';
import { type KubeClient, type Resource } from '@podvisor/kube';
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
  try {
    await client.updateStatus(resource, { ...object, status }, {}, signal);
  } catch (error) {
    if (!isStatus(error, 'NotFound')) throw error;
  }
  return true;
}
