/**
 * A set of files that changes as a whole: readers see the old set or the new one, never a mix. The files
 * live in a directory of their own; `..data` points at it and is switched by a rename; the visible names
 * are links through `..data`. Containers and tools know this layout.
 */
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { entriesBelow } from '@podvisor/sys';
import { VolumeError } from './types.ts';

export interface ProjectedFile {
  readonly content: Uint8Array;
  readonly mode: number;
}

export type ProjectedFiles = ReadonlyMap<string, ProjectedFile>;

/** Makes `directory` show exactly `files`. Does nothing when it does already. */
export async function writeFilesAtomically(
  directory: string,
  files: ProjectedFiles,
  fsGroup: number | undefined,
): Promise<void> {
  for (const path of files.keys()) checkRelative(path);
  const old = currentTarget(directory);
  if (old !== undefined && isSame(join(directory, old), files)) return;
  const fresh = await mkdtemp(join(directory, `..${new Date().toISOString().replace(/[:.]/g, '_')}.`));
  await chmod(fresh, 0o755);
  for (const [path, { content, mode }] of files) {
    const target = join(fresh, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o755 });
    await writeFile(target, content);
    if (fsGroup !== undefined) await chown(target, 0, fsGroup);
    await chmod(target, fsGroup === undefined ? mode : mode | 0o440);
  }
  const link = join(directory, '..data_tmp');
  await rm(link, { force: true });
  await symlink(fresh.slice(directory.length + 1), link);
  await rename(link, join(directory, '..data'));
  await showNames(directory, files);
  if (old !== undefined) await rm(join(directory, old), { recursive: true, force: true });
}

function checkRelative(path: string): void {
  if (path === '' || path.startsWith('/') || path.startsWith('..') || normalize(path).startsWith('..')) {
    throw new VolumeError(`"${path}" is not a path inside a volume`);
  }
}

function currentTarget(directory: string): string | undefined {
  try {
    return readlinkSync(join(directory, '..data'));
  } catch {
    return undefined;
  }
}

function isSame(directory: string, files: ProjectedFiles): boolean {
  if (!existsSync(directory)) return false;
  const present = [...entriesBelow(directory)].filter((e) => e.isFile());
  if (present.length !== files.size) return false;
  return [...files].every(([path, { content, mode }]) => {
    const file = join(directory, path);
    if (!existsSync(file)) return false;
    return (statSync(file).mode & mode) === mode && readFileSync(file).equals(content);
  });
}

async function showNames(directory: string, files: ProjectedFiles): Promise<void> {
  const wanted = new Set([...files.keys()].map((path) => normalize(path).split('/')[0] ?? path));
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const { name } = entry;
    // A directory stands for a subPath that had no file when a container mounted it.
    if (!name.startsWith('..') && !wanted.has(name) && !entry.isDirectory())
      await unlink(join(directory, name));
    wanted.delete(name);
  }
  for (const name of wanted) await symlink(join('..data', name), join(directory, name));
}
