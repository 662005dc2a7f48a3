/**
 * A root directory of its own for a process: a mount namespace that holds what the process needs and nothing
 * else, read-only but for the directories that it writes. The machine's own tree is not hidden, it is not there.
 */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { checked } from '../libc.ts';

export interface ShownPath {
  /** Where it is seen. */
  readonly path: string;
  /** What is seen there; the same path unless given. */
  readonly from?: string;
  readonly writable?: boolean;
}

/** linux/sched.h, linux/mount.h */
const CLONE_NEWNS = 0x00020000;
const READ_ONLY = 1;
const NO_SETUID = 2;
const NO_DEVICES = 4;
const REMOUNT = 32;
const BIND = 4096;
const RECURSIVE = 16384;
const PRIVATE = 1 << 18;
const DETACH = 2;
/** asm/unistd.h */
const PIVOT_ROOT: Readonly<Record<string, number>> = { x64: 155, arm64: 41 };

/** Programs and libraries, configuration (names, certificates, resolvers), processes, the harmless devices. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/lib32', '/libx32', '/etc', '/proc'];
const DEVICES = ['/dev/null', '/dev/zero', '/dev/full', '/dev/random', '/dev/urandom'];

/**
 * Makes this thread see `shown` and the system, and nothing else. `stage` is a directory that is not shown,
 * on which the view is built. Afterwards the working directory is `/`. Needs CAP_SYS_ADMIN.
 */
export function enterView(shown: readonly ShownPath[], stage: string): void {
  const pivotRoot = PIVOT_ROOT[process.arch];
  if (pivotRoot === undefined) throw new Error(`pivot_root is not known for ${process.arch}`);
  checked('unshare', 'a mount namespace', (c) => c.unshare(CLONE_NEWNS));
  // Nothing that we mount is seen by others, and nothing that others unmount is kept by us: the old root goes.
  mount(null, '/', null, RECURSIVE | PRIVATE, null);
  mount('tmpfs', stage, 'tmpfs', NO_SETUID | NO_DEVICES, 'mode=0755,size=64k');
  for (const path of SYSTEM) if (existsSync(path)) showSystem(path, stage);
  for (const path of DEVICES) if (existsSync(path)) show({ path }, stage, 0);
  const resolver = existsSync('/etc/resolv.conf') ? dirname(realpathSync('/etc/resolv.conf')) : '/etc';
  if (!resolver.startsWith('/etc')) show({ path: resolver }, stage, NO_DEVICES);
  for (const each of shown) show(each, stage, NO_DEVICES);
  process.chdir(stage);
  checked('pivot_root', stage, (c) => c.pivotRoot(pivotRoot, '.', '.'));
  checked('umount2', 'the old root', (c) => c.umount2('.', DETACH));
  process.chdir('/');
  mount(null, '/', null, REMOUNT | BIND | READ_ONLY | NO_SETUID | NO_DEVICES, null);
}

/** `/lib` is a link on most systems, and then one in the view too. */
function showSystem(path: string, stage: string): void {
  if (lstatSync(path).isSymbolicLink()) symlinkSync(readlinkSync(path), join(stage, path));
  else show({ path }, stage, NO_DEVICES);
}

function show({ path, from = path, writable = false }: ShownPath, stage: string, flags: number): void {
  const target = join(stage, path);
  if (lstatSync(from).isDirectory()) mkdirSync(target, { recursive: true, mode: 0o755 });
  else {
    mkdirSync(dirname(target), { recursive: true, mode: 0o755 });
    if (!existsSync(target)) writeFileSync(target, '');
  }
  // Containers mount single files of /etc: they come along.
  mount(from, target, null, BIND | RECURSIVE, null);
  mount(null, target, null, REMOUNT | BIND | NO_SETUID | flags | (writable ? 0 : READ_ONLY), null);
}

function mount(
  source: string | null,
  target: string,
  type: string | null,
  flags: number,
  data: string | null,
): void {
  checked('mount', target, (c) => c.mount(source, target, type, flags, data));
}
