/**
 * Unpacks a layer once, to be shared by all containers. GNU tar keeps members inside the directory: it
 * refuses `..` and makes symbolic links that lead out only after everything else is written.
 *
 * A layer's deletions become overlayfs whiteouts (character devices 0:0). "This directory starts empty"
 * becomes a second directory below the first, with a whiteout in that place: no extended attributes.
 */
import { createReadStream, createWriteStream, existsSync, renameSync, statfsSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { messageOf } from '@podvisor/base';
import { entriesBelow, removeTree, run } from '@podvisor/sys';

const UNPACK_TIMEOUT_MS = 1_800_000;
const WHITEOUT = '.wh.';
const OPAQUE = '.wh..wh..opq';

/** Directories of an unpacked layer, the upper one first. */
export function layerDirectories(layer: string): readonly string[] {
  return [join(layer, 'files'), join(layer, 'emptied')].filter((dir) => existsSync(dir));
}

/** Unpacks `archive` (any compression that tar knows) to `layer`; a layer that is there is complete. */
export async function unpackLayer(archive: string, layer: string): Promise<void> {
  if (existsSync(layer)) return;
  await mkdir(dirname(layer), { recursive: true });
  const temporary = await mkdtemp(`${layer}.`);
  try {
    const files = join(temporary, 'files');
    await mkdir(files);
    await withinSpace(temporary, (signal) => extract(archive, files, signal));
    await run('chmod', ['0755', files, temporary]);
    await applyDeletions(files, join(temporary, 'emptied'));
    renameSync(temporary, layer);
  } catch (error) {
    await removeTree(temporary);
    // Another node unpacked the same layer at the same time: its result is as good.
    if (!existsSync(layer)) throw error;
  }
}

/** Of the file system that images lie on, this part always stays free. */
const RESERVED = 0.05;
const LOOK_EVERY_MS = 250;

/** A few bytes may unpack to anything: it ends where the machine would run out of space. */
async function withinSpace(directory: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const full = new AbortController();
  const timer = setInterval(() => {
    const { bavail, blocks } = statfsSync(directory);
    if (bavail < blocks * RESERVED)
      full.abort(new Error(`it needs more space than ${directory} has; less than 5 % are free`));
  }, LOOK_EVERY_MS);
  try {
    await work(full.signal);
  } catch (error) {
    throw full.signal.aborted ? full.signal.reason : error;
  } finally {
    clearInterval(timer);
  }
}

async function extract(archive: string, files: string, signal: AbortSignal): Promise<void> {
  const options = ['--directory', files, '--numeric-owner', '--preserve-permissions'];
  const tar = (file: string): Promise<unknown> =>
    run('tar', ['--extract', '--file', file, ...options], { timeoutMs: UNPACK_TIMEOUT_MS, signal });
  try {
    await tar(archive);
  } catch (error) {
    if (!messageOf(error).includes('Unexpected EOF')) throw error;
    // Some image tools leave out the zeros that end an archive; container runtimes accept that, tar does not.
    const padded = `${files}.tar`;
    await pipeline(createReadStream(archive), createGunzip(), createWriteStream(padded), { signal });
    await appendFile(padded, Buffer.alloc(10_240));
    await tar(padded);
    await rm(padded);
  }
}

async function applyDeletions(files: string, emptied: string): Promise<void> {
  // A list before anything changes; links are not followed, whatever the layer has put there.
  const marks = [...entriesBelow(files)]
    .filter((entry) => entry.name.startsWith(WHITEOUT))
    .map((entry) => join(entry.parentPath, entry.name));
  for (const mark of marks) {
    const name = basename(mark).slice(WHITEOUT.length);
    if (name === '' || name === '.' || name === '..')
      throw new Error(`the layer deletes "${name}", which is no name of a file`);
    await rm(mark, { recursive: true });
    if (basename(mark) === OPAQUE) await whiteOut(join(emptied, relative(files, dirname(mark))));
    else await whiteOut(join(dirname(mark), basename(mark).slice(WHITEOUT.length)));
  }
}

async function whiteOut(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o755 });
  await run('mknod', [path, 'c', '0', '0']);
}
