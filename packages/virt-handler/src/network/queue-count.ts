/** How many queue pairs the TAP of a NIC has. It must be opened the way it was made, or QEMU cannot. Pure. */
import type { Interface, VirtualMachineInstance } from '@podvisor/api';
import { cpuTopology, vcpuCountOf } from '@podvisor/translate';

const MAX_QUEUES = 256;

/**
 * One for each vCPU when multiqueue is asked for and the NIC's model can do it. A domain keeps its queues as long as
 * it runs, so what is known of it counts more than vCPUs that came later.
 */
export function queueCount(
  { spec, status }: Pick<VirtualMachineInstance, 'spec' | 'status'>,
  { name, model }: Interface,
): number {
  const isVirtio = model === undefined || model === '' || model === 'virtio';
  if (spec.domain.devices.networkInterfaceMultiqueue !== true || !isVirtio) return 1;
  const known = status?.interfaces?.find((nic) => nic.name === name)?.queueCount ?? 0;
  return known > 0 ? known : Math.min(vcpuCountOf(cpuTopology(spec)), MAX_QUEUES);
}
