/**
 * The content of one open file into another: shared blocks where the file system can (XFS, btrfs), which
 * takes no time and no space; else only the parts that hold data, copied inside the kernel, or through memory
 * where the two are on different file systems. Synchronous:
 * for programs that do nothing else.
 */
import { closeSync, ftruncateSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { checked, SystemCallError } from '../libc.ts';

/** linux/fs.h: _IOW(0x94, 9, int). */
const FICLONE = 0x40049409;
/** unistd.h */
const SEEK_DATA = 3;
const SEEK_HOLE = 4;
/** So that progress can be told and a copy of a growing file ends. */
const STEP_BYTES = 64 * 1024 * 1024;
/** A step through memory. */
const BUFFER_BYTES = 1024 * 1024;

/** File systems that cannot share blocks, or not between these two files. */
const CANNOT_SHARE = new Set(['EOPNOTSUPP', 'ENOTSUP', 'ENOTTY', 'EXDEV', 'EINVAL', 'ENOSYS', 'EPERM']);

/** `shared`: both files show the same blocks, as of one moment. */
export type CopyResult = 'shared' | 'copied';

/** Makes the empty file `to` the same as `from` (`sizeBytes` long); holes stay holes. */
export function copyContent(
  from: number,
  to: number,
  sizeBytes: number,
  onCopied: (bytes: number) => void = () => undefined,
): CopyResult {
  if (shareContent(from, to)) {
    onCopied(sizeBytes);
    return 'shared';
  }
  ftruncateSync(to, sizeBytes);
  let copy = copyInKernel;
  for (let offset = nextData(from, 0); offset < sizeBytes; offset = nextData(from, offset)) {
    const end = Math.min(sizeBytes, seek(from, offset, SEEK_HOLE) ?? sizeBytes);
    while (offset < end) {
      let count: number;
      try {
        count = copy(from, to, offset, end - offset);
      } catch (error) {
        if (copy === copyThroughMemory || !isOtherFileSystem(error)) throw error;
        copy = copyThroughMemory;
        continue;
      }
      // The file was cut while it was copied.
      if (count === 0) return 'copied';
      offset += count;
      onCopied(count);
    }
  }
  return 'copied';
}

function copyInKernel(from: number, to: number, position: number, bytes: number): number {
  return checked('copy_file_range', 'the file', (c) =>
    c.copyFileRange(from, [position], to, [position], Math.min(STEP_BYTES, bytes), 0),
  );
}

function copyThroughMemory(from: number, to: number, position: number, bytes: number): number {
  const buffer = Buffer.allocUnsafe(Math.min(BUFFER_BYTES, bytes));
  const count = readSync(from, buffer, 0, buffer.length, position);
  for (let done = 0; done < count; ) done += writeSync(to, buffer, done, count - done, position + done);
  return count;
}

function isOtherFileSystem(error: unknown): boolean {
  return error instanceof SystemCallError && error.code === 'EXDEV';
}

/** Whether files in this directory can share their blocks: a copy then is of one moment. */
export function canShareBlocks(directory: string): boolean {
  const place = mkdtempSync(join(directory, '.share-'));
  const from = openSync(join(place, 'a'), 'w+');
  const to = openSync(join(place, 'b'), 'w+');
  try {
    ftruncateSync(from, 4096);
    return shareContent(from, to);
  } finally {
    closeSync(from);
    closeSync(to);
    rmSync(place, { recursive: true });
  }
}

/** Makes the empty file `to` show the blocks of `from`, as of one moment. False: the file system cannot. */
export function shareContent(from: number, to: number): boolean {
  try {
    checked('ioctl FICLONE', 'the file', (c) => c.ioctl(to, FICLONE, from));
    return true;
  } catch (error) {
    if (error instanceof SystemCallError && CANNOT_SHARE.has(error.code)) return false;
    throw error;
  }
}

/** Where the next data is; infinity when there is none. */
function nextData(fd: number, offset: number): number {
  return seek(fd, offset, SEEK_DATA) ?? Number.POSITIVE_INFINITY;
}

function seek(fd: number, offset: number, whence: number): number | undefined {
  try {
    return checked('lseek', 'the file', (c) => c.lseek(fd, offset, whence));
  } catch (error) {
    if (error instanceof SystemCallError && error.code === 'ENXIO') return undefined;
    throw error;
  }
}
