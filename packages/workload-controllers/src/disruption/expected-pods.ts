/** How many Pods the owners of some Pods want, whatever kind they are. */
import { controllerOf, type KubernetesObject, type OwnerReference, type Pod } from '@podvisor/api';
import { isStatus } from '@podvisor/base';
import type { KubeClient } from '@podvisor/kube';

/** Whoever may create a Pod writes any owner into it; what is no part of a path is none of the API's. */
const API_VERSION = /^(?:[a-z0-9]+(?:[.-][a-z0-9]+)*\/)?v[0-9a-z]+$/;
const KIND = /^[A-Za-z][A-Za-z0-9]*$/;

/** Kinds whose Pods are one each: there is no scale to ask for. */
const SINGLES: ReadonlySet<string> = new Set(['VirtualMachineInstance', 'Node']);

/**
 * The sum of the sizes of all owners; undefined when one has none. `plural` gives the path of a kind, as
 * discovery tells it. A Pod without an owner makes the sum unknown, as in Kubernetes; a VM counts as one.
 */
export async function expectedPods(
  client: Pick<KubeClient, 'request'>,
  pods: readonly Pod[],
  known: (namespace: string, owner: OwnerReference) => KubernetesObject | undefined,
  signal: AbortSignal,
): Promise<number | undefined> {
  let total = 0;
  const seen = new Set<string>();
  for (const pod of pods) {
    const owner = controllerOf(pod);
    if (owner === undefined) return undefined;
    const { namespace = '' } = pod.metadata;
    const top = controllerOfOwner(known(namespace, owner)) ?? owner;
    if (seen.has(top.uid)) continue;
    seen.add(top.uid);
    const size = SINGLES.has(top.kind) ? 1 : await sizeOf(client, namespace, top, signal);
    if (size === undefined) return undefined;
    total += size;
  }
  return total;
}

/** The Deployment above a ReplicaSet. */
function controllerOfOwner(owner: KubernetesObject | undefined): OwnerReference | undefined {
  return owner === undefined ? undefined : controllerOf(owner);
}

async function sizeOf(
  client: Pick<KubeClient, 'request'>,
  namespace: string,
  { apiVersion, kind, name }: OwnerReference,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (!API_VERSION.test(apiVersion) || !KIND.test(kind)) return undefined;
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const path = `${root}/namespaces/${namespace}/${kind.toLowerCase()}s/${encodeURIComponent(name)}/scale`;
  try {
    const scale = await client.request<{ readonly spec?: { readonly replicas?: number } }>(
      { method: 'GET', path },
      signal,
    );
    return scale.spec?.replicas ?? 0;
  } catch (error) {
    if (isStatus(error, 'NotFound')) return undefined;
    throw error;
  }
}
