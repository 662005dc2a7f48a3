/** Finds the disk image inside an image: one file in `/disk`, or the path that the spec names. */
import { constants, fstatSync, readlinkSync } from 'node:fs';
import { messageOf } from '@podvisor/base';
import { firstNames, O_PATH, openBeneath, type OwnedFd, SystemCallError } from '@podvisor/sys';
import { ImageError } from './image/inspect.ts';

const DEFAULT_DIRECTORY = 'disk';

/**
 * Real path of the disk image below `imageRoot`. Links are resolved as if `imageRoot` were `/`, so that no
 * link of the image leads out of it. Throws ImageError.
 */
export function findContainerDisk(imageRoot: string, path?: string): string {
  using file = openContainerDisk(imageRoot, path);
  return readlinkSync(file.procPath);
}

/**
 * A handle (O_PATH) on the disk image below `imageRoot`: a regular file of the image itself, not of something that is
 * mounted there. Devices and pipes are looked at without being opened. The caller closes it. Throws ImageError.
 */
export function openContainerDisk(imageRoot: string | OwnedFd, path?: string): OwnedFd {
  const inside = path === undefined || path === '' ? soleFile(imageRoot) : path;
  const file = open(imageRoot, inside, O_PATH);
  if (fstatSync(file.fd).isFile()) return file;
  file.close();
  throw new ImageError('type', `${inside} of the image is not a regular file`);
}

/** The image is a tenant's, and who looks serves all guests of a node. */
const MOST_NAMES = 100;

function soleFile(imageRoot: string | OwnedFd): string {
  using directory = open(imageRoot, DEFAULT_DIRECTORY, constants.O_RDONLY | constants.O_DIRECTORY);
  const names = firstNames(directory.procPath, MOST_NAMES);
  const count = names.length === MOST_NAMES ? `${MOST_NAMES} or more` : names.length;
  if (names.length !== 1)
    throw new ImageError(
      'type',
      `the image must hold exactly one file in /disk, but it holds ${count}; name the file in containerDisk.path`,
    );
  return `${DEFAULT_DIRECTORY}/${names[0]}`;
}

function open(imageRoot: string | OwnedFd, path: string, flags: number): OwnedFd {
  try {
    return openBeneath(imageRoot, path.replace(/^\/+/, ''), { flags, symlinks: 'in-root', sameMount: true });
  } catch (error) {
    const isMissing = error instanceof SystemCallError && error.code === 'ENOENT';
    const why = isMissing ? `there is no such file${contents(imageRoot)}` : messageOf(error);
    throw new ImageError('type', `${path} cannot be opened inside the image: ${why}`, { cause: error });
  }
}

const SHOWN = 5;

/** What is where disks usually are: a wrong path is mostly a misspelt one. */
function contents(imageRoot: string | OwnedFd): string {
  try {
    using directory = openBeneath(imageRoot, DEFAULT_DIRECTORY, {
      flags: constants.O_RDONLY | constants.O_DIRECTORY,
      symlinks: 'in-root',
      sameMount: true,
    });
    const names = firstNames(directory.procPath, SHOWN).map((name) => `/${DEFAULT_DIRECTORY}/${name}`);
    return names.length === 0 ? '' : `; it has ${names.join(', ')}`;
  } catch {
    return `, and no directory /${DEFAULT_DIRECTORY}`;
  }
}
