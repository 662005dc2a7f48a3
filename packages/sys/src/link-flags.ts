/** Flags of a network device, set without starting a program (netdevice(7)). */
import { checked } from './libc.ts';
import { OwnedFd } from './files/owned-fd.ts';

/** linux/socket.h, linux/sockios.h, linux/if.h. */
const AF_INET = 2;
const SOCK_DGRAM = 2;
const SOCK_CLOEXEC = 0o2000000;
const SIOCGIFFLAGS = 0x8913;
const SIOCSIFFLAGS = 0x8914;
const IFF_UP = 1;
/** struct ifreq: a name of 16 bytes, then the flags. */
const SIZE = 40;
const FLAGS_AT = 16;

/** Turns on `lo` of the network namespace that this thread is in. */
export function setLoopbackUp(): void {
  const type = SOCK_DGRAM | SOCK_CLOEXEC;
  using socket = new OwnedFd(checked('socket', 'lo', (c) => c.socket(AF_INET, type, 0)));
  const request = Buffer.alloc(SIZE);
  request.write('lo');
  checked('ioctl', 'flags of lo', (c) => c.ioctlBytes(socket.fd, SIOCGIFFLAGS, request));
  request.writeUInt16LE(request.readUInt16LE(FLAGS_AT) | IFF_UP, FLAGS_AT);
  checked('ioctl', 'flags of lo', (c) => c.ioctlBytes(socket.fd, SIOCSIFFLAGS, request));
}
