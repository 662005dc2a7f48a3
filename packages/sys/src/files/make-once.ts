/**
 * A file that several may make at once. Each makes one of its own beside the name; the first that is whole gets the
 * name and keeps it, so that who reads it meanwhile does not find another file in its place.
 */
import { linkSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** `make` writes the file that it is given. Resolves when `target` is there and whole, whoever made it. */
export async function makeOnce(target: string, make: (path: string) => Promise<void>): Promise<void> {
  mkdirSync(dirname(target), { recursive: true });
  const directory = mkdtempSync(`${target}.`);
  try {
    const own = join(directory, basename(target));
    await make(own);
    linkUnlessThere(own, target);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function linkUnlessThere(own: string, target: string): void {
  try {
    linkSync(own, target);
  } catch (error) {
    // Another one was first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
