/** Descriptors without Node's event loop: for a thread that does nothing but move bytes between them. */
import { checked, libc } from '../libc.ts';
import { OwnedFd } from './owned-fd.ts';
import { socketFd } from '../network/socket-options.ts';

const F_DUPFD_CLOEXEC = 1030;
const SHUT_WR = 1;
const EAGAIN = 11;
const EINTR = 4;

/** The other end cannot take or give bytes at the moment. */
export const NOT_NOW = -1;
/** The connection is broken. */
export const BROKEN = -2;

/** A descriptor of our own for what a Node socket has open. The socket may be destroyed; the connection stays. */
export function duplicate(socket: object): OwnedFd {
  const fd = socketFd(socket);
  return new OwnedFd(checked('fcntl', 'a socket', (c) => c.fcntl(fd, F_DUPFD_CLOEXEC, 0)));
}

/** Bytes that were read; 0 at the end; NOT_NOW or BROKEN. */
export function readInto(fd: number, buffer: Uint8Array): number {
  return outcome(libc().read(fd, buffer, buffer.length));
}

/** Bytes that were taken; NOT_NOW or BROKEN. */
export function writeFrom(fd: number, bytes: Uint8Array): number {
  return outcome(libc().write(fd, bytes, bytes.length));
}

/** We send no more; the other end may still. */
export function shutdownWrite(fd: number): void {
  libc().shutdown(fd, SHUT_WR);
}

function outcome(result: number): number {
  if (result >= 0) return result;
  const { koffi } = libc();
  const errno = koffi.errno();
  return errno === EAGAIN || errno === EINTR ? NOT_NOW : BROKEN;
}

export const POLLIN = 1;
export const POLLOUT = 4;

/** Waits until one of the descriptors is ready for what is wanted of it, or an error is on it. */
export function waitForAny(
  wanted: readonly { readonly fd: number; readonly events: number }[],
  timeoutMs: number,
): readonly boolean[] {
  // struct pollfd of poll.h: int fd, short events, short revents.
  const table = new Uint8Array(wanted.length * 8);
  const view = new DataView(table.buffer);
  for (const [index, { fd, events }] of wanted.entries()) {
    view.setInt32(index * 8, fd, true);
    view.setInt16(index * 8 + 4, events, true);
  }
  libc().poll(table, wanted.length, timeoutMs); // interrupted is as good as ready: everybody looks again
  return wanted.map((_, index) => view.getInt16(index * 8 + 6, true) !== 0);
}

const EFD_NONBLOCK = 0o4000;
const EFD_CLOEXEC = 0o2000000;
const ONE = new Uint8Array([1, 0, 0, 0, 0, 0, 0, 0]);

/**
 * Wakes a thread that waits in `waitForAny` (eventfd(2)). The thread closes the descriptor that it waits on,
 * whoever wakes it closes his own.
 */
export function wakeUpPair(): { readonly readFd: number; wake(): void; close(): void } {
  const own = new OwnedFd(checked('eventfd', 'a wake-up', (c) => c.eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)));
  const readFd = checked('fcntl', 'a wake-up', (c) => c.fcntl(own.fd, F_DUPFD_CLOEXEC, 0));
  return { readFd, wake: () => void writeFrom(own.fd, ONE), close: () => own.close() };
}
