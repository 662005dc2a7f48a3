/**
 * Who runs with a disk image, in a small file beside it. QEMU's image lock proves that nobody else has the image
 * open now; the lease remembers, with an epoch that only rises, who had it last. A runner that stood still (paused,
 * cut off) and finds a higher epoch must not go on: another one has had the disk in the meantime.
 *
 * A lease is taken only while QEMU holds the image, so it never takes a disk away from a runner.
 */
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

export interface LeaseHolder {
  /** `namespace/name`. */
  readonly vmi: string;
  readonly uid: string;
  /** Name of the launcher Pod. */
  readonly pod: string;
}

export interface Lease {
  readonly epoch: number;
  readonly holder: LeaseHolder;
  /** RFC 3339. */
  readonly takenAt: string;
}

const MAX_BYTES = 4096;

function leasePath(image: string): string {
  return join(dirname(image), `.${basename(image)}.lease`);
}

/** The lease beside `image`; undefined when there is none, or none that can be read as one. */
export function readLease(image: string): Lease | undefined {
  let fd: number;
  try {
    fd = openSync(leasePath(image), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A link, socket or the like is somebody's joke and not a lease.
    if (code === 'ENOENT' || code === 'ELOOP' || code === 'ENXIO') return undefined;
    throw error;
  }
  try {
    if (!fstatSync(fd).isFile()) return undefined;
    const bytes = Buffer.alloc(MAX_BYTES);
    return parseLease(bytes.toString('utf8', 0, readSync(fd, bytes)));
  } finally {
    closeSync(fd);
  }
}

/** As `readLease`, for one who must not wait for a storage that may hang. */
export async function findLease(image: string): Promise<Lease | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(leasePath(image), flags);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'ELOOP', 'ENXIO'].includes(code)) return undefined;
    throw error;
  }
  try {
    if (!(await file.stat()).isFile()) return undefined;
    const bytes = Buffer.alloc(MAX_BYTES);
    const { bytesRead } = await file.read(bytes, 0, MAX_BYTES, 0);
    return parseLease(bytes.toString('utf8', 0, bytesRead));
  } finally {
    await file.close();
  }
}

function parseLease(text: string): Lease | undefined {
  try {
    const { epoch, holder, takenAt } = JSON.parse(text) as Partial<Lease>;
    const isWhole =
      Number.isSafeInteger(epoch) && typeof holder?.uid === 'string' && typeof takenAt === 'string';
    return isWhole ? ({ epoch, holder, takenAt } as Lease) : undefined;
  } catch {
    return undefined; // cut short, or not ours
  }
}

/** Whether there is a file to sign in; it may be empty. */
export function hasLeaseFile(image: string): boolean {
  return lstatSync(leasePath(image), { throwIfNoEntry: false })?.isFile() === true;
}

/**
 * Writes the next epoch. On disk when it returns. `inPlace`: the file is a mount of its own, which no other file can
 * be put in the place of; it is written in one piece.
 */
export function takeLease(
  image: string,
  holder: LeaseHolder,
  takenAt: string,
  { inPlace = false }: { readonly inPlace?: boolean } = {},
): Lease {
  const lease = { epoch: (readLease(image)?.epoch ?? 0) + 1, holder, takenAt };
  const path = leasePath(image);
  if (inPlace) {
    const fd = openSync(path, constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      // As long as any before it: nothing of an older one is left behind it.
      writeSync(fd, `${JSON.stringify(lease)}\n`.padEnd(MAX_BYTES, ' '), 0);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    return lease;
  }
  rmSync(`${path}.new`, { force: true });
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const fd = openSync(`${path}.new`, flags, 0o660);
  try {
    writeSync(fd, `${JSON.stringify(lease)}\n`);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(`${path}.new`, path);
  return lease;
}
