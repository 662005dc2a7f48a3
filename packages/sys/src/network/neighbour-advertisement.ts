/** An unsolicited neighbour advertisement (RFC 4861, 4.4): what gratuitous ARP is to IPv4. Pure. */
import { ipValue } from '@podvisor/base';

const ALL_NODES = 'ff02::1';
const ALL_NODES_MAC = '33:33:00:00:00:01';
const ICMPV6 = 58;
const NEIGHBOUR_ADVERTISEMENT = 136;
/** What neighbours remember is replaced. */
const OVERRIDE = 0x20;
const TARGET_LINK_LAYER_ADDRESS = 2;

/** Ethernet frame to all nodes: `address` is at `mac`. */
export function neighbourAdvertisement(address: string, mac: string): Uint8Array {
  const sender = macBytes(mac);
  const [from, to] = [ipv6Bytes(address), ipv6Bytes(ALL_NODES)];
  const option = Buffer.concat([Buffer.from([TARGET_LINK_LAYER_ADDRESS, 1]), sender]);
  const message = Buffer.concat([
    Buffer.from([NEIGHBOUR_ADVERTISEMENT, 0, 0, 0, OVERRIDE, 0, 0, 0]),
    from,
    option,
  ]);
  message.writeUInt16BE(checksum(Buffer.concat([from, to, lengthAndNext(message.length), message])), 2);
  const header = Buffer.concat([Buffer.from([0x60, 0, 0, 0, 0, message.length, ICMPV6, 255]), from, to]);
  return Buffer.concat([macBytes(ALL_NODES_MAC), sender, Buffer.from([0x86, 0xdd]), header, message]);
}

/** The end of the pseudo header that the checksum covers (RFC 8200, 8.1). */
function lengthAndNext(length: number): Buffer {
  return Buffer.from([0, 0, 0, length, 0, 0, 0, ICMPV6]);
}

function checksum(bytes: Buffer): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 2) sum += bytes.readUInt16BE(at);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  return ~sum & 0xffff;
}

function ipv6Bytes(address: string): Buffer {
  return Buffer.from(ipValue(address).toString(16).padStart(32, '0'), 'hex');
}

function macBytes(mac: string): Buffer {
  return Buffer.from(mac.replaceAll(':', ''), 'hex');
}
