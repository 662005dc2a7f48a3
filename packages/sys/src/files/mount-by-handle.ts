/**
 * Mounts and device nodes by handle: neither the source nor the target is ever found by a name that a tenant
 * could have changed in the meantime (open_tree(2) and move_mount(2), Linux 5.2).
 */
import { chmodSync, chownSync } from 'node:fs';
import { checked } from '../libc.ts';
import { OwnedFd } from './owned-fd.ts';

/** asm-generic/unistd.h: the same numbers on every architecture. */
const SYS_MOVE_MOUNT = 429;
/** linux/fcntl.h, linux/mount.h. */
const MOVE_MOUNT_F_EMPTY_PATH = 0x04;
const MOVE_MOUNT_T_EMPTY_PATH = 0x40;
/** sys/mount.h. */
const MNT_DETACH = 2;
const UMOUNT_NOFOLLOW = 8;
/** sys/stat.h. */
const S_IFBLK = 0o060000;
const S_IFCHR = 0o020000;
/** linux/fcntl.h. */
const AT_FDCWD = -100;

/** Shows a mount that is nowhere yet at the open `target` of this mount namespace. */
export function attachTree(tree: OwnedFd, target: OwnedFd): void {
  const how = MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH;
  checked('move_mount', target.procPath, (c) => c.moveMount(SYS_MOVE_MOUNT, tree.fd, '', target.fd, '', how));
}

/** Takes away what is mounted at `name` in the open directory; a symbolic link there is not followed. */
export function unmountEntry(directory: OwnedFd, name: string): void {
  checked('umount', name, (c) =>
    c.umount2(`${directory.procPath}/${plain(name)}`, MNT_DETACH | UMOUNT_NOFOLLOW),
  );
}

/** The same in the working directory. */
export function unmountHere(name: string): void {
  checked('umount', name, (c) => c.umount2(plain(name), MNT_DETACH | UMOUNT_NOFOLLOW));
}

/** Makes the node of a block device, mode 0600, in the open directory. Fails when the name is taken. */
export function makeBlockNode(directory: OwnedFd, name: string, rdev: number): void {
  checked('mknod', name, (c) => c.mknodat(directory.fd, plain(name), S_IFBLK | 0o600, rdev));
}

export interface DeviceNode {
  readonly type: 'c' | 'b';
  readonly major: number;
  readonly minor: number;
  readonly mode: number;
  /** User and group. */
  readonly owner: readonly [number, number];
}

/** Makes a device node at a trusted path. Fails when the name is taken. */
export function makeDeviceNode(path: string, { type, major, minor, mode, owner }: DeviceNode): void {
  const kind = type === 'b' ? S_IFBLK : S_IFCHR;
  checked('mknod', path, (c) => c.mknodat(AT_FDCWD, path, kind | 0o600, joinDeviceNumber(major, minor)));
  chownSync(path, ...owner);
  chmodSync(path, mode);
}

/** As gnu_dev_makedev(3). */
function joinDeviceNumber(major: number, minor: number): number {
  const low = ((major & 0xfff) << 8) | (minor & 0xff);
  return low + (minor >>> 8) * 2 ** 20 + (major >>> 12) * 2 ** 44;
}

function plain(name: string): string {
  if (name === '' || name === '.' || name === '..' || name.includes('/'))
    throw new Error(`"${name}" is not the name of a directory entry`);
  return name;
}
