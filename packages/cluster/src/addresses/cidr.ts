/** IPv4 prefixes. Pure. */

/** True when the address is in the prefix; false for what is not IPv4. */
export function isInCidr(address: string, cidr: string): boolean {
  const [network = '', length = ''] = cidr.split('/');
  const [a, b] = [number(address), number(network)];
  if (a === undefined || b === undefined) return false;
  const size = 2 ** (32 - Number(length));
  return Math.floor(a / size) === Math.floor(b / size);
}

/** The first address after the network's own: the gateway of a Pod range. */
export function firstAddress(cidr: string): string {
  const network = number(cidr.split('/')[0] ?? '') ?? 0;
  return [24, 16, 8, 0].map((shift) => ((network + 1) >>> shift) & 255).join('.');
}

function number(address: string): number | undefined {
  const octets = address.split('.').map(Number);
  if (octets.length !== 4 || octets.some((o) => !Number.isInteger(o) || o < 0 || o > 255)) return undefined;
  return octets.reduce((sum, octet) => sum * 256 + octet, 0);
}
