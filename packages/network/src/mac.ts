/** MAC addresses that we choose. */
import { createHash } from 'node:crypto';

/** A locally administered MAC address that follows from the NIC's own: a repeated plan finds the same. */
export function substituteMac(mac: string): string {
  const hex = createHash('sha256').update(`podvisor ${mac}`).digest('hex');
  return ['02', ...Array.from({ length: 5 }, (_, i) => hex.slice(i * 2, i * 2 + 2))].join(':');
}
