/**
 * The gateway of Pods, the same on every node: a guest that migrates finds it under the address that it remembers.
 * The Pod bridges are on no cable with each other.
 */
import { ipFamily, ipValue } from '@podvisor/base';

/** Link-local address of every Pod bridge, where Pods have IPv6. */
export const GATEWAY6 = 'fe80::1';

/** Hardware address of the Pod bridge. */
export function anycastMac(podCidr: string): string {
  const network = podCidr.split('/')[0] ?? '';
  const value = ipValue(network);
  // Of an IPv6 network, the middle of its 64 bits tells instances apart.
  const tail = ipFamily(network) === 6 ? (value >> 80n) & 0xffff_ffffn : value;
  const bytes = [24n, 16n, 8n, 0n].map((shift) => (tail >> shift) & 0xffn);
  return ['02', '67', ...bytes.map((byte) => byte.toString(16).padStart(2, '0'))].join(':');
}
