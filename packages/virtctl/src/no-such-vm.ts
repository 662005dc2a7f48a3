/** What to say of a VM that is not there: what there is instead, and what was meant. */
import type { KubernetesObject } from '@podvisor/api';
import { nearest } from '@podvisor/base';
import { type KubeClient, resources } from '@podvisor/kube';

/** Names of all VMs and VMIs of a namespace; none where they may not be read. */
export async function vmNames(
  client: Pick<KubeClient, 'list'>,
  namespace: string,
): Promise<readonly string[]> {
  const lists = await Promise.all(
    [resources.virtualMachines, resources.virtualMachineInstances].map((resource) =>
      client.list<KubernetesObject>(resource, { namespace }).catch(() => ({ items: [] })),
    ),
  );
  const names = lists.flatMap(({ items }) => items.map(({ metadata }) => metadata?.name ?? ''));
  return [...new Set(names)].toSorted();
}

/** Pure. */
export function noSuchVm(name: string, namespace: string, there: readonly string[]): string {
  const none = `there is no VirtualMachine or VirtualMachineInstance "${name}" in namespace "${namespace}"`;
  if (there.length === 0) return `${none}; other namespaces: kubectl get vm -A`;
  const near = nearest(name, there);
  const some = `${there.slice(0, 8).join(', ')}${there.length > 8 ? ', …' : ''}`;
  return `${none}; there are: ${some}${near === undefined ? '' : ` (did you mean "${near}"?)`}`;
}
