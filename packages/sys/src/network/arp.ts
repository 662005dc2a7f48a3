/** Tells everyone on a link at which hardware address an IP address is: gratuitous ARP. Takes CAP_NET_RAW. */
import { ipFamily } from '@podvisor/base';
import { ethernetFrame, ipBytes, macBytes } from './ip-frame.ts';
import { neighbourAdvertisement } from './neighbour-advertisement.ts';
import { sendFrames } from './send-frames.ts';

/** linux/if_ether.h, linux/if_arp.h. */
const ETH_P_ARP = 0x0806;
const REQUEST = 1;
const EVERYONE = 'ff:ff:ff:ff:ff:ff';

/** Sends the announcement once, out of the device of this index in the namespace. */
export function announceAddress(nsPath: string, ifindex: number, address: string, mac: string): void {
  const isIpv6 = ipFamily(address) === 6;
  const frame = isIpv6 ? neighbourAdvertisement(address, mac) : announcement(address, mac);
  sendFrames(nsPath, ifindex, [frame]);
}

/** Ethernet frame of an ARP request of the address for itself, from `mac`, to everyone (RFC 5227, 3). */
export function announcement(address: string, mac: string): Uint8Array {
  const [sender, ip] = [macBytes(mac), ipBytes(address)];
  const start = Buffer.from([0, 1, 8, 0, 6, 4, 0, REQUEST]);
  const request = Buffer.concat([start, sender, ip, Buffer.alloc(6), ip]);
  return ethernetFrame({ fromMac: mac, toMac: EVERYONE }, ETH_P_ARP, request);
}
