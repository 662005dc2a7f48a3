/**
 * A file that a program makes, and that several may make at once. Each makes one of its own beside the name; the first
 * that is whole gets the name and keeps it, so that who reads it meanwhile does not find another file in its place.
 */
import { existsSync, linkSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * `make` writes the file that it is given; when it throws, nothing is left. Resolves when `target` is there and whole,
 * whoever made it: a file that exists is kept and not made again, as a running guest may have it open. Not promised:
 * that nothing stays beside `target` of a process that was killed.
 */
export async function makeOnce(target: string, make: (path: string) => Promise<unknown>): Promise<void> {
  if (existsSync(target)) return;
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
