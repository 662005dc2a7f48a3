/** JSON patches that hold only while the tested values are what we saw. */
import type { KubernetesObject } from '@podvisor/api';
import { isStatus, StatusError } from '@podvisor/base';
import type { JsonPatchOperation, KubeClient, ObjectKey, Resource } from '@podvisor/kube';

/**
 * Sends the patch. A `test` that fails comes back as "invalid"; what it means is that somebody else was
 * faster, so it is thrown as the conflict that it is: the next pass sees the newer object.
 */
export async function patchGuarded<T extends KubernetesObject>(
  client: Pick<KubeClient, 'patch'>,
  resource: Resource<T>,
  key: ObjectKey,
  body: readonly JsonPatchOperation[],
  signal: AbortSignal,
  subresource?: string,
): Promise<void> {
  try {
    await client.patch(resource, key, { type: 'json', body, subresource }, signal);
  } catch (error) {
    if (!isStatus(error, 'Invalid') || !body.some(({ op }) => op === 'test')) throw error;
    throw new StatusError('Conflict', error.message, { cause: error });
  }
}
