/**
 * Taking a lease: one taker for each epoch, whoever tries and however long any of them stands still in between.
 *
 *   1. The newest lease is read. Is it not the one that the taker's proof was about (`after`), another was faster.
 *   2. The record of the next epoch is written under a name of its own, and is on the disk.
 *   3. It gets the name of its epoch by `link(2)`, which makes a name once, also between clients of a network file
 *      system. This is the taking.
 *   4. The newest lease is read again. It is ours: by its token, not by what `link` answered, which a network file
 *      system may repeat and then answer wrongly. Or it is not: then we have nothing.
 *   5. What is older is removed, but for the names by which a search finds the highest (lease-epochs.ts).
 *
 * The highest epoch never sinks: a file is removed only while there is a higher one. So a taker that stood still for
 * an hour between 1 and 3, whose name is free again because others came and went, sees at 4 that it is late. Nor does
 * one that stood still before 5 remove what a search needs: what is needed for a higher epoch and is below its own is
 * needed for its own as well.
 */
import { syncDirectory } from './sync-directory.ts';
import { randomUUID } from 'node:crypto';
import { closeSync, constants, fsyncSync, linkSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { firstNames } from '@podvisor/sys';
import { isEpoch, keptEpochs } from './lease-epochs.ts';
import { epochName, type Lease, type LeaseHolder, leaseName, newestAmong, readRecord } from './lease.ts';

/** Another one has taken the lease since; `lease` is the one that counts. */
export class LeaseTakenError extends Error {
  override readonly name = 'LeaseTakenError';
  readonly lease: Lease | undefined;

  constructor(image: string, lease: Lease | undefined) {
    const who =
      lease === undefined ? 'it is gone' : `${lease.holder.vmi} (Pod ${lease.holder.pod}) has taken it`;
    super(`the lease beside ${image} is not ours to take: ${who}`);
    this.lease = lease;
  }
}

export interface TakeOptions {
  /** The epoch (0: none) that was seen before its runner was proven gone. Default: the one that is there now. */
  readonly after?: number;
}

/** Takes the next epoch; on disk when it returns. Throws `LeaseTakenError` when another was faster. */
export function takeLease(
  image: string,
  holder: LeaseHolder,
  takenAt: string,
  { after }: TakeOptions = {},
): Lease {
  const steps = takeSteps(filesBeside(image), image, { holder, takenAt, token: randomUUID(), after });
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The directory of an image, as far as its lease goes. */
export interface LeaseFiles {
  /** Some of the names in it, all if they are few. */
  some(): readonly string[];
  /** Undefined: there is none. */
  read(name: string): string | undefined;
  /** A new file, on disk. */
  write(name: string, text: string): void;
  /** Another name for a file, unless the name is given or the file gone. */
  link(name: string, newName: string): void;
  rename(name: string, newName: string): void;
  remove(name: string): void;
}

export interface TakeRequest {
  readonly holder: LeaseHolder;
  readonly takenAt: string;
  readonly token: string;
  readonly after: number | undefined;
}

/** The steps. The taker may stand still wherever it yields. */
export function* takeSteps(
  files: LeaseFiles,
  image: string,
  { after, ...request }: TakeRequest,
): Generator<string, Lease> {
  const base = leaseName(image);
  const before = newestAmong(base, files.read);
  yield 'read';
  if (after !== undefined && (before?.epoch ?? 0) !== after) throw new LeaseTakenError(image, before);
  const lease: Lease = { epoch: next(before), ...request };
  const draft = `${base}.new-${lease.token}`;
  files.write(draft, `${JSON.stringify(lease)}\n`);
  yield 'written';
  // Missing when the lease was one of a version before this one, or when somebody has removed them.
  for (const epoch of keptEpochs(lease.epoch).filter((kept) => kept < lease.epoch)) {
    if (files.read(epochName(base, epoch)) === undefined) files.link(base, epochName(base, epoch));
  }
  files.link(draft, epochName(base, lease.epoch));
  yield 'linked';
  const now = newestAmong(base, files.read);
  yield 'read again';
  if (now?.epoch !== lease.epoch || now.token !== lease.token) {
    files.remove(draft);
    throw new LeaseTakenError(image, now);
  }
  files.rename(draft, base);
  yield 'copied';
  for (const name of files.some().filter(isNeedless(base, lease.epoch))) {
    files.remove(name);
    yield 'removed';
  }
  return lease;
}

function next(before: Lease | undefined): number {
  const epoch = (before?.epoch ?? 0) + 1;
  if (!isEpoch(epoch))
    throw new Error(`a lease cannot have epoch ${epoch}: somebody has written a false one`);
  return epoch;
}

/** Epochs before this one, and drafts: of takers that have ended, or that are too late and find it out at `link`. */
function isNeedless(base: string, highest: number): (name: string) => boolean {
  const kept = new Set(keptEpochs(highest).map((epoch) => epochName(base, epoch)));
  return (name) => {
    if (name.startsWith(`${base}.new`)) return true;
    const epoch = name.startsWith(`${base}.`) ? Number(name.slice(base.length + 1)) : undefined;
    return isEpoch(epoch) && epoch < highest && name === epochName(base, epoch) && !kept.has(name);
  };
}

function filesBeside(image: string): LeaseFiles {
  const directory = dirname(image);
  const path = (name: string): string => join(directory, name);
  return {
    some: () => firstNames(directory, TIDIED_NAMES),
    read: (name) => readRecord(path(name)),
    write: (name, text) => {
      const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
      writeWhole(path(name), flags, text);
    },
    link: (name, newName) => {
      try {
        linkSync(path(name), path(newName));
      } catch (error) {
        // Whether it is ours is seen afterwards.
        if (!['EEXIST', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
      }
      syncDirectory(directory);
    },
    rename: (name, newName) => {
      try {
        renameSync(path(name), path(newName));
      } catch (error) {
        // A later taker has tidied the draft away; its copy is in place.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    },
    remove: (name) => rmSync(path(name), { force: true }),
  };
}

/** The directory is the tenant's: beyond this nothing is tidied, which costs him a few small files. */
const TIDIED_NAMES = 1_000;

function writeWhole(path: string, flags: number, text: string): void {
  const fd = openSync(path, flags, 0o660);
  try {
    writeSync(fd, text, 0);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
