/** Tells of every change of the bench's VMIs, by a watch; resolves when those that were there have been told. */
import type { VirtualMachineInstance } from '@podvisor/api';
import { Informer, type KubeClient, resources } from '@podvisor/kube';
import { NAMESPACE } from './start.ts';

export async function followVmis(
  client: KubeClient,
  look: (vmi: VirtualMachineInstance) => void,
  signal: AbortSignal,
): Promise<void> {
  const vmis = new Informer<VirtualMachineInstance>({
    client,
    resource: resources.virtualMachineInstances,
    namespace: NAMESPACE,
  });
  vmis.on({ add: look, update: look, delete: look });
  vmis.start(signal);
  await vmis.synced();
}
