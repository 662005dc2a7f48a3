/**
 * The data of local volumes: `volumes/<name>/`, a directory for file systems, a sparse file `disk.img` in
 * it for block devices; and of snapshots, which are copies of such directories. Paths come from names that
 * we made, and never from an object's spec. Whatever takes time is made beside its place, synced and renamed:
 * after a power cut it is there as a whole or not at all.
 */
import { existsSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { refreshLoopDevices } from '@podvisor/sys';
import type { NewVolume, VolumeMode } from '../node-door/volume-data.ts';
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
  await rm(path, { recursive: true, force: true });
  await rm(`${path}.partial`, { recursive: true, force: true });
}

/** Makes the data; calling it again changes nothing. Returns the path for the volume's spec. */
export async function makeLocalData(
  directories: LocalDirectories,
  name: string,
  { mode, bytes, content = { kind: 'empty' }, onProgress }: NewVolume,
  signal?: AbortSignal,
): Promise<string> {
  const path = pathFor(directories.volumes, name, VOLUME_NAME);
  const result = mode === 'Block' ? join(path, DISK) : path;
  if (existsSync(path)) return result;
  // The directory above keeps other users of the machine out; in the Pod, the volume belongs to its users.
  await mkdir(directories.volumes, { recursive: true, mode: 0o700 });
  await aside(path, async (partial) => {
    if (content.kind === 'volume' || content.kind === 'snapshot') {
      const source =
        content.kind === 'volume'
          ? pathFor(directories.volumes, content.name, VOLUME_NAME)
          : pathFor(directories.snapshots, content.name, SNAPSHOT_NAME);
      const job = { from: source, to: partial, onlyDisk: mode === 'Block', onProgress };
      await whileReading(source, () => runCopy(job, signal));
    }
    if (mode === 'Block' || content.kind === 'blank') await ensureDisk(join(partial, DISK), mode, bytes);
    if (mode === 'Filesystem' && content.kind !== 'volume' && content.kind !== 'snapshot') {
      await using handle = await open(partial);
      await handle.chmod(0o777);
    }
  });
  return result;
}

/** A block device becomes larger, also where it is in use; a directory has no size of its own. Never smaller. */
export async function growLocalData(
  directories: LocalDirectories,
  name: string,
  mode: VolumeMode,
  bytes: number,
): Promise<void> {
  if (mode !== 'Block') return;
  const disk = join(pathFor(directories.volumes, name, VOLUME_NAME), DISK);
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
  await aside(path, async (partial) => {
    await whileReading(source, () => runCopy({ from: source, to: partial }, signal));
  });
}

export async function removeSnapshot({ snapshots }: LocalDirectories, name: string): Promise<void> {
  await remove(pathFor(snapshots, name, SNAPSHOT_NAME));
}

export function hasSnapshot({ snapshots }: LocalDirectories, name: string): boolean {
  return SNAPSHOT_NAME.test(name) && existsSync(join(snapshots, name));
}

/** Fills a directory beside `path` and puts it there; what an earlier try left is thrown away. */
async function aside(path: string, fill: (partial: string) => Promise<void>): Promise<void> {
  const partial = `${path}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial);
  try {
    await fill(partial);
    await sync(partial);
    await rename(partial, path);
    await sync(join(path, '..'));
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
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
