/**
 * Who runs with a disk image, in small files beside it. QEMU's image lock proves that nobody else has the image
 * open now; the lease remembers, with an epoch that only rises, who had it last. A runner that stood still (paused,
 * cut off) and finds a higher epoch must not go on: another one has had the disk in the meantime.
 *
 * Each epoch is a file of its own (`.disk.img.lease.7`), made whole and by one taker only (take-lease.ts); the
 * highest one counts. `.disk.img.lease` is a copy of it, the place to sign in for plugged images, and what versions
 * before this one wrote: it counts when its epoch is higher.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
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
  /** Tells one taking from any other. Leases of versions before this one have none. */
  readonly token?: string;
}

export const LEASE_BYTES = 4096;

/** Holder of an epoch whose record cannot be read as one: the epoch is taken all the same. */
const UNKNOWN: LeaseHolder = { vmi: 'an unknown virtual machine', uid: '', pod: 'unknown' };

export function leaseName(image: string): string {
  return `.${basename(image)}.lease`;
}

/** The file of an epoch. */
export function epochName(base: string, epoch: number): string {
  return `${base}.${epoch}`;
}

/** Epochs that have a file among `names`, the highest first. Pure. */
export function epochsIn(names: readonly string[], base: string): readonly number[] {
  return names
    .filter((name) => name.startsWith(`${base}.`))
    .map((name) => name.slice(base.length + 1))
    .filter((rest) => /^[1-9]\d{0,14}$/.test(rest))
    .map(Number)
    .toSorted((a, b) => b - a);
}

/**
 * The lease that counts. `text`: what the file of the highest epoch holds; `copy`: what is in the place to sign in.
 * Pure.
 */
export function newestLease(
  epoch: number | undefined,
  text: string | undefined,
  copy: string | undefined,
): Lease | undefined {
  const signed = copy === undefined ? undefined : parseLease(copy);
  if (epoch === undefined || (signed?.epoch ?? 0) > epoch) return signed;
  return { ...(parseLease(text ?? '') ?? { holder: UNKNOWN, takenAt: '' }), epoch };
}

/** The lease beside `image`; undefined when there is none, or none that can be read as one. */
export function readLease(image: string): Lease | undefined {
  const directory = dirname(image);
  return newestAmong(leaseName(image), {
    list: () => namesIn(directory),
    read: (name) => readRecord(join(directory, name)),
  });
}

/** A file that is listed and not there was removed: there is a higher one, if the listing is not an old one. */
const LISTINGS = 8;

/** As `readLease`, in a directory that is given as its two questions. */
export function newestAmong(
  base: string,
  files: { list(): readonly string[]; read(name: string): string | undefined },
): Lease | undefined {
  for (let listing = 1; ; listing += 1) {
    const epoch = epochsIn(files.list(), base)[0];
    const text = epoch === undefined ? undefined : files.read(epochName(base, epoch));
    if (epoch !== undefined && text === undefined && listing < LISTINGS) continue;
    return newestLease(epoch, text, files.read(base));
  }
}

/** As `readLease`, for one who must not wait for a storage that may hang. */
export async function findLease(image: string): Promise<Lease | undefined> {
  const [directory, base] = [dirname(image), leaseName(image)];
  for (let listing = 1; ; listing += 1) {
    const epoch = epochsIn(await readdir(directory), base)[0];
    const text = epoch === undefined ? undefined : await findRecord(join(directory, epochName(base, epoch)));
    if (epoch !== undefined && text === undefined && listing < LISTINGS) continue;
    return newestLease(epoch, text, await findRecord(join(directory, base)));
  }
}

/** Whether there is a file to sign in; it may be empty. */
export function hasLeaseFile(image: string): boolean {
  return lstatSync(join(dirname(image), leaseName(image)), { throwIfNoEntry: false })?.isFile() === true;
}

const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []; // no directory, no lease
    throw error;
  }
}

/** Text of a record; undefined when there is no such file. Empty: a link, socket or the like, which is a joke. */
export function readRecord(path: string): string | undefined {
  let fd: number;
  try {
    fd = openSync(path, READ);
  } catch (error) {
    return withoutRecord(error);
  }
  try {
    if (!fstatSync(fd).isFile()) return '';
    const bytes = Buffer.alloc(LEASE_BYTES);
    return bytes.toString('utf8', 0, readSync(fd, bytes));
  } finally {
    closeSync(fd);
  }
}

async function findRecord(path: string): Promise<string | undefined> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, READ);
  } catch (error) {
    return withoutRecord(error);
  }
  try {
    if (!(await file.stat()).isFile()) return '';
    const bytes = Buffer.alloc(LEASE_BYTES);
    const { bytesRead } = await file.read(bytes, 0, LEASE_BYTES, 0);
    return bytes.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

function withoutRecord(error: unknown): string | undefined {
  const { code = '' } = error as NodeJS.ErrnoException;
  // ESTALE: on NFS, a name that was known and whose file is gone.
  if (['ENOENT', 'ESTALE'].includes(code)) return undefined;
  if (['ELOOP', 'ENXIO'].includes(code)) return '';
  throw error;
}

function parseLease(text: string): Lease | undefined {
  try {
    const { epoch, holder, takenAt, token } = JSON.parse(text) as Partial<Lease>;
    const isWhole =
      Number.isSafeInteger(epoch) && typeof holder?.uid === 'string' && typeof takenAt === 'string';
    if (!isWhole) return undefined;
    return { epoch, holder, takenAt, ...(typeof token === 'string' ? { token } : {}) } as Lease;
  } catch {
    return undefined; // cut short, or not ours
  }
}
