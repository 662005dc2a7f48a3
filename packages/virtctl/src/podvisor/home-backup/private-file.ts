/** A file that holds secrets, made in a directory that others may write to as well. */
import { lstatSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * `write` fills a new file that nobody else can reach: it lies in a directory of its own beside `file`, and takes that
 * name when it is whole. No name that somebody else could have made before is written to.
 */
export async function writeBeside(file: string, write: (path: string) => Promise<unknown>): Promise<void> {
  const directory = mkdtempSync(join(dirname(resolve(file)), '.podvisor-backup.'));
  try {
    const path = join(directory, 'whole');
    writeFileSync(path, '', { mode: 0o600, flag: 'wx' });
    await write(path);
    renameSync(path, file);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The first entry that is neither a plain file nor a directory: what is moved by its name must be what it says. */
export function strangeEntry(directory: string): string | undefined {
  return readdirSync(directory).find((name) => {
    const stats = lstatSync(join(directory, name));
    return !stats.isFile() && !stats.isDirectory();
  });
}
