/** An unsolicited neighbour advertisement (RFC 4861, 4.4): what gratuitous ARP is to IPv4. Pure. */
import { ipBytes, ipv6Frame, macBytes } from './ip-frame.ts';

const ALL_NODES = 'ff02::1';
const ALL_NODES_MAC = '33:33:00:00:00:01';
const ICMPV6 = 58;
const NEIGHBOUR_ADVERTISEMENT = 136;
/** What neighbours remember is replaced. */
const OVERRIDE = 0x20;
const TARGET_LINK_LAYER_ADDRESS = 2;

/** Ethernet frame to all nodes: `address` is at `mac`. */
export function neighbourAdvertisement(address: string, mac: string): Uint8Array {
  const message = Buffer.concat([
    Buffer.from([NEIGHBOUR_ADVERTISEMENT, 0, 0, 0, OVERRIDE, 0, 0, 0]),
    ipBytes(address),
    Buffer.from([TARGET_LINK_LAYER_ADDRESS, 1]),
    macBytes(mac),
  ]);
  const header = { fromMac: mac, toMac: ALL_NODES_MAC };
  // RFC 4861, 7.1.2: neighbours believe only what no router has forwarded.
  const ip = { from: address, to: ALL_NODES, protocol: ICMPV6, hopLimit: 255 };
  return ipv6Frame(header, { ...ip, message, checksumAt: 2 });
}
