/**
 * A directory with a size: a sparse file with an ext4 file system, mounted on the directory beside it. Whoever
 * writes there meets the end of it as on a disk of that size, whatever the file system of the machine can do.
 *
 * The file system is about twice as large as it may become full, and the rest is reserved for a user that no container
 * can be: so it grows to the double while it is in use, which ext4 itself allows only to processes with
 * CAP_SYS_RESOURCE. How much may be used is noted as its label.
 */
import { existsSync, statfsSync } from 'node:fs';
import { open, rm, rmdir, truncate } from 'node:fs/promises';
import { shareContent } from './copy-content.ts';
import { loopDevicesOf } from './loop-device.ts';
import { listMounts } from './mounts.ts';
import { run } from '../processes/run.ts';

const MEBI = 1024 * 1024;
const GIBI = 1024 * MEBI;
const BLOCK_BYTES = 4096;
/** Checks and tables of a large one take their time. */
const TIMEOUT_MS = 600_000;
/** Whose the reserved space is. Kubernetes knows no user above 2³¹. */
const NOBODY = 2 ** 32 - 2;

/** Journal of the file system: small ones need little. */
function journalMebi(bytes: number): number {
  return bytes < 4 * GIBI ? 4 : 32;
}

/** Size of the file for `bytes` of data: twice that, and ext4's own tables, a little over a sixtieth. */
function imageBytes(bytes: number): number {
  const whole = Math.ceil(bytes * 2.06) + (journalMebi(bytes) + 4) * MEBI;
  return Math.ceil(whole / MEBI) * MEBI;
}

/** What may be used for `bytes` of data, with directories and the places of large files. */
function usableBytes(bytes: number): number {
  return Math.ceil(bytes * 1.005) + MEBI;
}

/** The file that holds what is mounted on `directory`. */
export function imageBeside(directory: string): string {
  return `${directory}.ext4`;
}

/** Makes the file beside `directory` anew, with room for `bytes`, and mounts it there. */
export async function makeFilesystemImage(directory: string, bytes: number): Promise<void> {
  const image = imageBeside(directory);
  {
    await using file = await open(image, 'w', 0o600);
    await file.truncate(imageBytes(bytes));
  }
  const options = ['-J', `size=${journalMebi(bytes)}`, '-E', 'nodiscard', '-L', String(bytes)];
  await run('mkfs.ext4', ['-q', '-F', '-b', String(BLOCK_BYTES), '-m', '0', ...options, image], {
    timeoutMs: TIMEOUT_MS,
  });
  await mountFilesystemImage(directory);
  await reserve(directory);
  // A new directory is empty.
  await rmdir(`${directory}/lost+found`);
}

/**
 * Makes the file beside `to` a copy of the one beside `from` that shares its blocks, which takes no time and no space.
 * False where there is none, or where the file system cannot: then nothing was made. What was written before is in it; what
 * is written meanwhile is in it as after a power cut, which ext4 mends when it is mounted.
 */
export async function shareFilesystemImage(from: string, to: string): Promise<boolean> {
  const [source, copy] = [imageBeside(from), imageBeside(to)];
  if (!existsSync(source)) return false;
  if (isMounted(from)) await run('sync', ['--file-system', from], { timeoutMs: TIMEOUT_MS });
  await using input = await open(source, 'r');
  await using output = await open(copy, 'w', 0o600);
  if (shareContent(input.fd, output.fd)) return true;
  await rm(copy);
  return false;
}

/**
 * Mounts what is beside `directory` on it, if there is anything, and lets it have all of its file when nobody uses it.
 * Idempotent, also when several processes ask at once: a file system that were mounted from two loop devices would be
 * lost.
 */
export async function mountFilesystemImage(directory: string): Promise<void> {
  const image = imageBeside(directory);
  if (!existsSync(image)) return;
  const before = await readSuperblock(image);
  const isShort = before.fileBytes - before.blocks * BLOCK_BYTES >= MEBI;
  if (isMounted(directory) && !isShort) return;
  await run('flock', [image, 'sh', '-c', MOUNT_SCRIPT, 'sh', image, directory, isShort ? 'grow' : ''], {
    timeoutMs: TIMEOUT_MS,
  });
  // Without a page cache of its own, what is written is kept once. Not every file system can do that.
  for (const device of await loopDevicesOf(image))
    await run('losetup', ['--direct-io=on', device], { okCodes: [0, 1] });
  if (isShort) await reserve(directory);
}

/**
 * Space that is freed inside goes back to the machine (discard). A loop device outlives its last mount for as long as
 * somebody has it open, and be it a listing of devices: growing waits for that moment. Only a file that is mounted in
 * another namespace keeps its device longer, and stays as it is.
 */
const MOUNT_SCRIPT = `
if mountpoint -q "$2"; then
  [ "$3" = grow ] || exit 0
  umount "$2" || exit 0
fi
is_attached() { losetup --associated "$1" | grep -q .; }
if [ "$3" = grow ]; then
  looks=0
  while is_attached "$1" && [ $looks -lt 20 ]; do looks=$((looks + 1)); sleep 0.1; done
  if ! is_attached "$1"; then
    e2fsck -f -p "$1"
    resize2fs "$1"
  fi
fi
exec mount -t ext4 -o loop,nosuid,nodev,discard,resuid=${NOBODY},resgid=${NOBODY} "$1" "$2"
`;

/** The loop device goes with the last mount of it. */
export async function unmountFilesystemImage(directory: string): Promise<void> {
  if (isMounted(directory)) await run('umount', [directory], { timeoutMs: TIMEOUT_MS });
}

/**
 * Gives it room for `bytes`; never less than it has. Beyond the double of what it had, one that is in use grows at once
 * only where this process has CAP_SYS_RESOURCE, and when it is mounted the next time where not. Every step looks at what
 * is there: the note says what is wanted, and nothing of how far a call that was cut off had come.
 */
export async function growFilesystemImage(directory: string, bytes: number): Promise<void> {
  const image = imageBeside(directory);
  if (!existsSync(image)) return;
  await mountFilesystemImage(directory);
  const { noted, fileBytes } = await readSuperblock(image);
  const [device] = await loopDevicesOf(image);
  if (device === undefined) return;
  const wanted = Math.max(noted, bytes);
  if (wanted > noted) await run('tune2fs', ['-L', String(wanted), device]);
  if (blocksOf(directory) * BLOCK_BYTES < usableBytes(wanted)) {
    await truncate(image, Math.max(fileBytes, imageBytes(wanted)));
    await run('losetup', ['--set-capacity', device]);
    await run('resize2fs', [device], { timeoutMs: TIMEOUT_MS, okCodes: [0, 1] });
  }
  await reserve(directory);
}

/** Blocks for data of a mounted one; ext4 leaves its own out. */
function blocksOf(directory: string): number {
  const { blocks } = statfsSync(directory);
  // A fiftieth, 16 MiB at most, it keeps for writes that it has promised (ext4_set_resv_clusters).
  return blocks - Math.min(Math.ceil(blocks / 49), 4096);
}

/** Leaves of a mounted one what was noted for data, and keeps the rest; ext4 keeps half of itself at most. */
async function reserve(directory: string): Promise<void> {
  const image = imageBeside(directory);
  const { blocks, noted } = await readSuperblock(image);
  const data = Math.ceil(usableBytes(noted) / BLOCK_BYTES);
  const kept = Math.max(0, Math.min(Math.floor(blocks / 2), blocksOf(directory) - data));
  for (const device of await loopDevicesOf(image)) await run('tune2fs', ['-r', String(kept), device]);
}

interface Superblock {
  readonly fileBytes: number;
  readonly blocks: number;
  /** Bytes of data that there is to be room for. */
  readonly noted: number;
}

/** What the superblock says (fs/ext4/ext4.h), through the loop device where there is one: that is newer. */
async function readSuperblock(image: string): Promise<Superblock> {
  const [device] = await loopDevicesOf(image);
  await using file = await open(image, 'r');
  const { size: fileBytes } = await file.stat();
  await using source = await open(device ?? image, 'r');
  const bytes = Buffer.alloc(1024);
  await source.read(bytes, 0, 1024, 1024);
  const wide = (low: number, high: number): number =>
    bytes.readUInt32LE(high) * 2 ** 32 + bytes.readUInt32LE(low);
  const label = bytes.subarray(0x78, 0x88).toString('latin1').split('\0', 1).join();
  return { fileBytes, blocks: wide(0x4, 0x150), noted: Number(label) || 0 };
}

function isMounted(directory: string): boolean {
  return listMounts().some(({ mountPoint }) => mountPoint === directory);
}
