/**
 * The cache of QEMU's capabilities that a libvirtd of `nobody` leaves for the next one and for launchers: a few XML
 * files. Other processes of the machine may be `nobody` too and put anything in their place, so what is taken over are
 * plain files, opened below a directory of root's without links, few and small.
 */
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  fstatSync,
  mkdirSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { firstNames, openBeneath, type OwnedFd, SystemCallError } from '@podvisor/sys';

/** One for each QEMU of a node, and some that are left over. */
const MAX_FILES = 256;
const MAX_FILE_BYTES = 8 * 1024 * 1024;
const isCacheFile = (name: string): boolean => /^[\w-]+\.xml$/.test(name);
const FILES = 'capabilities';

const keptIn = (cacheDir: string): string => join(cacheDir, 'libvirt/qemu/cache');

/**
 * Copies what is kept into `target`, which only root can reach as yet. Answers the files, as named below it. A cache
 * that another node swaps out meanwhile is of no use: probing without one only takes longer.
 */
export function takeOutCache(cacheDir: string, target: string): readonly string[] {
  const kept = join(keptIn(cacheDir), FILES);
  try {
    const names = readdirSync(kept).filter(isCacheFile);
    for (const name of names) copyFileSync(join(kept, name), join(target, FILES, name));
    return names.map((name) => join(FILES, name));
  } catch {
    return readdirSync(join(target, FILES)).map((name) => join(FILES, name));
  }
}

/**
 * Keeps what was made in `root`/`made`; `root` is root's, all below it may be anybody's.
 *
 * Swapped in as a whole: launchers that start meanwhile find the old cache, the new one, or for a moment none.
 * Several nodes of one machine share the directory and may swap at once: each works on names of its own and only
 * renames, and whoever comes too late lets the other's cache be. It only saves time, so no failure counts.
 */
export function keepCache(root: string, made: string, cacheDir: string): void {
  const target = keptIn(cacheDir);
  const [fresh, old] = [`${target}.new-${process.pid}`, `${target}.old-${process.pid}`];
  const remove = (path: string): void => rmSync(path, { recursive: true, force: true });
  try {
    remove(fresh);
    remove(old);
    using directory = openBeneath(root, join(made, FILES), {
      flags: constants.O_RDONLY | constants.O_DIRECTORY,
    });
    mkdirSync(join(fresh, FILES), { recursive: true });
    for (const path of [fresh, join(fresh, FILES)]) chmodSync(path, 0o755);
    for (const name of firstNames(directory.procPath, MAX_FILES).filter(isCacheFile)) {
      const text = textOf(directory, name);
      if (text === undefined) continue;
      writeFileSync(join(fresh, FILES, name), text);
      chmodSync(join(fresh, FILES, name), 0o644);
    }
    if (existsSync(target)) renameSync(target, old);
    renameSync(fresh, target);
  } catch {
    // Another node was faster, or the disk is full: the next probe makes it good.
  }
  for (const path of [fresh, old]) {
    try {
      remove(path);
    } catch {
      // Nobody looks at it; the next process of this number removes it.
    }
  }
}

/** Undefined: a link, a file that has another name somewhere, or no file at all. */
function textOf(directory: OwnedFd, name: string): Buffer | undefined {
  try {
    using file = openBeneath(directory, name, { flags: constants.O_RDONLY | constants.O_NONBLOCK });
    const stats = fstatSync(file.fd);
    if (!stats.isFile() || stats.nlink !== 1 || stats.size > MAX_FILE_BYTES) return undefined;
    const bytes = Buffer.alloc(stats.size);
    return bytes.subarray(0, readSync(file.fd, bytes, 0, bytes.length, 0));
  } catch (error) {
    if (error instanceof SystemCallError) return undefined;
    throw error;
  }
}
