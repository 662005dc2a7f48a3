/**
 * Shows claims to a launcher Pod and takes them away again: an image file as a mount, and the directory that it is in
 * for the lease beside it; a block device as a node and the right to use it. The directory is the launcher's: everything in it is made and found by handle.
 */
import { randomUUID } from 'node:crypto';
import {
  chownSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { pluggedClaimName } from '@podvisor/api';
import type { Uid } from '@podvisor/base';
import { QEMU_UID } from '@podvisor/network';
import {
  makeBlockNode,
  O_PATH,
  openBeneath,
  openDirectory,
  type OwnedFd,
  setBlockDeviceAccess,
  SystemCallError,
  unmountEntry,
} from '@podvisor/sys';
import type { PluggedVolume } from '../ghost-records/record.ts';
import { CHANGE, LOOK, may } from '../sync/claim-directories.ts';
import { type AttachedDirectory, openAttached, openAttachedDirectory } from './attachment.ts';
import { LauncherView } from './launcher-view.ts';
import type { DesiredPlug } from './plan.ts';

/** Directory of plugged disks of a launcher Pod on this node. */
export function hotplugDirectory(kubeletDir: string, podUid: Uid): string {
  return join(kubeletDir, 'pods', podUid, 'volumes', 'kubernetes.io~empty-dir', 'hotplug-disks');
}

export interface PlugTarget {
  /** A process of the launcher's container. */
  readonly pid: number;
  /** The launcher's user namespace, if it has one: what belongs to 107 on disk belongs to its 107. */
  readonly users: OwnedFd | undefined;
}

/** Idempotent: what is there already stays. */
export function plug(directory: string, launcher: PlugTarget, desired: DesiredPlug): PluggedVolume {
  using target = openDirectory(directory);
  if (desired.directory === true) {
    using source = openAttachedDirectory(desired.attachPodUid, desired.volume);
    // Some who make them leave them to root.
    if (!mayUse(source.handle, CHANGE)) chownSync(source.handle.procPath, QEMU_UID, QEMU_UID);
    plugDirectory(target, desired.volume, source, launcher);
    return { volume: desired.volume, directory: true };
  }
  const source = openAttached(desired.attachPodUid, desired.volume, desired.block);
  if (source.kind === 'device') {
    plugDevice(target, desired.volume, source.rdev);
    setBlockDeviceAccess(launcher.pid, source.rdev, true);
    return { volume: desired.volume, rdev: source.rdev };
  }
  using from = source.directory;
  using handle = source.handle;
  // First: whoever opens the image takes the lease beside it.
  if (isOpenToLook(from.handle)) plugDirectory(target, pluggedClaimName(desired.volume), from, launcher);
  plugFile(target, `${desired.volume}.img`, { directory: from, handle }, launcher.users);
  return { volume: desired.volume };
}

/** Versions before this one showed the lease as a file alone. */
function formerLeaseName(volume: string): string {
  return `.${volume}.img.lease`;
}

function mayUse(directory: OwnedFd, rights: number): boolean {
  return may(fstatSync(directory.fd), QEMU_UID, rights);
}

/** A directory that QEMU's user may not look into is given to it, where root may do that. Without it there is no lease. */
function isOpenToLook(directory: OwnedFd): boolean {
  if (mayUse(directory, LOOK)) return true;
  try {
    chownSync(directory.procPath, QEMU_UID, QEMU_UID);
    return true;
  } catch (error) {
    if (['EPERM', 'EACCES', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

/** An open file of a claim. */
interface Source {
  readonly directory: AttachedDirectory;
  readonly handle: OwnedFd;
}

function plugFile(directory: OwnedFd, name: string, source: Source, users: OwnedFd | undefined): void {
  const wanted = fstatSync(source.handle.fd);
  // By handle, a file with one name: nobody can make us give away another one.
  if (wanted.uid !== QEMU_UID) chownSync(source.handle.procPath, QEMU_UID, QEMU_UID);
  using present = openExisting(directory, name);
  if (present !== undefined) {
    const stats = fstatSync(present.fd);
    if (stats.dev === wanted.dev && stats.ino === wanted.ino) return;
  }
  clear(directory, name);
  const flags = constants.O_RDONLY | constants.O_CREAT | constants.O_EXCL;
  using target = openBeneath(directory, name, { flags, mode: 0o600 });
  source.directory.bind(source.handle, target, users);
}

/** Shown to the launcher alone (launcher-view.ts). */
function plugDirectory(
  directory: OwnedFd,
  name: string,
  source: AttachedDirectory,
  { pid, users }: PlugTarget,
): void {
  const wanted = fstatSync(source.handle.fd);
  using view = LauncherView.open(directory, pid);
  {
    using present = view.find(name);
    const stats = present === undefined ? undefined : fstatSync(present.fd);
    if (stats?.dev === wanted.dev && stats.ino === wanted.ino) return;
  }
  view.hide(name);
  clear(directory, name);
  mkdirSync(`${directory.procPath}/${name}`, { mode: 0o700 });
  using tree = source.clone(source.handle, users);
  view.show(name, tree);
}

function plugDevice(directory: OwnedFd, name: string, rdev: number): void {
  using present = openExisting(directory, name);
  const stats = present === undefined ? undefined : fstatSync(present.fd);
  if (stats?.isBlockDevice() !== true || stats.rdev !== rdev) {
    clear(directory, name);
    makeBlockNode(directory, name, rdev);
  }
  using node = openBeneath(directory, name, { flags: O_PATH });
  const made = fstatSync(node.fd);
  if (!made.isBlockDevice() || made.rdev !== rdev)
    throw new Error(`${name} was changed by somebody while it was plugged`);
  if (made.uid !== QEMU_UID) chownSync(node.procPath, QEMU_UID, QEMU_UID);
}

/** Takes the claim away. A launcher Pod that is gone has taken everything with it. */
export function unplug(directory: string, launcherPid: number | undefined, gone: PluggedVolume): void {
  let target: OwnedFd;
  try {
    target = openDirectory(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  using handle = target;
  if (gone.directory === true) return hideDirectory(handle, gone.volume, launcherPid);
  if (gone.rdev === undefined) {
    clear(handle, `${gone.volume}.img`);
    clear(handle, formerLeaseName(gone.volume));
    return hideDirectory(handle, pluggedClaimName(gone.volume), launcherPid);
  }
  if (launcherPid !== undefined) setBlockDeviceAccess(launcherPid, gone.rdev, false);
  clear(handle, gone.volume);
}

/** A launcher that has ended has taken its mounts with it. */
function hideDirectory(directory: OwnedFd, name: string, launcherPid: number | undefined): void {
  if (launcherPid !== undefined) {
    using view = viewOf(directory, launcherPid);
    view?.hide(name);
  }
  clear(directory, name);
}

function viewOf(directory: OwnedFd, pid: number): LauncherView | undefined {
  try {
    return LauncherView.open(directory, pid);
  } catch (error) {
    // It has ended meanwhile.
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

function openExisting(directory: OwnedFd, name: string): OwnedFd | undefined {
  try {
    return openBeneath(directory, name, { flags: O_PATH });
  } catch (error) {
    // A link of the launcher's making is removed like anything else that is not ours.
    if (error instanceof SystemCallError && ['ENOENT', 'ELOOP'].includes(error.code)) return undefined;
    throw error;
  }
}

/** Removes the mount, if there is one, and the name. */
export function clear(directory: OwnedFd, name: string): void {
  for (;;) {
    try {
      unmountEntry(directory, name);
    } catch (error) {
      if (error instanceof SystemCallError && ['EINVAL', 'ENOENT', 'ELOOP'].includes(error.code)) break;
      throw error;
    }
  }
  // Never what is in a claim: whatever was mounted is gone, and a directory of ours is empty.
  const path = `${directory.procPath}/${name}`;
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true) removeDirectory(directory, path);
  else rmSync(path, { force: true });
}

/** One with something in it is the launcher's: it must not keep its VMI from being seen to, so it goes by another name. */
function removeDirectory(parent: OwnedFd, path: string): void {
  try {
    rmdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
    renameSync(path, `${parent.procPath}/.put-aside-${randomUUID()}`);
  }
}
