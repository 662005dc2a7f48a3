/** Disks whose contents live and die with the launcher Pod: they are kept beside the memory that belongs to them. */
import { createHash } from 'node:crypto';
import { copyFile, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { VirtualMachineInstance } from '@podvisor/api';
import type { Domain } from '@podvisor/translate';
import { LauncherError } from '../launcher-error.ts';
import { planMigration } from '../migration/plan.ts';
import type { SaveLimit } from './save-limit.ts';

/** A disk of the Pod. */
export interface PodDisk {
  readonly volume: string;
  readonly path: string;
  /** Of the image that it is an overlay of: an overlay on another image is no disk. */
  readonly base?: string;
}

/** The same disks that a migration would copy. */
export async function podDisks(vmi: VirtualMachineInstance, live: Domain): Promise<readonly PodDisk[]> {
  const { volumes, paths } = planMigration(vmi, live, {}, true);
  return Promise.all(
    volumes.map(async (volume, index): Promise<PodDisk> => {
      const path = paths[index];
      if (path === undefined || path.startsWith('/dev/'))
        throw new LauncherError(
          `the disk of volume ${volume} is neither on a claim nor a file: it cannot be kept`,
        );
      const base = baseOf(live, path);
      return { volume, path, ...(base === undefined ? {} : { base: await fingerprint(base) }) };
    }),
  );
}

/** Copies them while the guest stands still. */
export async function keepPodDisks(
  disks: readonly PodDisk[],
  directory: string,
  limit: SaveLimit,
): Promise<void> {
  for (const { volume, path } of disks) {
    const { blocks } = await stat(path);
    await limit.during(keepDisk(path, join(directory, volume)), blocks * BLOCK_BYTES);
  }
}

/** Of `stat`, whatever the file system has. */
const BLOCK_BYTES = 512;

async function keepDisk(path: string, kept: string): Promise<void> {
  await copyFile(path, kept);
  await using file = await open(kept, 'r+');
  await file.sync();
}

/** Puts them where the new Pod's disks were made, before QEMU opens them. */
export async function bringPodDisks(
  disks: readonly PodDisk[],
  directory: string,
  now: readonly PodDisk[],
): Promise<void> {
  for (const { volume } of disks) {
    const place = now.find((disk) => disk.volume === volume);
    if (place === undefined) throw new LauncherError(`there is no disk for volume ${volume} any more`);
    await rm(place.path, { force: true });
    await copyFile(join(directory, volume), place.path);
  }
}

function baseOf({ devices }: Domain, path: string): string | undefined {
  const disk = devices?.disks?.find(({ source }) => source?.file === path);
  return disk?.backingStore?.source?.file;
}

const SAMPLES = 256;
const SAMPLE_BYTES = 4096;

/** Tells two images apart without reading all of them: their size, and parts from beginning to end. */
async function fingerprint(path: string): Promise<string> {
  await using file = await open(path, 'r');
  const { size } = await file.stat();
  const hash = createHash('sha256').update(String(size));
  const step = Math.max(SAMPLE_BYTES, Math.floor(size / SAMPLES));
  const buffer = Buffer.alloc(SAMPLE_BYTES);
  for (let at = 0; at < size; at += step) {
    const { bytesRead } = await file.read(buffer, 0, SAMPLE_BYTES, at);
    hash.update(buffer.subarray(0, bytesRead));
  }
  return hash.digest('hex');
}
