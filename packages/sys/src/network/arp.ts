/** Tells everyone on a link at which hardware address an IP address is: gratuitous ARP. Takes CAP_NET_RAW. */
import { ipFamily } from '@podvisor/base';
import { checked } from '../libc.ts';
import { withNetns } from './netns-socket.ts';
import { neighbourAdvertisement } from './neighbour-advertisement.ts';
import { OwnedFd } from '../files/owned-fd.ts';

/** linux/if_ether.h, linux/if_packet.h, linux/if_arp.h. */
const AF_PACKET = 17;
const SOCK_RAW = 3;
const SOCK_CLOEXEC = 0o2000000;
const ETH_P_ARP = 0x0806;
const ETH_P_IPV6 = 0x86dd;
const REQUEST = 1;

/** Sends the announcement once, out of the device of this index in the namespace. */
export function announceAddress(nsPath: string, ifindex: number, address: string, mac: string): void {
  const isIpv6 = ipFamily(address) === 6;
  const frame = isIpv6 ? neighbourAdvertisement(address, mac) : announcement(address, mac);
  withNetns(nsPath, () => {
    // Protocol 0: the socket only speaks.
    const type = SOCK_RAW | SOCK_CLOEXEC;
    using socket = new OwnedFd(
      checked('socket', `announcing ${address}`, (c) => c.socket(AF_PACKET, type, 0)),
    );
    const to = linkAddress(ifindex, isIpv6 ? ETH_P_IPV6 : ETH_P_ARP, frame.subarray(0, 6));
    checked('sendto', `announcing ${address}`, (c) =>
      c.sendto(socket.fd, frame, frame.length, 0, to, to.length),
    );
  });
}

/** Ethernet frame of an ARP request of the address for itself, from `mac`, to everyone (RFC 5227, 3). */
export function announcement(address: string, mac: string): Uint8Array {
  const sender = Buffer.from(mac.replaceAll(':', ''), 'hex');
  const ip = Buffer.from(address.split('.').map(Number));
  const header = Buffer.from([8, 6, 0, 1, 8, 0, 6, 4, 0, REQUEST]);
  return Buffer.concat([Buffer.alloc(6, 0xff), sender, header, sender, ip, Buffer.alloc(6), ip]);
}

/** struct sockaddr_ll. */
function linkAddress(index: number, protocol: number, mac: Uint8Array): Buffer {
  const to = Buffer.alloc(20);
  to.writeUInt16LE(AF_PACKET, 0);
  to.writeUInt16BE(protocol, 2);
  to.writeInt32LE(index, 4);
  to[11] = 6;
  to.set(mac, 12);
  return to;
}
