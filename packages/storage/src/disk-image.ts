/** The raw image file of a Filesystem PVC or hostDisk: sparse, as large as the claim, made once. */
import {
  closeSync,
  existsSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
} from 'node:fs';
import type { ClaimFacts } from '@podvisor/api';
import { basename, dirname, join } from 'node:path';

const MIB = 1024 * 1024;
/** The kernel counts in these, whatever a device's own are. */
const SECTOR_BYTES = 512;
/** Left free for the file system's own needs. */
const RESERVED_BYTES = 131_072;
/** How much smaller than asked the image may become when the volume is a little short. */
const TOLERATED_SHORTAGE = 0.1;

export interface DiskImageResult {
  readonly created: boolean;
  readonly sizeBytes?: number;
  /** True when the volume had less room than asked and the image was made smaller. */
  readonly isSmaller?: boolean;
}

/** Size for a new image: what was asked for, or what fits when at most 10 % is missing; whole MiB. */
export function imageSize(wantedBytes: number, availableBytes: number): number {
  const room = availableBytes - RESERVED_BYTES;
  const size = room >= wantedBytes ? wantedBytes : room;
  if (size < wantedBytes * (1 - TOLERATED_SHORTAGE))
    throw new Error(
      `a disk image of ${wantedBytes} bytes does not fit: the volume has ${availableBytes} bytes free`,
    );
  return Math.floor(size / MIB) * MIB;
}

/** Makes the image unless it exists. Complete or absent, also when several try at once. */
export function ensureDiskImage(path: string, wantedBytes: number): DiskImageResult {
  if (existsSync(path)) return { created: false };
  const { bavail, bsize } = statfsSync(dirname(path));
  const sizeBytes = imageSize(wantedBytes, bavail * bsize);
  const partial = `${path}.${process.pid}.partial`;
  rmSync(partial, { force: true });
  const fd = openSync(partial, 'wx', 0o660);
  try {
    ftruncateSync(fd, sizeBytes);
    linkSync(partial, path);
  } catch (error) {
    // Somebody else made it in the meantime: theirs stays.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return { created: false };
    throw error;
  } finally {
    closeSync(fd);
    rmSync(partial, { force: true });
  }
  return { created: true, sizeBytes, isSmaller: sizeBytes < Math.floor(wantedBytes / MIB) * MIB };
}

/**
 * Takes away the second name of an image that was being made when the power went. A name that is not ours to give
 * stays, and with it the image is refused.
 */
export function forgetPartials(path: string): void {
  if ((lstatSync(path, { throwIfNoEntry: false })?.nlink ?? 1) === 1) return;
  const directory = dirname(path);
  const own = `${basename(path)}.`;
  for (const name of readdirSync(directory))
    if (name.startsWith(own) && name.endsWith('.partial')) rmSync(join(directory, name), { force: true });
}

/** How far an image in a claim may grow: the claim without what its file system keeps. */
export function roomForImage({ capacityBytes = 0, fileSystemOverhead = 0 }: ClaimFacts): number {
  return Math.floor(capacityBytes * (1 - fileSystemOverhead));
}

/** How large the image of a claim may be: the claim, or what the image's file system can hold; whole MiB. */
export function imageRoom(path: string, claimBytes: number): number {
  // The image itself may be a mount of its own, on another file system than its directory.
  const { blocks, bsize } = statfsSync(path);
  return Math.floor(Math.min(claimBytes, blocks * bsize - RESERVED_BYTES) / MIB) * MIB;
}

/** Makes the image as large as its claim has become; never smaller. Returns whether it has grown. */
export function growDiskImage(path: string, claimBytes: number): boolean {
  const size = imageRoom(path, claimBytes);
  if (size <= statSync(path).size) return false;
  truncateSync(path, size);
  return true;
}

/** Size of a block device in bytes, as the kernel has it now. */
export function deviceBytes(path: string): number {
  const { rdev } = statSync(path);
  const major = ((rdev >>> 8) & 0xfff) + Math.floor(rdev / 2 ** 32) * 4096;
  const minor = (rdev & 0xff) | ((rdev >>> 12) & 0xfff00);
  return Number(readFileSync(`/sys/dev/block/${major}:${minor}/size`, 'utf8')) * SECTOR_BYTES;
}
