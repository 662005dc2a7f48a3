/** Ethernet frames, whole ones of IPv6, with the sums that receivers look at. Pure. */
import { ipFamily, ipValue } from '@podvisor/base';

/** A message inside a packet; its two bytes for the checksum are zero. */
export interface IpMessage {
  readonly from: string;
  readonly to: string;
  readonly protocol: number;
  readonly hopLimit: number;
  readonly message: Uint8Array;
  /** Where in the message the checksum goes. */
  readonly checksumAt: number;
}

/** What comes before a packet: MAC addresses, and bytes between them and the type, such as VLAN tags. */
export interface FrameHeader {
  readonly fromMac: string;
  readonly toMac: string;
  readonly tags?: Uint8Array;
}

export function ipv6Frame(header: FrameHeader, ip: IpMessage): Uint8Array {
  const start = Buffer.from([0x60, 0, 0, 0, 0, 0, ip.protocol, ip.hopLimit]);
  start.writeUInt16BE(ip.message.length, 4);
  const packet = Buffer.concat([start, ipBytes(ip.from), ipBytes(ip.to), summedMessage(ip)]);
  return ethernetFrame(header, 0x86dd, packet);
}

/** `type` as in linux/if_ether.h. */
export function ethernetFrame(
  { fromMac, toMac, tags }: FrameHeader,
  type: number,
  packet: Uint8Array,
): Uint8Array {
  const ethertype = Buffer.from([type >> 8, type & 0xff]);
  return Buffer.concat([macBytes(toMac), macBytes(fromMac), tags ?? Buffer.alloc(0), ethertype, packet]);
}

/** The message with its checksum, which covers the addresses too (RFC 8200, 8.1; RFC 768 comes to the same sum). */
export function summedMessage({ from, to, protocol, message, checksumAt }: IpMessage): Uint8Array {
  const lengthAndNext = Buffer.alloc(8);
  lengthAndNext.writeUInt32BE(message.length, 0);
  lengthAndNext.writeUInt8(protocol, 7);
  const sum = checksum(Buffer.concat([ipBytes(from), ipBytes(to), lengthAndNext, message]));
  const summed = Buffer.from(message);
  // Zero has two forms; that of UDP's sum with no bit set would say that there is none (RFC 768).
  summed.writeUInt16BE(sum === 0 ? 0xffff : sum, checksumAt);
  return summed;
}

/** The Internet checksum (RFC 1071). */
export function checksum(bytes: Uint8Array): number {
  let sum = 0;
  for (const [at, byte] of bytes.entries()) sum += at % 2 === 0 ? byte << 8 : byte;
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  return ~sum & 0xffff;
}

/** Of either family. */
export function ipBytes(address: string): Uint8Array {
  const digits = ipFamily(address) === 6 ? 32 : 8;
  return Buffer.from(ipValue(address).toString(16).padStart(digits, '0'), 'hex');
}

export function macBytes(mac: string): Uint8Array {
  return Buffer.from(mac.replaceAll(':', ''), 'hex');
}
