/**
 * The image of a claim is a plain file with one name. Whoever can write to the claim could put a link there, which
 * would make QEMU open a file of the Pod as the guest's disk, or a pipe, a socket or a device.
 */
import { lstatSync, type Stats } from 'node:fs';
import { ImageError } from './image/inspect.ts';

/** Why `stats` (of lstat) are not those of a disk image; undefined: they are. Pure. */
export function notPlain(
  stats: Pick<Stats, 'isFile' | 'isSymbolicLink' | 'isDirectory' | 'nlink'>,
): string | undefined {
  if (stats.isSymbolicLink()) return 'is a symbolic link';
  if (stats.isDirectory()) return 'is a directory';
  if (!stats.isFile()) return 'is not a file but a device, a pipe or a socket';
  return stats.nlink === 1 ? undefined : `has ${stats.nlink} names`;
}

/** Throws ImageError unless `path` is a plain file with one name, or is not there. Links are not followed. */
export function requirePlainFile(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  const fault = stats === undefined ? undefined : notPlain(stats);
  if (fault !== undefined)
    throw new ImageError('type', `${path} ${fault}; a disk image must be a plain file with one name`);
}
