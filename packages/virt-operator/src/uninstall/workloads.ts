/** Guests and what makes them: found, deleted, and let go where nobody is left to do it. */
import type { KubernetesObject } from '@podvisor/api';
import { isStatus } from '@podvisor/base';
import { defineResource, type KubeClient, type ListOptions, type Resource, resources } from '@podvisor/kube';

/** What makes others comes first, so that nothing is made anew. */
const WORKLOADS: readonly Resource[] = [
  defineResource('VirtualMachinePool', 'virtualmachinepools', 'pool.kubevirt.io/v1beta1'),
  defineResource('VirtualMachineInstanceReplicaSet', 'virtualmachineinstancereplicasets', 'kubevirt.io/v1'),
  defineResource('VirtualMachine', 'virtualmachines', 'kubevirt.io/v1'),
  defineResource('VirtualMachineInstanceMigration', 'virtualmachineinstancemigrations', 'kubevirt.io/v1'),
  defineResource('VirtualMachineInstance', 'virtualmachineinstances', 'kubevirt.io/v1'),
];

type WorkloadClient = Pick<KubeClient, 'list' | 'delete' | 'patch'>;

export async function listWorkloads(
  client: WorkloadClient,
  signal: AbortSignal,
): Promise<KubernetesObject[]> {
  const lists = await Promise.all(WORKLOADS.map((resource) => listIfServed(client, resource, {}, signal)));
  return lists.flat();
}

/** Nothing, when the kind is gone already. */
async function listIfServed(
  client: WorkloadClient,
  resource: Resource,
  options: ListOptions,
  signal: AbortSignal,
): Promise<readonly KubernetesObject[]> {
  try {
    return (await client.list(resource, options, signal)).items;
  } catch (error) {
    if (isStatus(error, 'NotFound')) return [];
    throw error;
  }
}

/** Pods of guests outlive their VMI for a moment. */
export async function countGuestPods(client: WorkloadClient, signal: AbortSignal): Promise<number> {
  const { items } = await client.list(resources.pods, { labelSelector: 'kubevirt.io=virt-launcher' }, signal);
  return items.length;
}

/** One is as good as many: claims and what is in them go with their DataVolume. */
export async function countDataVolumes(client: WorkloadClient, signal: AbortSignal): Promise<number> {
  return (await listIfServed(client, resources.dataVolumes, { limit: 1 }, signal)).length;
}

/** `force`: finalizers are taken away; the Pods of guests then go with their owners. */
export async function endWorkloads(
  client: WorkloadClient,
  objects: readonly KubernetesObject[],
  force: boolean,
  signal: AbortSignal,
): Promise<void> {
  await Promise.all(
    objects.map(async (object) => {
      const { name = '', namespace, deletionTimestamp, finalizers = [] } = object.metadata ?? {};
      const resource = WORKLOADS.find(({ kind }) => kind === object.kind);
      if (resource === undefined) return;
      const key = { namespace, name };
      try {
        if (deletionTimestamp === undefined)
          await client.delete(resource, key, { propagationPolicy: 'Background' }, signal);
        else if (force && finalizers.length > 0) {
          const body = { metadata: { finalizers: null } };
          await client.patch(resource, key, { type: 'merge', body }, signal);
        }
      } catch (error) {
        if (!isStatus(error, 'NotFound')) throw error;
      }
    }),
  );
}
