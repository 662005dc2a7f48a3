/**
 * Hardware address of the Pod bridge, the same on all nodes: a guest that migrates finds its gateway under the
 * address that it remembers. The bridges are on no cable with each other.
 */
export function anycastMac(podCidr: string): string {
  const octets = (podCidr.split('/')[0] ?? '').split('.').map(Number);
  return ['02', '67', ...octets.map((octet) => octet.toString(16).padStart(2, '0'))].join(':');
}
