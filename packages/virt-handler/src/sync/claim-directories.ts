/**
 * The directory of a claim belongs to whoever made it. CSI drivers give it to the Pod's group; others leave it to root,
 * and QEMU's user could neither make nor open its image there. It is given to that user then, as KubeVirt does: by
 * handle, and only what really is a mount of the launcher's, at the place of the claim. Best effort: the launcher
 * says clearly what it cannot open.
 */
import { chownSync, fstatSync, readFileSync, type Stats } from 'node:fs';
import { launcherPaths } from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import type { Log } from '@podvisor/kube';
import { notPlain } from '@podvisor/storage';
import { O_PATH, openBeneath, type OwnedFd, parseMountinfo } from '@podvisor/sys';
import type { PodAccess } from '../network/pod-access.ts';

/** The directory of a claim in a launcher Pod, as mount tables name it: `/var/run` is a link to `/run`, or is not. */
const placesOf = (volume: string): readonly string[] => {
  const place = launcherPaths().volumeDirectory(volume);
  return [place.replace(/^\/var\/run\//, '/run/'), place];
};
const IMAGE = 'disk.img';
/** Bits of a mode: to find what is in a directory, and to use a file. */
const [SEARCH, USE] = [0o1, 0o6];
/** To find what is in a directory, and to make something in it. */
export const CHANGE = 0o3;
/** To find what is in a directory, and to list it. */
export const LOOK = 0o5;

/** Gives QEMU's user the directories of these volumes, and the images in them, as far as it lacks them. */
export function claimDirectories(
  { root, qemuUser }: Pick<PodAccess, 'root' | 'qemuUser'>,
  pid: number,
  volumes: readonly string[],
  log: Log,
): void {
  if (volumes.length === 0) return;
  const mounts = new Set(
    parseMountinfo(readFileSync(`/proc/${pid}/mountinfo`, 'utf8')).map(({ mountPoint }) => mountPoint),
  );
  for (const volume of volumes) {
    const path = placesOf(volume).find((place) => mounts.has(place));
    if (path === undefined) continue;
    try {
      using directory = openBeneath(root, path.slice(1), { flags: O_PATH });
      giveDirectory(directory, qemuUser);
    } catch (error) {
      log.warn({ volume, error: messageOf(error) }, 'the directory of a claim could not be given to QEMU');
    }
  }
}

function giveDirectory(directory: OwnedFd, user: number): void {
  const stats = fstatSync(directory.fd);
  if (!stats.isDirectory()) return;
  using image = openImage(directory);
  if (!may(stats, user, image === undefined ? CHANGE : SEARCH)) chownSync(directory.procPath, user, user);
  if (image === undefined) return;
  const file = fstatSync(image.fd);
  // A file with one name: nobody can make us give away another one.
  if (notPlain(file) === undefined && !may(file, user, USE)) chownSync(image.procPath, user, user);
}

function openImage(directory: OwnedFd): OwnedFd | undefined {
  try {
    return openBeneath(directory, IMAGE, { flags: O_PATH });
  } catch {
    return undefined; // none, or a link, which the launcher refuses
  }
}

/** Whether `user`, with the group of the same number, has these rights. Pure. */
export function may(
  { uid, gid, mode }: Pick<Stats, 'uid' | 'gid' | 'mode'>,
  user: number,
  bits: number,
): boolean {
  const rights = uid === user ? mode >> 6 : gid === user ? mode >> 3 : mode;
  return (rights & bits) === bits;
}
