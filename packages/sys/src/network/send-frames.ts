/** Sends Ethernet frames as they are, out of a device of a network namespace. Takes CAP_NET_RAW. */
import { checked } from '../libc.ts';
import { withNetns } from './netns-socket.ts';
import { OwnedFd } from '../files/owned-fd.ts';

/** linux/if_packet.h, linux/net.h, asm-generic/fcntl.h. */
const AF_PACKET = 17;
const SOCK_RAW = 3;
const SOCK_CLOEXEC = 0o2000000;

/** Sends the frames one after another, each from its Ethernet header on, out of the device of this index. */
export function sendFrames(nsPath: string, ifindex: number, frames: Iterable<Uint8Array>): void {
  const what = `frames out of device ${ifindex} of ${nsPath}`;
  const type = SOCK_RAW | SOCK_CLOEXEC;
  // Protocol 0: the socket only speaks.
  using socket = withNetns(
    nsPath,
    () => new OwnedFd(checked('socket', what, (c) => c.socket(AF_PACKET, type, 0))),
  );
  for (const frame of frames) {
    const to = linkAddress(ifindex, frame);
    checked('sendto', what, (c) => c.sendto(socket.fd, frame, frame.length, 0, to, to.length));
  }
}

/** struct sockaddr_ll, with protocol and target of the frame's header. */
function linkAddress(index: number, frame: Uint8Array): Buffer {
  const to = Buffer.alloc(20);
  to.writeUInt16LE(AF_PACKET, 0);
  to.set(frame.subarray(12, 14), 2);
  to.writeInt32LE(index, 4);
  to[11] = 6;
  to.set(frame.subarray(0, 6), 12);
  return to;
}
