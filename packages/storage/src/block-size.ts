/** Sector sizes of what holds a disk, for guests that shall see those of their volume (`blockSize.matchVolume`). */
import { readFileSync, statfsSync, statSync } from 'node:fs';

/** In bytes. */
export interface BlockSizes {
  readonly logicalBytes: number;
  readonly physicalBytes: number;
  /** 0: the device gives nothing back. */
  readonly discardBytes: number;
}

/** The sizes of a block device, as the kernel's queue tells them, or of the file system that holds a file. */
export function blockSizes(path: string, block: boolean, sysfs = '/sys/dev/block'): BlockSizes {
  if (!block) {
    const { bsize } = statfsSync(path);
    return { logicalBytes: bsize, physicalBytes: bsize, discardBytes: bsize };
  }
  const { rdev } = statSync(path);
  const queue = `${sysfs}/${major(rdev)}:${minor(rdev)}`;
  const logical = numberIn(queue, 'logical_block_size');
  const physical = numberIn(queue, 'physical_block_size');
  if (logical === 0 && physical === 0) throw new Error(`the kernel tells no block size of ${path}`);
  const logicalBytes = logical || physical;
  const physicalBytes = physical || logical;
  const discard = numberIn(queue, 'discard_granularity');
  // QEMU refuses a granularity that is no multiple of the sector.
  const discardBytes = discard % logicalBytes === 0 ? discard : physicalBytes;
  return { logicalBytes, physicalBytes, discardBytes };
}

/** Every block of the file has a place on disk. */
export function isFullyAllocated(path: string): boolean {
  const { size, blocks } = statSync(path);
  return size > 0 && blocks * 512 >= size;
}

/** A partition has no queue of its own; that of its disk is one level up. */
function numberIn(device: string, name: string): number {
  for (const queue of [`${device}/queue`, `${device}/../queue`]) {
    try {
      return Number(readFileSync(`${queue}/${name}`, 'utf8').trim()) || 0;
    } catch {
      // not here
    }
  }
  return 0;
}

/** Linux' encoding of device numbers (makedev(3)). */
function major(device: number): number {
  return Math.floor(device / 256) % 4096;
}
function minor(device: number): number {
  return (device % 256) + Math.floor(device / 2 ** 20) * 256;
}
