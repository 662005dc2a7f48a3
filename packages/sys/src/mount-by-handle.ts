/**
 * Mounts and device nodes by handle: neither the source nor the target is ever found by a name that a tenant
 * could have changed in the meantime (open_tree(2) and move_mount(2), Linux 5.2).
 */
import { fstatSync } from 'node:fs';
import { checked } from './libc.ts';
import { OwnedFd } from './owned-fd.ts';

/** asm-generic/unistd.h: the same numbers on every architecture. */
const SYS_OPEN_TREE = 428;
const SYS_MOVE_MOUNT = 429;
/** linux/fcntl.h, linux/mount.h. */
const AT_EMPTY_PATH = 0x1000;
const OPEN_TREE_CLONE = 1;
const OPEN_TREE_CLOEXEC = 0o2000000;
const MOVE_MOUNT_F_EMPTY_PATH = 0x04;
const MOVE_MOUNT_T_EMPTY_PATH = 0x40;
/** sys/mount.h. */
const MNT_DETACH = 2;
const UMOUNT_NOFOLLOW = 8;
/** sys/stat.h. */
const S_IFBLK = 0o060000;

/** Shows the open file or directory `source` at the open `target` as well. Both must be of this mount namespace. */
export function bindByHandle(source: OwnedFd, target: OwnedFd): void {
  const flags = OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_EMPTY_PATH;
  using tree = new OwnedFd(
    checked('open_tree', source.procPath, (c) => c.openTree(SYS_OPEN_TREE, source.fd, '', flags)),
  );
  const how = MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH;
  checked('move_mount', target.procPath, (c) => c.moveMount(SYS_MOVE_MOUNT, tree.fd, '', target.fd, '', how));
}

/** Takes away what is mounted at `name` in the open directory; a symbolic link there is not followed. */
export function unmountEntry(directory: OwnedFd, name: string): void {
  checked('umount', name, (c) =>
    c.umount2(`${directory.procPath}/${plain(name)}`, MNT_DETACH | UMOUNT_NOFOLLOW),
  );
}

/** Makes the node of a block device, mode 0600, in the open directory. Fails when the name is taken. */
export function makeBlockNode(directory: OwnedFd, name: string, rdev: number): void {
  checked('mknod', name, (c) => c.mknodat(directory.fd, plain(name), S_IFBLK | 0o600, rdev));
}

/** Device number of an open block device; undefined when it is something else. */
export function blockDeviceNumber(file: OwnedFd): number | undefined {
  const stats = fstatSync(file.fd);
  return stats.isBlockDevice() ? stats.rdev : undefined;
}

function plain(name: string): string {
  if (name === '' || name === '.' || name === '..' || name.includes('/'))
    throw new Error(`"${name}" is not the name of a directory entry`);
  return name;
}
