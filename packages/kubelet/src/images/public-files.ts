/** Copies files of the node that everybody on it may read, and nothing else. */
import { constants, type Dirent } from 'node:fs';
import { mkdir, open, readdir, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** What one file may weigh; bundles of certificates are below. */
const MAX_BYTES = 1024 * 1024;
const MAX_DEPTH = 4;
/** All permission that everybody must have: to read a file, to enter and list a directory. */
const FILE_BITS = 0o004;
const DIRECTORY_BITS = 0o005;

/**
 * Copies `names` (paths below `from`, of files or directories) to `to`. Left out, with all that is below: what other
 * users may not read, what is neither file, directory nor link, what is larger than a mebibyte, and what does not
 * exist. Links are copied as links.
 */
export async function copyPublicFiles(from: string, to: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const above = dirname(name);
    const parent = await readdir(join(from, above), { withFileTypes: true }).catch(() => []);
    const entry = parent.find((found) => join(above, found.name) === join(name));
    if (entry === undefined || !(await isOpenWay(from, above))) continue;
    await mkdir(join(to, above), { recursive: true, mode: 0o755 });
    await copy(join(from, name), join(to, name), entry, 0);
  }
}

async function isOpenWay(from: string, path: string): Promise<boolean> {
  if (path === '.') return true;
  const { mode } = await stat(join(from, path));
  return (mode & DIRECTORY_BITS) === DIRECTORY_BITS && (await isOpenWay(from, dirname(path)));
}

async function copy(from: string, to: string, entry: Dirent, depth: number): Promise<void> {
  if (entry.isSymbolicLink()) await symlink(await readlink(from), to);
  else if (entry.isDirectory()) await copyDirectory(from, to, depth);
  else if (entry.isFile()) await copyFile(from, to);
}

async function copyDirectory(from: string, to: string, depth: number): Promise<void> {
  const { mode } = await stat(from);
  if ((mode & DIRECTORY_BITS) !== DIRECTORY_BITS || depth === MAX_DEPTH) return;
  await mkdir(to, { mode: 0o755 });
  for (const entry of await readdir(from, { withFileTypes: true }))
    await copy(join(from, entry.name), join(to, entry.name), entry, depth + 1);
}

async function copyFile(from: string, to: string): Promise<void> {
  await using file = await open(from, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const { mode, size } = await file.stat();
  if ((mode & FILE_BITS) === 0 || size > MAX_BYTES) return;
  await writeFile(to, await file.readFile(), { mode: 0o644 });
}
