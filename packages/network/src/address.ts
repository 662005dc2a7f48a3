/** Addresses as text, number and bytes, for codecs. */
import { ipFamily, ipText, ipValue } from '@podvisor/base';

export { addressIn } from '@podvisor/base';

/** Netmask as a number. */
export function ipv4Mask(prefixLength: number): number {
  return prefixLength === 0 ? 0 : (0xffff_ffff << (32 - prefixLength)) >>> 0;
}

export function parseIpv4(text: string): number {
  if (ipFamily(text) !== 4 || text.includes('/')) throw new Error(`"${text}" is not an IPv4 address`);
  return Number(ipValue(text));
}

export function ipv4Text(value: number): string {
  return ipText(4, BigInt(value));
}

/** The address as a number; `text` without a zone. Throws on bad text. */
export function parseIpv6(text: string): bigint {
  if (ipFamily(text) !== 6 || text.includes('/')) throw new Error(`"${text}" is not an IPv6 address`);
  return ipValue(text);
}

/** The 16 bytes of an address, in network order. */
export function ipv6Bytes(text: string): Uint8Array {
  const value = parseIpv6(text);
  return Uint8Array.from({ length: 16 }, (_, i) => Number((value >> BigInt(120 - i * 8)) & 0xffn));
}

/** An address from its 16 bytes. */
export function ipv6FromBytes(bytes: Uint8Array): string {
  return ipText(
    6,
    bytes.reduce((sum, byte) => (sum << 8n) + BigInt(byte), 0n),
  );
}

/** The six bytes of a MAC address. */
export function macBytes(mac: string): Uint8Array {
  return Uint8Array.from(mac.split(':').map((part) => Number.parseInt(part, 16)));
}
