/**
 * Who runs with a disk image, in small files beside it. QEMU's image lock proves that nobody else has the image
 * open now; the lease remembers, with an epoch that only rises, who had it last. A runner that stood still (paused,
 * cut off) and finds a higher epoch must not go on: another one has had the disk in the meantime.
 *
 * Each epoch is a file of its own (`.disk.img.lease.7`), made whole and by one taker only (take-lease.ts); the
 * highest one counts, and is found by its name (lease-epochs.ts): the directory is the tenant's, and is never listed
 * whole. `.disk.img.lease` is a copy of it, and what versions before this one wrote: it counts when its epoch is
 * higher.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isEpoch, searchHighest } from './lease-epochs.ts';

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

const LEASE_BYTES = 4096;

/** Holder of an epoch whose record cannot be read as one: the epoch is taken all the same. */
const UNKNOWN: LeaseHolder = { vmi: 'an unknown virtual machine', uid: '', pod: 'unknown' };

export function leaseName(image: string): string {
  return `.${basename(image)}.lease`;
}

/** The file of an epoch. */
export function epochName(base: string, epoch: number): string {
  return `${base}.${epoch}`;
}

/**
 * The lease that counts. `text`: what the file of the highest epoch holds; `copy`: what its copy holds.
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
  if (!refresh(directory)) return undefined;
  return newestAmong(leaseName(image), (name) => readRecord(join(directory, name)));
}

/** As `readLease`, in a directory of which `read` gives the text of a file. */
export function newestAmong(base: string, read: (name: string) => string | undefined): Lease | undefined {
  const steps = newestSteps(base);
  for (let step = steps.next(); ; step = steps.next(read(step.value)))
    if (step.done === true) return step.value;
}

/** As `readLease`, for one who must not wait for a storage that may hang. */
export async function findLease(image: string): Promise<Lease | undefined> {
  const directory = dirname(image);
  await (await open(directory, DIRECTORY)).close(); // as `refresh`
  const steps = newestSteps(leaseName(image));
  for (let step = steps.next(); ; step = steps.next(await findRecord(join(directory, step.value))))
    if (step.done === true) return step.value;
}

/** Yields names of files, is given their texts (undefined: there is none), and answers the lease that counts. */
function* newestSteps(base: string): Generator<string, Lease | undefined, string | undefined> {
  const search = searchHighest();
  let step = search.next();
  while (step.done !== true) step = search.next(yield epochName(base, step.value));
  return newestLease(step.value?.epoch, step.value?.text, yield base);
}

const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

const DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY;

/**
 * Opens the directory once: clients of a network file system ask the server then whether it has changed, and no
 * longer believe what they remember of names that were not there. False: there is no directory.
 */
function refresh(directory: string): boolean {
  try {
    closeSync(openSync(directory, DIRECTORY));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false; // no directory, no lease
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
    const isWhole = isEpoch(epoch) && typeof holder?.uid === 'string' && typeof takenAt === 'string';
    if (!isWhole) return undefined;
    return { epoch, holder, takenAt, ...(typeof token === 'string' ? { token } : {}) } as Lease;
  } catch {
    return undefined; // cut short, or not ours
  }
}
