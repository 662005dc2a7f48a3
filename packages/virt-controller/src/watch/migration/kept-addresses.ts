/** Whether a VM keeps its addresses when it moves: its cluster's network decides, and the target Pod shows it. Pure. */
import { type Pod, type VirtualMachineInstance, podAddresses } from '@podvisor/api';

/** What changes, in words for the one who has connections into the guest; undefined: nothing does, or nobody knows. */
export function addressChange(
  { spec }: VirtualMachineInstance,
  source: Pod | undefined,
  target: Pod,
): string | undefined {
  const isOnPodNetwork = (spec.networks ?? []).some(
    ({ pod, multus }) => pod !== undefined || multus?.default,
  );
  const [before, after] = [podAddresses(source), podAddresses(target)];
  if (!isOnPodNetwork || before.length === 0 || after.length === 0) return undefined;
  if (before.every((address) => after.includes(address))) return undefined;
  return `The network of this cluster does not keep a VM's address: with this migration ${before.join(', ')} becomes ${after.join(', ')}. Connections into the guest end; Services follow.`;
}
