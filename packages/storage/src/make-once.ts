/** A file that a program makes: it appears under its name only when it is complete, and is never made twice. */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * `make` writes to the path that it is given; when it throws, nothing is there under `path`. A file that exists is kept:
 * a running guest may have it open. Not promised: that two at once for one path do not disturb each other.
 */
export async function makeOnce(path: string, make: (partial: string) => Promise<unknown>): Promise<void> {
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true });
  const partial = `${path}.partial`;
  rmSync(partial, { force: true });
  await make(partial);
  renameSync(partial, path);
}
