import { closeSync, constants, fsyncSync, openSync } from 'node:fs';

/** What was made, renamed or removed in the directory is there after a power cut. */
export function syncDirectory(directory: string): void {
  const fd = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
