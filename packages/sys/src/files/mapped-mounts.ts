/**
 * Mounts whose owners are shown through a user namespace: what belongs to 107 on disk belongs to user 107 of the
 * namespace, whoever that is on the machine, and what he writes belongs to 107 on disk (mount_setattr(2), Linux 5.12;
 * as layers of an overlay Linux 5.19). Synchronous and without starting programs.
 */
import { constants, openSync } from 'node:fs';
import { checked, SystemCallError } from '../libc.ts';
import { withNetns } from '../network/netns-socket.ts';
import { O_PATH } from './open-beneath.ts';
import { OwnedFd } from './owned-fd.ts';

/** asm-generic/unistd.h: the same numbers on every architecture. */
const SYS_OPEN_TREE = 428;
const SYS_MOVE_MOUNT = 429;
const SYS_MOUNT_SETATTR = 442;
/** linux/fcntl.h, linux/mount.h. */
const AT_FDCWD = -100;
const AT_EMPTY_PATH = 0x1000;
const AT_RECURSIVE = 0x8000;
const OPEN_TREE_CLONE = 1;
const OPEN_TREE_CLOEXEC = 0o2000000;
const MOVE_MOUNT_F_EMPTY_PATH = 0x04;
const MOUNT_ATTR_IDMAP = 0x0010_0000n;
const READ_ONLY = 1;
const NO_SETUID = 2;
const NO_DEVICES = 4;
const NO_PROGRAMS = 8;
const MNT_DETACH = 2;
const UMOUNT_NOFOLLOW = 8;

export interface TreeOptions {
  /** Shows owners through this user namespace. */
  readonly users?: OwnedFd;
  /** With what is mounted below it. */
  readonly recursive?: boolean;
  /** In a user namespace nobody may take these away: they are part of the mount that it gets. */
  readonly flags?: readonly MountFlag[];
}

export type MountFlag = 'ro' | 'nosuid' | 'nodev' | 'noexec';

/** linux/mount.h: MOUNT_ATTR_… */
const ATTRIBUTES: Readonly<Record<MountFlag, bigint>> = { ro: 1n, nosuid: 2n, nodev: 4n, noexec: 8n };

/** A mount of the open `source` that is nowhere yet. */
export function cloneTree(
  source: OwnedFd,
  { users, recursive = false, flags = [] }: TreeOptions = {},
): OwnedFd {
  const scope = AT_EMPTY_PATH | (recursive ? AT_RECURSIVE : 0);
  const how = OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | scope;
  const tree = new OwnedFd(
    checked('open_tree', source.procPath, (c) => c.openTree(SYS_OPEN_TREE, source.fd, '', how)),
  );
  const set = flags.reduce(
    (sum, flag) => sum | ATTRIBUTES[flag],
    users === undefined ? 0n : MOUNT_ATTR_IDMAP,
  );
  if (set === 0n) return tree;
  // struct mount_attr: attr_set, attr_clr, propagation, userns_fd.
  const attributes = new Uint8Array(new BigUint64Array([set, 0n, 0n, BigInt(users?.fd ?? 0)]).buffer);
  const apply = (to: number): number =>
    checked('mount_setattr', source.procPath, (c) =>
      c.mountSetattr(SYS_MOUNT_SETATTR, tree.fd, '', to, attributes, attributes.length),
    );
  try {
    try {
      apply(scope);
    } catch (error) {
      if (!recursive || !(error instanceof SystemCallError)) throw error;
      // Something mounted below cannot be shown so: it stays as it is, and belongs to nobody in the namespace.
      apply(AT_EMPTY_PATH);
    }
    return tree;
  } catch (error) {
    tree.close();
    throw error;
  }
}

/** Shows the trusted path `source`, with what is mounted below it, at the trusted path `target`. */
export function mountTree(
  source: string,
  target: string,
  options: Omit<TreeOptions, 'recursive'> = {},
): void {
  using opened = openPath(source);
  using tree = cloneTree(opened, { ...options, recursive: true });
  checked('move_mount', target, (c) =>
    c.moveMount(SYS_MOVE_MOUNT, tree.fd, '', AT_FDCWD, target, MOVE_MOUNT_F_EMPTY_PATH),
  );
}

/** True when the file system at the trusted path can be shown so. */
export function canBeMapped(source: string, users: OwnedFd): boolean {
  try {
    using opened = openPath(source);
    using _ = cloneTree(opened, { users });
    return true;
  } catch (error) {
    if (error instanceof SystemCallError) return false;
    throw error;
  }
}

/** An overlay of directories, the first on top; with `upper` and `work` it can be written. */
export function mountLayers(
  target: string,
  lower: readonly string[],
  writable?: { readonly upper: string; readonly work: string },
): void {
  const layers = `lowerdir=${lower.join(':')}`;
  const flags = writable === undefined ? READ_ONLY | NO_SETUID | NO_DEVICES : 0;
  // Nobody reads the upper layer after a crash of the machine, so it need never be synced.
  const data =
    writable === undefined
      ? layers
      : `${layers},upperdir=${writable.upper},workdir=${writable.work},volatile`;
  checked('mount', target, (c) => c.mount('overlay', target, 'overlay', flags, data));
}

/** The machine's devices with the network devices of the namespace at `netns`, read-only. */
export function mountSysfs(netns: string, target: string): void {
  const flags = READ_ONLY | NO_SETUID | NO_DEVICES | NO_PROGRAMS;
  withNetns(netns, () => checked('mount', target, (c) => c.mount('sysfs', target, 'sysfs', flags, null)));
}

/** Memory for device nodes and places to mount at, out of reach of `nodev` of the file system around it. */
export function mountNodeDirectory(target: string): void {
  const flags = NO_SETUID | NO_PROGRAMS;
  checked('mount', target, (c) => c.mount('tmpfs', target, 'tmpfs', flags, 'mode=0711,size=1m'));
}

/**
 * Takes the mount at the trusted path away, now, with all that is mounted below it; who uses it keeps it. Nothing
 * mounted there is fine.
 */
export function unmountNow(path: string): void {
  try {
    checked('umount', path, (c) => c.umount2(path, MNT_DETACH | UMOUNT_NOFOLLOW));
  } catch (error) {
    if (!(error instanceof SystemCallError) || !['EINVAL', 'ENOENT'].includes(error.code)) throw error;
  }
}

function openPath(path: string): OwnedFd {
  return new OwnedFd(openSync(path, constants.O_RDONLY | O_PATH));
}
