/**
 * Mounts taken out of another mount namespace, such as that of a container, and put into one. The kernel clones and
 * attaches a mount only for who is in its namespace, so this thread goes there for the one call on what is already
 * open, and comes back: no path is looked up there, and nothing may be awaited in between.
 */
import { openSync } from 'node:fs';
import { checked } from './libc.ts';
import { cloneTree, type TreeOptions } from './files/mapped-mounts.ts';
import { attachTree, unmountHere } from './files/mount-by-handle.ts';
import { openDirectory } from './files/open-beneath.ts';
import { OwnedFd } from './files/owned-fd.ts';

/** linux/sched.h. */
const CLONE_FS = 0x200;
const CLONE_NEWNS = 0x20000;

let hasOwnRoot = false;

/**
 * A mount of the open `source`, which is of the mount namespace `namespace`, that is nowhere yet. It lives on when the
 * container ends. From the first call on this thread has its root and working directory for itself.
 */
export function cloneForeignTree(source: OwnedFd, namespace: OwnedFd, options: TreeOptions = {}): OwnedFd {
  return within(namespace, () => cloneTree(source, options));
}

/**
 * Shows a mount that is nowhere yet at the open `target`, which is of the mount namespace `namespace`: there and
 * nowhere else. It ends with the namespace.
 */
export function attachForeignTree(tree: OwnedFd, target: OwnedFd, namespace: OwnedFd): void {
  within(namespace, () => attachTree(tree, target));
}

/** Takes away what `namespace` has mounted at `name` in the open directory of its own; a link is not followed. */
export function unmountForeignEntry(directory: OwnedFd, name: string, namespace: OwnedFd): void {
  within(namespace, () => {
    // Its /proc knows nothing of this process: what is open cannot be named by a path there.
    checked('fchdir', 'a directory of a container', (c) => c.fchdir(directory.fd));
    unmountHere(name);
  });
}

function within<Result>(namespace: OwnedFd, call: () => Result): Result {
  using home = new OwnedFd(openSync('/proc/thread-self/ns/mnt', 'r'));
  using root = openDirectory('/');
  using here = openDirectory('.');
  // A thread that shares its root with others may not change its mount namespace (setns(2)).
  if (!hasOwnRoot) checked('unshare', 'the root directory of this thread', (c) => c.unshare(CLONE_FS));
  hasOwnRoot = true;
  checked('setns', 'the mount namespace of a container', (c) => c.setns(namespace.fd, CLONE_NEWNS));
  try {
    return call();
  } finally {
    comeBack(home, root, here);
  }
}

/** A process that is stuck among a tenant's files must not go on. */
function comeBack(home: OwnedFd, root: OwnedFd, here: OwnedFd): void {
  try {
    checked('setns', 'our own mount namespace', (c) => c.setns(home.fd, CLONE_NEWNS));
    checked('fchdir', 'our own root directory', (c) => c.fchdir(root.fd));
    checked('chroot', 'our own root directory', (c) => c.chroot('.'));
    checked('fchdir', 'our own working directory', (c) => c.fchdir(here.fd));
  } catch (error) {
    process.stderr.write(`${String(error)}\n`);
    process.abort();
  }
}
