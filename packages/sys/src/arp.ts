/** Gratuitous ARP: tells everyone on a link at which hardware address an IPv4 address is. Takes CAP_NET_RAW. */
import { checked } from './libc.ts';
import { withNetns } from './netns-socket.ts';
import { OwnedFd } from './owned-fd.ts';

/** linux/if_ether.h, linux/if_packet.h, linux/if_arp.h. */
const AF_PACKET = 17;
const SOCK_RAW = 3;
const SOCK_CLOEXEC = 0o2000000;
const ETH_P_ARP = 0x0806;
const REQUEST = 1;

/** Sends the announcement once, out of the device of this index in the namespace. */
export function announceAddress(nsPath: string, ifindex: number, address: string, mac: string): void {
  const frame = announcement(address, mac);
  withNetns(nsPath, () => {
    // Protocol 0: the socket only speaks.
    const type = SOCK_RAW | SOCK_CLOEXEC;
    using socket = new OwnedFd(checked('socket', `ARP of ${address}`, (c) => c.socket(AF_PACKET, type, 0)));
    const to = linkAddress(ifindex);
    checked('sendto', `ARP of ${address}`, (c) => c.sendto(socket.fd, frame, frame.length, 0, to, to.length));
  });
}

/** Ethernet frame of an ARP request of the address for itself, from `mac`, to everyone (RFC 5227, 3). */
export function announcement(address: string, mac: string): Uint8Array {
  const sender = Buffer.from(mac.replaceAll(':', ''), 'hex');
  const ip = Buffer.from(address.split('.').map(Number));
  const header = Buffer.from([8, 6, 0, 1, 8, 0, 6, 4, 0, REQUEST]);
  return Buffer.concat([Buffer.alloc(6, 0xff), sender, header, sender, ip, Buffer.alloc(6), ip]);
}

/** struct sockaddr_ll, to everyone. */
function linkAddress(index: number): Buffer {
  const to = Buffer.alloc(20);
  to.writeUInt16LE(AF_PACKET, 0);
  to.writeUInt16BE(ETH_P_ARP, 2);
  to.writeInt32LE(index, 4);
  to[11] = 6;
  to.fill(0xff, 12, 18);
  return to;
}
