/**
 * The image or device that a running guest's disk is copied into. It must not be in use, and not be smaller. An image
 * gets exactly the size of the disk, so that the guest sees the same disk before and after; it grows later.
 */
import { closeSync, constants, existsSync, ftruncateSync, openSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Amount } from '@podvisor/base';
import { run } from '@podvisor/sys';
import { deviceBytes } from './disk-image.ts';

export interface CopyDestination {
  readonly path: string;
  readonly block: boolean;
  /** Size of the disk that is copied. */
  readonly bytes: number;
  /** Size of the claim; undefined: not known. */
  readonly capacityBytes: number | undefined;
}

/** Makes the image, or proves that what is there is large enough. Throws a sentence with both sizes. */
export async function makeRoomForCopy(
  { path, block, bytes, capacityBytes }: CopyDestination,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (block) return check(bytes, deviceBytes(path));
  check(bytes, capacityBytes ?? bytes);
  const isThere = existsSync(path);
  if (isThere) await proveUnused(path, signal);
  const { bavail, bsize } = statfsSync(isThere ? path : dirname(path));
  check(bytes, bavail * bsize + (isThere ? statSync(path).blocks * STAT_BLOCK_BYTES : 0));
  const make = isThere ? 0 : constants.O_CREAT | constants.O_EXCL;
  const fd = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW | make, 0o660);
  try {
    ftruncateSync(fd, bytes);
  } finally {
    closeSync(fd);
  }
}

/** stat(2): the unit of st_blocks, whatever the file system's own is. */
const STAT_BLOCK_BYTES = 512;

function check(bytes: number, room: number): void {
  if (room >= bytes) return;
  const text = (value: number): string => Amount.ofBytes(value).toString();
  throw new Error(`the new claim has room for ${text(room)}, the disk has ${text(bytes)}`);
}

/** QEMU's locks tell: whoever opens the image to write, as qemu-io does, is refused while another one has it. */
async function proveUnused(path: string, signal: AbortSignal | undefined): Promise<void> {
  try {
    await run('qemu-io', ['-f', 'raw', '-c', 'length', path], signal === undefined ? {} : { signal });
  } catch (error) {
    throw new Error(`the new claim is in use: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
