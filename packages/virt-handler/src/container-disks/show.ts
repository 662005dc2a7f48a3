/**
 * Shows a launcher Pod the disks and kernels that containers beside it hold, and takes them away again. The directory
 * is the Pod's volume `container-disks`: everything in it is made and found by handle.
 */
import { constants, mkdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { messageOf, type Uid } from '@podvisor/base';
import { inspectImageLater } from '@podvisor/storage';
import { attachTree, listMounts, openBeneath, openDirectory, type OwnedFd } from '@podvisor/sys';
import type { SocketChecks } from '../launcher-client/socket.ts';
import { clear } from '../volumes/plug.ts';
import { awaitSocket } from './await-socket.ts';
import { HeldImage } from './held-image.ts';
import type { PlannedImage, ShownFile } from './plan.ts';

/** A file of this name ends the containers that hold images (`container-disk.c`). */
const ENDED = 'ended';

/** Where the launcher Pod's container disks are on this node. */
export function containerDisksDirectory(kubeletDir: string, podUid: Uid): string {
  return join(kubeletDir, 'pods', podUid, 'volumes', 'kubernetes.io~empty-dir', 'container-disks');
}

/** Shows all files of an image. What was there from an earlier attempt is replaced. */
export async function showImage(
  directory: string,
  podUid: Uid,
  image: PlannedImage,
  checks?: SocketChecks,
): Promise<void> {
  try {
    using socket = await awaitSocket(directory, image.socket);
    using held = await HeldImage.open(socket, podUid, checks);
    for (const file of image.files) {
      using found = held.find(file.path);
      if (image.isDisk) await inspectImageLater(found.procPath);
      using tree = held.mountOf(found);
      place(directory, file, tree);
    }
  } catch (error) {
    throw new Error(
      `volume ${image.volume} cannot be shown to the launcher, and this Pod has no image volumes: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

function place(directory: string, { directory: below, name }: ShownFile, tree: OwnedFd): void {
  using top = openDirectory(directory);
  using parent = below === undefined ? undefined : ensureDirectory(top, below);
  const within = parent ?? top;
  clear(within, name);
  const flags = constants.O_RDONLY | constants.O_CREAT | constants.O_EXCL;
  using target = openBeneath(within, name, { flags });
  attachTree(tree, target);
}

function ensureDirectory(top: OwnedFd, name: string): OwnedFd {
  try {
    mkdirSync(`${top.procPath}/${name}`, { mode: 0o755 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return openBeneath(top, name, { flags: constants.O_RDONLY | constants.O_DIRECTORY });
}

/**
 * Takes away whatever is shown below the directory, so that the kubelet can remove it, and lets the containers end.
 * A QEMU that still runs keeps the files that it has open. A directory that is gone has taken everything with it.
 */
export function hideImages(directory: string): void {
  let real: string;
  try {
    real = realpathSync(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  using top = openDirectory(real);
  for (const { mountPoint } of listMounts().toReversed()) {
    if (!mountPoint.startsWith(`${real}/`)) continue;
    const path = mountPoint.slice(real.length + 1);
    using parent = openBeneath(top, dirname(path));
    // A mount that was seen twice, through a directory that is shared with itself, goes at once.
    clear(parent, basename(path));
  }
  endContainers(top);
}

/** They listen as long as the launcher runs; one that was killed could not tell them. */
function endContainers(top: OwnedFd): void {
  try {
    openBeneath(top, ENDED, { flags: constants.O_WRONLY | constants.O_CREAT }).close();
  } catch {
    // Somebody in the Pod put something else there; the containers end with the Pod.
  }
}
