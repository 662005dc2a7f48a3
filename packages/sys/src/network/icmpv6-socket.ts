/**
 * A raw ICMPv6 socket in another network namespace, tied to one device: what a router needs to hear
 * solicitations and to speak. Node polls only the kinds of sockets that it knows, so the descriptor is given
 * to one of its pipe handles, which reads any descriptor: each read of a raw socket is one packet. Takes
 * CAP_NET_RAW to open. The kernel fills in checksums (RFC 3542, 3.1).
 */
import { createServer, Socket, type SocketConstructorOpts } from 'node:net';
import { checked, SystemCallError } from '../libc.ts';
import { withNetns } from './netns-socket.ts';

/** linux/in6.h, linux/icmpv6.h, asm-generic/socket.h. */
const AF_INET6 = 10;
const SOCK_RAW = 3;
const SOCK_NONBLOCK = 0o4000;
const SOCK_CLOEXEC = 0o2000000;
const SOL_SOCKET = 1;
const SO_RCVBUF = 8;
const SO_BINDTODEVICE = 25;
const IPPROTO_IPV6 = 41;
const IPV6_MULTICAST_HOPS = 18;
const IPV6_MULTICAST_LOOP = 19;
const IPPROTO_ICMPV6 = 58;
const ICMPV6_FILTER = 1;
/** A guest's flood is dropped by the kernel beyond this. */
const RECEIVE_BYTES = 16 * 1024;
/** ff02::1 */
const ALL_NODES = Uint8Array.of(0xff, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);
/** Errors of a link that has no carrier or address yet, or whose queue is full: the next message may pass. */
const NOT_NOW = new Set(['EAGAIN', 'ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL', 'ENOBUFS', 'EHOSTUNREACH']);

export interface Icmpv6SocketOptions {
  readonly nsPath: string;
  readonly device: string;
  /** Only messages of this type are heard. */
  readonly type: number;
  onMessage(message: Uint8Array): void;
  /** The socket is of no more use, for instance because its device is gone. */
  onEnd(why: string): void;
}

export class Icmpv6Socket implements Disposable {
  readonly #fd: number;
  readonly #stream: Socket;

  /** Opens at once, or throws a SystemCallError. */
  constructor({ nsPath, device, type, onMessage, onEnd }: Icmpv6SocketOptions) {
    const kind = SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC;
    this.#fd = withNetns(nsPath, () =>
      checked('socket', `ICMPv6 on ${device}`, (c) => c.socket(AF_INET6, kind, IPPROTO_ICMPV6)),
    );
    this.#stream = new Socket(aroundHandle(pipeOn(this.#fd)));
    try {
      this.#set(IPPROTO_ICMPV6, ICMPV6_FILTER, onlyType(type));
      this.#set(SOL_SOCKET, SO_BINDTODEVICE, Buffer.from(`${device}\0`));
      this.#set(SOL_SOCKET, SO_RCVBUF, int(RECEIVE_BYTES));
      // RFC 4861, 6.1: neighbours believe only what no router has forwarded.
      this.#set(IPPROTO_IPV6, IPV6_MULTICAST_HOPS, int(255));
      this.#set(IPPROTO_IPV6, IPV6_MULTICAST_LOOP, int(0));
    } catch (error) {
      this.#stream.destroy();
      throw error;
    }
    this.#stream.on('data', onMessage);
    this.#stream.on('error', (error) => onEnd(error.message));
    this.#stream.on('end', () => onEnd('the socket was closed'));
    this.#stream.unref();
  }

  /** Sends to all nodes of the link; false when the link cannot take it now. */
  sendToAllNodes(message: Uint8Array): boolean {
    const address = Buffer.alloc(28);
    address.writeUInt16LE(AF_INET6, 0);
    address.set(ALL_NODES, 8);
    try {
      checked('sendto', 'ff02::1', (c) =>
        c.sendto(this.#fd, message, message.length, 0, address, address.length),
      );
      return true;
    } catch (error) {
      if (error instanceof SystemCallError && NOT_NOW.has(error.code)) return false;
      throw error;
    }
  }

  /** Reads no more until `resume`; what comes meanwhile is dropped by the kernel beyond a few packets. */
  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    this.#stream.resume();
  }

  [Symbol.dispose](): void {
    this.#stream.removeAllListeners();
    this.#stream.destroy();
  }

  #set(level: number, name: number, value: Uint8Array): void {
    checked('setsockopt', `option ${level}/${name}`, (c) =>
      c.setsockopt(this.#fd, level, name, value, value.length),
    );
  }
}

/** struct icmp6_filter: a set bit blocks a type. */
function onlyType(type: number): Uint8Array {
  const filter = new Uint8Array(32).fill(0xff);
  filter[type >> 3] = 0xff & ~(1 << (type & 7));
  return filter;
}

function int(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

interface PipeHandle {
  open(fd: number): number;
}
let PipeClass: (new (kind: number) => PipeHandle) | undefined;

/** A ready handle is an option of sockets that the types do not know. */
function aroundHandle(handle: PipeHandle): SocketConstructorOpts {
  return { handle, writable: false } as unknown as SocketConstructorOpts;
}

/** A pipe handle of Node's around the descriptor. Its class is not exported: a pipe server shows it. */
function pipeOn(fd: number): PipeHandle {
  if (PipeClass === undefined) {
    const server = createServer();
    server.listen(`\0podvisor-${process.pid}-${fd}`);
    const { _handle: handle } = server as unknown as { readonly _handle: object };
    PipeClass = handle.constructor as new (kind: number) => PipeHandle;
    server.close();
  }
  const pipe = new PipeClass(0);
  const code = pipe.open(fd);
  if (code !== 0) throw new Error(`the event loop does not take the ICMPv6 socket: ${code}`);
  return pipe;
}
