/** Socket options that Node does not offer (socket(7), unix(7)), and the descriptor they are set on. */
import { checked, SystemCallError } from '../libc.ts';

const SOL_SOCKET = 1;
const SO_NO_CHECK = 11;
const SO_PEERCRED = 17;
const SO_BINDTODEVICE = 25;

/** Who is at the other end of a unix socket, as the kernel noted it at connect or listen. */
export interface PeerCredentials {
  readonly pid: number;
  readonly uid: number;
  readonly gid: number;
}

/** The descriptor of a Node socket, which Node keeps on its handle. Throws when the socket is closed. */
export function socketFd(socket: object): number {
  // A datagram socket keeps its handle behind a symbol (its own `_handle` is a deprecated alias).
  const state = Object.getOwnPropertySymbols(socket).find((symbol) => symbol.description === 'state symbol');
  const holder =
    state === undefined
      ? (socket as { readonly _handle?: { readonly fd?: number } })._handle
      : (socket as Record<symbol, { readonly handle?: { readonly fd?: number } }>)[state]?.handle;
  const fd = holder?.fd;
  if (fd === undefined || fd < 0) throw new Error('the socket is not open');
  return fd;
}

/** Credentials of the process that listens at (or connected to) the other end. */
export function peerCredentials(socket: object): PeerCredentials {
  const value = new Uint8Array(12);
  const fd = socketFd(socket);
  checked('getsockopt', 'SO_PEERCRED', (c) =>
    c.getsockopt(fd, SOL_SOCKET, SO_PEERCRED, value, [value.length]),
  );
  const view = new DataView(value.buffer);
  // struct ucred in the byte order of the machine; every machine Node supports here is little-endian.
  return { pid: view.getInt32(0, true), uid: view.getUint32(4, true), gid: view.getUint32(8, true) };
}

/** Ties the socket to one network device: nothing is received from or sent to another. */
export function bindToDevice(socket: object, device: string): void {
  const value = Buffer.from(`${device}\0`);
  const fd = socketFd(socket);
  checked('setsockopt', `SO_BINDTODEVICE ${device}`, (c) =>
    c.setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, value, value.length),
  );
}

/**
 * Sends UDP over IPv4 without a checksum (allowed by RFC 768). A checksum left to the "hardware" of a TAP
 * never gets computed, and DHCP clients that read raw frames drop such packets.
 */
export function disableUdpChecksum(socket: object): void {
  const fd = socketFd(socket);
  const on = new Uint8Array([1, 0, 0, 0]);
  checked('setsockopt', 'SO_NO_CHECK', (c) => c.setsockopt(fd, SOL_SOCKET, SO_NO_CHECK, on, on.length));
}

const IPPROTO_TCP = 6;
const SO_KEEPALIVE = 9;
const TCP_KEEPIDLE = 4;
const TCP_KEEPINTVL = 5;
const TCP_KEEPCNT = 6;
const TCP_USER_TIMEOUT = 18;

/** A TCP connection whose other end has not been heard of for about `seconds` breaks, busy or idle (tcp(7)). */
export function breakWhenSilent(socket: object, seconds: number): void {
  const fd = socketFd(socket);
  const set = (level: number, name: number, value: number): void => {
    const bytes = int32(value);
    checked('setsockopt', `TCP option ${name}`, (c) => c.setsockopt(fd, level, name, bytes, bytes.length));
  };
  const interval = Math.max(1, Math.floor(seconds / 5));
  set(SOL_SOCKET, SO_KEEPALIVE, 1);
  set(IPPROTO_TCP, TCP_KEEPIDLE, interval);
  set(IPPROTO_TCP, TCP_KEEPINTVL, interval);
  set(IPPROTO_TCP, TCP_KEEPCNT, 4);
  set(IPPROTO_TCP, TCP_USER_TIMEOUT, seconds * 1000);
}

const SO_SNDBUF = 7;
const SO_RCVBUF = 8;
const SO_SNDBUFFORCE = 32;
const SO_RCVBUFFORCE = 33;
const TCP_NOTSENT_LOWAT = 25;

/** How many bytes the kernel takes from us before the other end has read them. Beyond the usual limit as root. */
export function setSendBuffer(socket: object, bytes: number): void {
  setBuffer(socket, bytes, SO_SNDBUFFORCE, SO_SNDBUF);
}

/** How many bytes the kernel takes for us before we read them: the most that is on its way. Beyond the usual limit as root. */
export function setReceiveBuffer(socket: object, bytes: number): void {
  setBuffer(socket, bytes, SO_RCVBUFFORCE, SO_RCVBUF);
}

/** TCP takes no more from us while this much waits to be sent; what is on its way does not count (tcp(7)). */
export function limitUnsent(socket: object, bytes: number): void {
  const fd = socketFd(socket);
  const value = int32(bytes);
  checked('setsockopt', 'TCP_NOTSENT_LOWAT', (c) =>
    c.setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, value, value.length),
  );
}

function setBuffer(socket: object, bytes: number, forced: number, usual: number): void {
  const fd = socketFd(socket);
  const value = int32(bytes);
  const set = (name: number): number =>
    checked('setsockopt', 'a buffer', (c) => c.setsockopt(fd, SOL_SOCKET, name, value, value.length));
  try {
    set(forced);
  } catch (error) {
    if (!(error instanceof SystemCallError)) throw error;
    set(usual);
  }
}

function int32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setInt32(0, value, true);
  return bytes;
}
