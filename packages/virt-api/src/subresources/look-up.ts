/** Reads an object that may not be there, for a decider to judge. */
import type { KubernetesObject } from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import type { KubeClient, ObjectKey, Resource } from '@podvisor/kube';
import type { Lookup } from './decision.ts';

export async function lookUp<T extends KubernetesObject>(
  client: Pick<KubeClient, 'find'>,
  resource: Resource<T>,
  key: ObjectKey,
  signal: AbortSignal,
): Promise<Lookup<T>> {
  try {
    const object = await client.find(resource, key, signal);
    return object === undefined ? { kind: 'absent' } : { kind: 'found', object };
  } catch (error) {
    return { kind: 'failed', message: messageOf(error) };
  }
}
