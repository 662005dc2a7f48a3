/** MAC addresses that we choose. */
import { createHash } from 'node:crypto';

/** A locally administered MAC address that follows from the NIC's own: a repeated plan finds the same. */
export function substituteMac(mac: string): string {
  const hex = createHash('sha256').update(`podvisor ${mac}`).digest('hex');
  return ['02', ...Array.from({ length: 5 }, (_, i) => hex.slice(i * 2, i * 2 + 2))].join(':');
}

/** The link-local address that a NIC of this MAC address has by RFC 4291, appendix A. */
export function linkLocalOf(mac: string): string {
  const [a = 0, ...rest] = mac.split(':').map((byte) => Number.parseInt(byte, 16));
  const id = [a ^ 2, ...rest.slice(0, 2), 0xff, 0xfe, ...rest.slice(2)];
  const words = [0, 2, 4, 6].map((at) => (((id[at] ?? 0) << 8) | (id[at + 1] ?? 0)).toString(16));
  return `fe80::${words.join(':')}`;
}
