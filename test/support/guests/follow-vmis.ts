/** Tells of every change of the VMIs of a namespace, by a watch; resolves when those that were there have been told. */
import type { VirtualMachineInstance } from '@podvisor/api';
import { Informer, type KubeClient, resources } from '@podvisor/kube';

export async function followVmis(
  client: KubeClient,
  namespace: string,
  look: (vmi: VirtualMachineInstance) => void,
  signal: AbortSignal,
): Promise<void> {
  const vmis = new Informer<VirtualMachineInstance>({
    client,
    resource: resources.virtualMachineInstances,
    namespace,
  });
  vmis.on({ add: look, update: look, delete: look });
  vmis.start(signal);
  await vmis.synced();
}
