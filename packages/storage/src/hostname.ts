/** The host name that the guest gets by cloud-init and DHCP. */
import type { VirtualMachineInstance } from '@podvisor/api';
import { stripEnd } from '@podvisor/base';

const MAX_LABEL = 63;

/** `spec.hostname`, or the object's name up to its first dot, cut to a DNS label. */
export function guestHostname(vmi: VirtualMachineInstance): string {
  if (vmi.spec.hostname !== undefined && vmi.spec.hostname !== '') return vmi.spec.hostname;
  const label = (vmi.metadata?.name ?? '').split('.')[0] ?? '';
  return stripEnd(label.slice(0, MAX_LABEL), '-');
}
