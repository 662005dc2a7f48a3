/**
 * The directory of a claim belongs to whoever made it. CSI drivers give it to the Pod's group; others leave it to root,
 * and QEMU's user could neither make nor open its image there. It is given to that user then, as KubeVirt does: by
 * handle, and only what really is a mount of the launcher's, at the place of the claim. In a process of its own
 * (../volumes/claim-workers.ts): the storage may not answer.
 */
import { chownSync, fstatSync, readFileSync, type Stats } from 'node:fs';
import { launcherPaths } from '@podvisor/api';
import { notPlain } from '@podvisor/storage';
import { O_PATH, openBeneath, type OwnedFd, parseMountinfo } from '@podvisor/sys';
import type { PodAccess } from '../network/pod-access.ts';

/** A directory of a launcher Pod, as mount tables name it: `/var/run` is a link to `/run`, or is not. */
const namesOf = (path: string): readonly string[] => [path.replace(/^\/var\/run\//, '/run/'), path];
const IMAGE = 'disk.img';
/** Bits of a mode: to find what is in a directory, and to use a file. */
const [SEARCH, USE] = [0o1, 0o6];
/** To find what is in a directory, and to make something in it. */
export const CHANGE = 0o3;
/** To find what is in a directory, and to list it. */
export const LOOK = 0o5;

/** Where a launcher has a claim mounted, and which file system that is (`major:minor`). */
export interface ClaimMount {
  readonly volume: string;
  readonly path: string;
  readonly device: string;
}

/** A volume of the launcher Pod, and where it is to be mounted. */
export type ClaimPlace = Pick<ClaimMount, 'volume' | 'path'>;

/** Where the claims of disks are. */
export function diskPlaces(volumes: readonly string[]): readonly ClaimPlace[] {
  return volumes.map((volume) => ({ volume, path: launcherPaths().volumeDirectory(volume) }));
}

/** What is mounted at these places in process `pid`; a place that is no mount there is left out. Asks no storage. */
export function claimMounts(pid: number, places: readonly ClaimPlace[]): readonly ClaimMount[] {
  if (places.length === 0) return [];
  const mounts = parseMountinfo(readFileSync(`/proc/${pid}/mountinfo`, 'utf8'));
  return places.flatMap(({ volume, path }) => {
    const names = namesOf(path);
    const mount = mounts.findLast(({ mountPoint }) => names.includes(mountPoint));
    return mount === undefined ? [] : [{ volume, path: mount.mountPoint, device: mount.device }];
  });
}

/** Gives QEMU's user the directory of a claim, and the image in it, as far as it lacks them. */
export function giveClaim({ root, qemuUser }: Pick<PodAccess, 'root' | 'qemuUser'>, path: string): void {
  using directory = openBeneath(root, path.slice(1), { flags: O_PATH });
  giveDirectory(directory, qemuUser);
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
