/** First address of the Pod range: the bridge, which is how Pods reach the API server. Empty for IPv6. */
export function podGateway(podCidr: string): string[] {
  const [address = '', prefix = ''] = podCidr.split('/');
  const octets = address.split('.').map(Number);
  if (octets.length !== 4 || prefix === '' || octets.some((octet) => !(octet >= 0 && octet <= 255)))
    return [];
  const value = octets.reduce((sum, octet) => sum * 256 + octet, 0);
  const size = 2 ** (32 - Number(prefix));
  const gateway = Math.floor(value / size) * size + 1;
  return [[24, 16, 8, 0].map((shift) => Math.floor(gateway / 2 ** shift) % 256).join('.')];
}
