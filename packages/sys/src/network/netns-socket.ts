/**
 * Connections that begin in another network namespace. A socket belongs for ever to the namespace
 * in which it was made, so this thread enters it for one system call and comes back; nothing may be
 * awaited in between.
 */
import { openSync } from 'node:fs';
import { connect, isIP, Socket } from 'node:net';
import { checked, SystemCallError } from '../libc.ts';
import { OwnedFd } from '../files/owned-fd.ts';

/** linux/sched.h, linux/net.h, asm-generic/fcntl.h. */
export const CLONE_NEWNET = 0x40000000;
const AF_INET = 2;
const AF_INET6 = 10;
const SOCK_STREAM = 1;
const SOCK_NONBLOCK = 0o4000;
const SOCK_CLOEXEC = 0o2000000;

/** Connects to 127.0.0.1 or, where nobody listens there, to ::1. `nsPath` absent: our own namespace. */
export function connectLoopback(nsPath: string | undefined, port: number): Socket {
  try {
    return connectTo(nsPath, AF_INET, ipv4Loopback(port));
  } catch (error) {
    if (!(error instanceof SystemCallError) || error.code !== 'ECONNREFUSED') throw error;
    return connectTo(nsPath, AF_INET6, ipv6Loopback(port));
  }
}

/** Connects to an address as a program in the namespace would; events and errors are any socket's. */
export function connectFromNetns(nsPath: string | undefined, address: string, port: number): Socket {
  const family = isIP(address);
  if (family === 0) throw new Error(`"${address}" is no IP address`);
  if (nsPath === undefined) return connect(port, address);
  // The descriptor must not be read before it is connected; `manualStart` is how Node's own server says so.
  const options = {
    fd: withNetns(nsPath, () => makeSocket(family === 6 ? AF_INET6 : AF_INET)).fd,
    manualStart: true,
  };
  return new Socket(options).connect(port, address);
}

function connectTo(nsPath: string | undefined, family: number, address: Buffer): Socket {
  const fd = nsPath === undefined ? makeSocket(family) : withNetns(nsPath, () => makeSocket(family));
  try {
    checked('connect', 'the loopback', (c) => c.connect(fd.fd, address, address.length));
  } catch (error) {
    // A queue that is full for the moment: the connection comes later, the stream waits for it.
    if (!(error instanceof SystemCallError) || error.code !== 'EINPROGRESS') {
      fd.close();
      throw error;
    }
  }
  return new Socket({ fd: fd.fd, readable: true, writable: true, allowHalfOpen: true });
}

function makeSocket(family: number): OwnedFd {
  const type = SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC;
  return new OwnedFd(checked('socket', 'a network namespace', (c) => c.socket(family, type, 0)));
}

/** Runs `fn` with this thread in the namespace. `fn` must be synchronous. */
export function withNetns<T>(nsPath: string, fn: () => T): T {
  using home = new OwnedFd(openSync('/proc/thread-self/ns/net', 'r'));
  using away = new OwnedFd(openSync(nsPath, 'r'));
  checked('setns', nsPath, (c) => c.setns(away.fd, CLONE_NEWNET));
  try {
    return fn();
  } finally {
    checked('setns', 'our own network namespace', (c) => c.setns(home.fd, CLONE_NEWNET));
  }
}

/** struct sockaddr_in: family in host order, port in network order. */
function ipv4Loopback(port: number): Buffer {
  const address = Buffer.alloc(16);
  address.writeUInt16LE(AF_INET, 0);
  address.writeUInt16BE(port, 2);
  address.set([127, 0, 0, 1], 4);
  return address;
}

/** struct sockaddr_in6. */
function ipv6Loopback(port: number): Buffer {
  const address = Buffer.alloc(28);
  address.writeUInt16LE(AF_INET6, 0);
  address.writeUInt16BE(port, 2);
  address[23] = 1;
  return address;
}
