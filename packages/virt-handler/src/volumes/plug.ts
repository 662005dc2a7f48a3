/**
 * Shows claims to a launcher Pod and takes them away again: an image file as a mount, a block device as a node and
 * the right to use it. The directory is the launcher's: everything in it is made and found by handle.
 */
import { chownSync, constants, fstatSync, lstatSync, mkdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
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
import { CHANGE, may } from '../sync/claim-directories.ts';
import { type AttachedDirectory, openAttached, openAttachedDirectory } from './attachment.ts';
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
export function plug(directory: string, { pid, users }: PlugTarget, desired: DesiredPlug): PluggedVolume {
  using target = openDirectory(directory);
  if (desired.directory === true) {
    using source = openAttachedDirectory(desired.attachPodUid, desired.volume);
    plugDirectory(target, desired.volume, { directory: source, handle: source.handle }, users);
    return { volume: desired.volume, directory: true };
  }
  const source = openAttached(desired.attachPodUid, desired.volume, desired.block);
  if (source.kind === 'device') {
    plugDevice(target, desired.volume, source.rdev);
    setBlockDeviceAccess(pid, source.rdev, true);
    return { volume: desired.volume, rdev: source.rdev };
  }
  using from = source.directory;
  using handle = source.handle;
  using lease = source.lease;
  // First: whoever opens the image signs beside it.
  if (lease !== undefined)
    plugFile(target, leaseName(desired.volume), { directory: from, handle: lease }, users);
  plugFile(target, `${desired.volume}.img`, { directory: from, handle }, users);
  return { volume: desired.volume };
}

/** Beside `<volume>.img`, as the lease of any image is beside it. */
function leaseName(volume: string): string {
  return `.${volume}.img.lease`;
}

/** An open file of a claim, or its directory. */
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

function plugDirectory(directory: OwnedFd, name: string, source: Source, users: OwnedFd | undefined): void {
  const wanted = fstatSync(source.handle.fd);
  // As the directory of a disk's claim: some who make them leave them to root.
  if (!may(wanted, QEMU_UID, CHANGE)) chownSync(source.handle.procPath, QEMU_UID, QEMU_UID);
  using present = openExisting(directory, name);
  if (present !== undefined) {
    const stats = fstatSync(present.fd);
    if (stats.dev === wanted.dev && stats.ino === wanted.ino) return;
  }
  clear(directory, name);
  mkdirSync(`${directory.procPath}/${name}`, { mode: 0o700 });
  using target = openBeneath(directory, name, { flags: O_PATH });
  if (!fstatSync(target.fd).isDirectory())
    throw new Error(`${name} was changed by somebody while it was plugged`);
  source.directory.bind(source.handle, target, users);
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
  if (gone.directory === true) {
    clear(handle, gone.volume);
    return;
  }
  if (gone.rdev === undefined) {
    clear(handle, `${gone.volume}.img`);
    clear(handle, leaseName(gone.volume));
    return;
  }
  if (launcherPid !== undefined) setBlockDeviceAccess(launcherPid, gone.rdev, false);
  clear(handle, gone.volume);
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
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true) rmdirSync(path);
  else rmSync(path, { force: true });
}
