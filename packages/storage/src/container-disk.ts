/** Finds the disk image inside an image volume: one file in `/disk`, or the path that the spec names. */
import { constants, fstatSync, readdirSync, readlinkSync } from 'node:fs';
import { messageOf } from '@podvisor/base';
import { openBeneath } from '@podvisor/sys';
import { ImageError } from './image/inspect.ts';

const DEFAULT_DIRECTORY = 'disk';

/**
 * Real path of the disk image below `imageRoot`. Links are resolved as if `imageRoot` were `/`, so that no
 * link of the image leads out of it. Throws ImageError.
 */
export function findContainerDisk(imageRoot: string, path?: string): string {
  const inside = path === undefined || path === '' ? soleFile(imageRoot) : path;
  // A pipe must not keep us waiting for somebody who writes to it.
  using file = open(imageRoot, inside, constants.O_RDONLY | constants.O_NONBLOCK);
  if (!fstatSync(file.fd).isFile())
    throw new ImageError('type', `${inside} of the image is not a regular file`);
  return readlinkSync(file.procPath);
}

function soleFile(imageRoot: string): string {
  using directory = open(imageRoot, DEFAULT_DIRECTORY, constants.O_RDONLY | constants.O_DIRECTORY);
  const names = readdirSync(directory.procPath);
  if (names.length !== 1)
    throw new ImageError(
      'type',
      `the image must hold exactly one file in /disk, but it holds ${names.length}; name the file in containerDisk.path`,
    );
  return `${DEFAULT_DIRECTORY}/${names[0]}`;
}

function open(imageRoot: string, path: string, flags: number): ReturnType<typeof openBeneath> {
  try {
    return openBeneath(imageRoot, path.replace(/^\/+/, ''), { flags, symlinks: 'in-root' });
  } catch (error) {
    throw new ImageError('type', `${path} cannot be opened inside the image: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
