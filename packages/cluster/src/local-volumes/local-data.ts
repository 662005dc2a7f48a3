/**
 * The data of local volumes: `volumes/<name>/`, a directory for file systems, which has the size of its claim
 * because a file system in `volumes/<name>.ext4` is mounted there; a sparse file `disk.img` in it for block devices; and
 * of snapshots, which are copies of such directories, or of the file beside one where files can share blocks. Paths
 * come from names that we made, and never from an object's spec. Whatever takes time is made beside its place, synced and renamed:
 * after a power cut it is there as a whole or not at all.
 */
import { existsSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  growFilesystemImage,
  imageBeside,
  makeFilesystemImage,
  mountFilesystemImage,
  refreshLoopDevices,
  removeTree,
  shareFilesystemImage,
  unmountFilesystemImage,
} from '@podvisor/sys';
import type { NewVolume, VolumeMode } from '@podvisor/home-contract';
import { runCopy } from './run-copy.ts';

const UID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
/** Names that this provisioner gives: `pvc-<uid>`, `snapshot-<uid>`. */
const VOLUME_NAME = new RegExp(`^pvc-${UID}$`);
const SNAPSHOT_NAME = new RegExp(`^snapshot-${UID}$`);
/** Who a VM's launcher is (docs/contracts.md, section 5). */
const QEMU_ID = 107;
const DISK = 'disk.img';

export interface LocalDirectories {
  readonly volumes: string;
  readonly snapshots: string;
}

/** Sources of copies under way: what is being read is not removed. */
const reading = new Map<string, number>();

async function whileReading(path: string, copy: () => Promise<void>): Promise<void> {
  reading.set(path, (reading.get(path) ?? 0) + 1);
  try {
    await copy();
  } finally {
    const left = (reading.get(path) ?? 1) - 1;
    if (left === 0) reading.delete(path);
    else reading.set(path, left);
  }
}

async function remove(path: string): Promise<void> {
  if (reading.has(path)) throw new Error(`${path} is being copied: it is removed when the copy is done`);
  await discard(`${path}.partial`);
  await discard(path);
}

/** The image goes first: a directory without one is no volume that lost its content, as none had any. */
async function discard(path: string): Promise<void> {
  await unmountFilesystemImage(path);
  await rm(imageBeside(path), { force: true });
  await removeTree(path);
}

/** A volume, and whether a file system gets no more space than `bytes`, which needs root. */
export interface NewLocalVolume extends NewVolume {
  readonly isLimited?: boolean;
}

/** Makes the data; calling it again changes nothing. Returns the path for the volume's spec. */
export async function makeLocalData(
  directories: LocalDirectories,
  name: string,
  { mode, bytes, content = { kind: 'empty' }, isLimited = false, onProgress }: NewLocalVolume,
  signal?: AbortSignal,
): Promise<string> {
  const path = pathFor(directories.volumes, name, VOLUME_NAME);
  const result = mode === 'Block' ? join(path, DISK) : path;
  if (existsSync(path)) return result;
  // The directory above keeps other users of the machine out; in the Pod, the volume belongs to its users.
  await mkdir(directories.volumes, { recursive: true, mode: 0o700 });
  const source =
    content.kind === 'volume'
      ? pathFor(directories.volumes, content.name, VOLUME_NAME)
      : content.kind === 'snapshot'
        ? pathFor(directories.snapshots, content.name, SNAPSHOT_NAME)
        : undefined;
  const limit = mode === 'Filesystem' && isLimited ? bytes : undefined;
  await aside(path, async (partial) => {
    const isShared =
      limit !== undefined && source !== undefined && (await sharedImage(source, partial, limit));
    if (limit !== undefined && !isShared) await makeFilesystemImage(partial, limit);
    if (source !== undefined && !isShared) {
      const job = { from: source, to: partial, onlyDisk: mode === 'Block', onProgress };
      await mountFilesystemImage(source);
      await whileReading(source, () => runCopy(job, signal));
    }
    if (mode === 'Block' || content.kind === 'blank') await ensureDisk(join(partial, DISK), mode, bytes);
    if (mode === 'Filesystem' && content.kind !== 'volume' && content.kind !== 'snapshot') {
      await using handle = await open(partial);
      await handle.chmod(0o777);
    }
  });
  await mountFilesystemImage(path);
  return result;
}

/** A volume becomes larger, also where it is in use; a directory without a size of its own stays. Never smaller. */
export async function growLocalData(
  directories: LocalDirectories,
  name: string,
  mode: VolumeMode,
  bytes: number,
): Promise<void> {
  const path = pathFor(directories.volumes, name, VOLUME_NAME);
  if (mode !== 'Block') {
    await growFilesystemImage(path, bytes);
    return;
  }
  const disk = join(path, DISK);
  await ensureDisk(disk, mode, bytes);
  await refreshLoopDevices(disk);
}

/** Removes the data of a volume. Links inside are removed, not followed. */
export async function removeLocalData({ volumes }: LocalDirectories, name: string): Promise<void> {
  await remove(pathFor(volumes, name, VOLUME_NAME));
}

/** Copies a volume as it is now; a snapshot that is there is complete. */
export async function takeSnapshot(
  { volumes, snapshots }: LocalDirectories,
  name: string,
  volumeName: string,
  signal?: AbortSignal,
): Promise<void> {
  const path = pathFor(snapshots, name, SNAPSHOT_NAME);
  if (existsSync(path)) return;
  const source = pathFor(volumes, volumeName, VOLUME_NAME);
  if (!existsSync(source)) throw new Error(`volume ${volumeName} has no data on this machine`);
  await mkdir(snapshots, { recursive: true, mode: 0o700 });
  await mountFilesystemImage(source);
  await aside(path, async (partial) => {
    if (await shareFilesystemImage(source, partial)) return;
    await whileReading(source, () => runCopy({ from: source, to: partial }, signal));
  });
}

export async function removeSnapshot({ snapshots }: LocalDirectories, name: string): Promise<void> {
  await remove(pathFor(snapshots, name, SNAPSHOT_NAME));
}

export function hasSnapshot({ snapshots }: LocalDirectories, name: string): boolean {
  return SNAPSHOT_NAME.test(name) && existsSync(join(snapshots, name));
}

/** The file system of `source` with all that is in it, at `directory`, with room for `bytes`; false: it cannot be had so. */
async function sharedImage(source: string, directory: string, bytes: number): Promise<boolean> {
  if (!(await shareFilesystemImage(source, directory))) return false;
  await growFilesystemImage(directory, bytes);
  return true;
}

/**
 * Fills a directory beside `path`, or a file system that is mounted on it, and puts it there; what an earlier try left is
 * thrown away. The directory comes last: where it is, its image is whole.
 */
async function aside(path: string, fill: (partial: string) => Promise<void>): Promise<void> {
  const partial = `${path}.partial`;
  await discard(partial);
  await mkdir(partial);
  try {
    await fill(partial);
    await sync(partial);
    if (existsSync(imageBeside(partial))) {
      await unmountFilesystemImage(partial);
      await sync(imageBeside(partial));
      await rename(imageBeside(partial), imageBeside(path));
    }
    await rename(partial, path);
    await sync(join(path, '..'));
  } catch (error) {
    await discard(partial);
    throw error;
  }
}

async function sync(path: string): Promise<void> {
  await using handle = await open(path);
  await handle.sync();
}

/** We made the directory, and nobody else has seen it: its names are ours. */
async function ensureDisk(file: string, mode: VolumeMode, bytes: number): Promise<void> {
  await using handle = await open(file, 'a', mode === 'Block' ? 0o600 : 0o660);
  const { size } = await handle.stat();
  if (mode === 'Filesystem') await handle.chown(QEMU_ID, QEMU_ID);
  if (size < bytes) await handle.truncate(bytes);
  await handle.sync();
}

function pathFor(directory: string, name: string, shape: RegExp): string {
  if (!shape.test(name))
    throw new Error(
      `${name || 'a volume without a name'} was not made by this provisioner: its data is not touched`,
    );
  return join(directory, name);
}
