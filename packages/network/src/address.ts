/** IPv4 and IPv6 prefixes as text and number: just enough to count addresses inside one. */
import { isIPv4, isIPv6 } from 'node:net';

/** `base` + `offset` of a prefix such as `10.0.2.0/24`, as `{address, prefixLength}`. Throws on bad text. */
export function addressIn(
  cidr: string,
  offset: number,
): { readonly address: string; readonly prefixLength: number } {
  const [base = '', length = ''] = cidr.split('/');
  const prefixLength = Number(length);
  if (isIPv4(base)) {
    const mask = ipv4Mask(prefixLength);
    return { address: ipv4Text(((parseIpv4(base) & mask) >>> 0) + offset), prefixLength };
  }
  if (isIPv6(base)) {
    const number = parseIpv6(base) & (((1n << BigInt(prefixLength)) - 1n) << BigInt(128 - prefixLength));
    return { address: ipv6Text(number + BigInt(offset)), prefixLength };
  }
  throw new Error(`"${cidr}" is not a network prefix`);
}

/** Netmask as a number. */
export function ipv4Mask(prefixLength: number): number {
  return prefixLength === 0 ? 0 : (0xffff_ffff << (32 - prefixLength)) >>> 0;
}

export function parseIpv4(text: string): number {
  if (!isIPv4(text)) throw new Error(`"${text}" is not an IPv4 address`);
  return text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

export function ipv4Text(value: number): string {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff).join('.');
}

/** The address as a number; `text` without a zone. Throws on bad text. */
export function parseIpv6(text: string): bigint {
  if (!isIPv6(text) || text.includes('%')) throw new Error(`"${text}" is not an IPv6 address`);
  if (text.includes('.')) return parseMapped(text);
  const [head = '', tail] = text.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: tail === undefined ? 0 : 8 - left.length - right.length }, () => '0');
  return [...left, ...zeros, ...right].reduce((sum, part) => (sum << 16n) + BigInt(`0x${part}`), 0n);
}

/** `::ffff:192.0.2.1`: the last two groups in IPv4's notation. */
function parseMapped(text: string): bigint {
  const at = text.lastIndexOf(':') + 1;
  const last = parseIpv4(text.slice(at));
  return parseIpv6(`${text.slice(0, at)}${(last >>> 16).toString(16)}:${(last & 0xffff).toString(16)}`);
}

/** The 16 bytes of an address, in network order. */
export function ipv6Bytes(text: string): Uint8Array {
  const value = parseIpv6(text);
  return Uint8Array.from({ length: 16 }, (_, i) => Number((value >> BigInt(120 - i * 8)) & 0xffn));
}

/** An address from its 16 bytes. */
export function ipv6FromBytes(bytes: Uint8Array): string {
  return ipv6Text(bytes.reduce((sum, byte) => (sum << 8n) + BigInt(byte), 0n));
}

/** The six bytes of a MAC address. */
export function macBytes(mac: string): Uint8Array {
  return Uint8Array.from(mac.split(':').map((part) => Number.parseInt(part, 16)));
}

/** Shortest form (RFC 5952): the longest run of zero groups becomes `::`. */
function ipv6Text(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_, i) =>
    ((value >> BigInt(112 - i * 16)) & 0xffffn).toString(16),
  );
  const text = groups.join(':');
  const runs = [...text.matchAll(/\b0(?::0)+\b/g)].toSorted((a, b) => b[0].length - a[0].length);
  const longest = runs[0];
  if (longest === undefined) return text;
  const before = text.slice(0, longest.index).replace(/:$/, '');
  const after = text.slice(longest.index + longest[0].length).replace(/^:/, '');
  return `${before}::${after}`;
}
