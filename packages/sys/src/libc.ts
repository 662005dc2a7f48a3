/**
 * The few functions of the C library that Node does not offer, reached through koffi: synchronous calls on
 * the main thread. Every wrapper in this folder that needs one takes it from here. koffi is loaded at the
 * first call, because it costs 9 ms and 8 MB that most processes never need.
 */
import { createRequire } from 'node:module';

type Koffi = typeof import('koffi');

/** `struct open_how` of linux/openat2.h. */
interface OpenHow {
  readonly flags: number;
  readonly mode: number;
  readonly resolve: number;
}

interface Libc {
  readonly koffi: Koffi;
  openat2(number: number, dirFd: number, path: string, how: OpenHow, size: number): number;
  pidfdOpen(number: number, pid: number, flags: number): number;
  pidfdSendSignal(number: number, fd: number, signal: number, info: null, flags: number): number;
  openTree(number: number, dirFd: number, path: string, flags: number): number;
  moveMount(
    number: number,
    fromFd: number,
    fromPath: string,
    toFd: number,
    toPath: string,
    flags: number,
  ): number;
  mountSetattr(
    number: number,
    fd: number,
    path: string,
    flags: number,
    attributes: Uint8Array,
    size: number,
  ): number;
  umount2(path: string, flags: number): number;
  mount(
    source: string | null,
    target: string,
    type: string | null,
    flags: number,
    data: string | null,
  ): number;
  unshare(kinds: number): number;
  fchdir(fd: number): number;
  chroot(path: string): number;
  prlimit(pid: number, resource: number, limit: Uint8Array, before: null): number;
  pivotRoot(number: number, newRoot: string, oldRoot: string): number;
  mknodat(dirFd: number, path: string, mode: number, rdev: number): number;
  getsockopt(fd: number, level: number, name: number, value: Uint8Array, length: [number]): number;
  setsockopt(fd: number, level: number, name: number, value: Uint8Array, length: number): number;
  setns(fd: number, kind: number): number;
  prctl(
    option: number,
    value: number,
    program: { readonly length: number; readonly filter: unknown } | null,
    b: number,
    c: number,
  ): number;
  ioctl(fd: number, request: number, argument: number): number;
  ioctlBytes(fd: number, request: number, argument: Uint8Array): number;
  bpf(number: number, command: number, attr: bigint, size: number): number;
  lseek(fd: number, offset: number, whence: number): number;
  copyFileRange(
    from: number,
    fromOffset: [number],
    to: number,
    toOffset: [number],
    length: number,
    flags: number,
  ): number;
  eventfd(value: number, flags: number): number;
  fcntl(fd: number, command: number, argument: number): number;
  read(fd: number, buffer: Uint8Array, size: number): number;
  write(fd: number, bytes: Uint8Array, size: number): number;
  shutdown(fd: number, how: number): number;
  poll(table: Uint8Array, count: number, timeoutMs: number): number;
  socket(domain: number, type: number, protocol: number): number;
  connect(fd: number, address: Uint8Array, length: number): number;
  sendto(
    fd: number,
    bytes: Uint8Array,
    size: number,
    flags: number,
    address: Uint8Array,
    length: number,
  ): number;
}

let loaded: Libc | undefined;

/** The C library. */
export function libc(): Libc {
  if (loaded !== undefined) return loaded;
  const koffi = createRequire(import.meta.url)('koffi') as Koffi;
  const library = koffi.load('libc.so.6');
  koffi.struct('podvisor_open_how', { flags: 'uint64', mode: 'uint64', resolve: 'uint64' });
  koffi.struct('podvisor_filter', { length: 'uint16', filter: 'const uint8_t *' });
  loaded = {
    koffi,
    openat2: library.func('long syscall(long, int, const char *, podvisor_open_how *, size_t)'),
    pidfdOpen: library.func('long syscall(long, int, uint)'),
    pidfdSendSignal: library.func('long syscall(long, int, int, void *, uint)'),
    openTree: library.func('long syscall(long, int, const char *, uint)'),
    moveMount: library.func('long syscall(long, int, const char *, int, const char *, uint)'),
    mountSetattr: library.func('long syscall(long, int, const char *, uint, const uint8_t *, size_t)'),
    umount2: library.func('int umount2(const char *, int)'),
    mount: library.func('int mount(const char *, const char *, const char *, unsigned long, const char *)'),
    unshare: library.func('int unshare(int)'),
    fchdir: library.func('int fchdir(int)'),
    chroot: library.func('int chroot(const char *)'),
    prlimit: library.func('int prlimit(int, int, const uint8_t *, void *)'),
    pivotRoot: library.func('long syscall(long, const char *, const char *)'),
    mknodat: library.func('int mknodat(int, const char *, uint, uint64_t)'),
    getsockopt: library.func('int getsockopt(int, int, int, _Out_ uint8_t *, _Inout_ uint32_t *)'),
    setsockopt: library.func('int setsockopt(int, int, int, const uint8_t *, uint32_t)'),
    setns: library.func('int setns(int, int)'),
    prctl: library.func(
      'int prctl(int, unsigned long, const podvisor_filter *, unsigned long, unsigned long)',
    ),
    ioctl: library.func('int ioctl(int, unsigned long, long)'),
    ioctlBytes: library.func('int ioctl(int, unsigned long, _Inout_ uint8_t *)'),
    bpf: library.func('long syscall(long, int, uint64_t, uint)'),
    lseek: library.func('int64_t lseek(int, int64_t, int)'),
    copyFileRange: library.func(
      'long copy_file_range(int, _Inout_ int64_t *, int, _Inout_ int64_t *, size_t, uint)',
    ),
    eventfd: library.func('int eventfd(uint, int)'),
    fcntl: library.func('int fcntl(int, int, int)'),
    read: library.func('long read(int, uint8_t *, size_t)'),
    write: library.func('long write(int, const uint8_t *, size_t)'),
    shutdown: library.func('int shutdown(int, int)'),
    poll: library.func('int poll(_Inout_ uint8_t *, unsigned long, int)'),
    socket: library.func('int socket(int, int, int)'),
    connect: library.func('int connect(int, const uint8_t *, uint32_t)'),
    sendto: library.func('long sendto(int, const uint8_t *, size_t, int, const uint8_t *, uint32_t)'),
  };
  return loaded;
}

/** A system call failed; `code` is the errno name, as in Node's own errors. */
export class SystemCallError extends Error {
  readonly code: string;
  readonly call: string;

  constructor(call: string, what: string, code: string) {
    super(`${call} of ${what} failed: ${code}`);
    this.name = 'SystemCallError';
    this.code = code;
    this.call = call;
  }
}

/** Runs `call`; a negative result becomes a SystemCallError with the errno of this thread. */
export function checked(name: string, what: string, call: (c: Libc) => number): number {
  const c = libc();
  const result = call(c);
  if (result >= 0) return result;
  const errno = c.koffi.errno();
  const code = Object.entries(c.koffi.os.errno).find(([, value]) => value === errno)?.[0];
  throw new SystemCallError(name, what, code ?? `errno ${errno}`);
}
