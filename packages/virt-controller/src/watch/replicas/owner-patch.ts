/** Adopting an object and letting it go: a change of its owner references that holds only for this very object. */
import type { KubernetesObject, OwnerReference } from '@podvisor/api';
import { type KubeClient, type Resource, ignoreNotFound } from '@podvisor/kube';
import { controllerReference, withOwner } from '../ownership.ts';

type Patcher = Pick<KubeClient, 'patch'>;

/** Sets the owner references; the resourceVersion guards the list. */
export async function setOwners<T extends KubernetesObject>(
  client: Patcher,
  resource: Resource<T>,
  { metadata }: KubernetesObject,
  ownerReferences: readonly OwnerReference[],
  signal: AbortSignal,
): Promise<void> {
  const { namespace, name = '', resourceVersion, uid } = metadata ?? {};
  const body = { metadata: { uid, resourceVersion, ownerReferences } };
  // What is gone needs no owner.
  await ignoreNotFound(client.patch(resource, { namespace, name }, { type: 'merge', body }, signal));
}

/** The references with `owner` as manager. */
export function withManager(
  object: KubernetesObject,
  owner: KubernetesObject,
  apiVersion: string,
  kind: string,
): readonly OwnerReference[] {
  return withOwner(object, controllerReference(owner, apiVersion, kind));
}
