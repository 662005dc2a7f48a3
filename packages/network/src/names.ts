/**
 * Names of devices in the Pod's network namespace. They are visible to users (Istio's annotation names
 * `k6t-eth0`) and must fit IFNAMSIZ (15 characters), hence the hash.
 */
import { createHash } from 'node:crypto';
import type { Network } from '@podvisor/api';

export const PRIMARY_POD_INTERFACE = 'eth0';
const HASHED = /^pod([0-9a-f]{11})$/;
const ORDINAL = /^net(\d+)$/;

/** True for the network that the Pod's own default network serves. */
export function isPrimary(network: Network): boolean {
  return network.pod !== undefined || network.multus?.default === true;
}

/** Name of the Pod's NIC for this network: `eth0`, or `pod` and 11 hex digits of the network's name. */
export function podInterfaceName(network: Network): string {
  if (isPrimary(network)) return PRIMARY_POD_INTERFACE;
  return `pod${createHash('sha256').update(network.name).digest('hex').slice(0, 11)}`;
}

/** Bridge between the Pod's NIC and the guest's TAP. */
export function bridgeName(podInterface: string): string {
  return `k6t-${HASHED.exec(podInterface)?.[1] ?? podInterface}`;
}

/** TAP device of the guest's NIC. */
export function tapName(podInterface: string): string {
  const suffix = HASHED.exec(podInterface)?.[1] ?? ORDINAL.exec(podInterface)?.[1];
  return `tap${suffix ?? '0'}`;
}

/** Name under which the Pod's own NIC goes on when a placeholder takes its name (bridge binding). */
export function movedInterfaceName(podInterface: string): string {
  return `${HASHED.exec(podInterface)?.[1] ?? podInterface}-nic`;
}
