/**
 * Ranges of ids for the user namespaces of Pods, each given to one Pod of the machine: several nodes and homes share
 * it. A claim is a file that is made exclusively; it names the record that holds the range. In /run, because it
 * means nothing after a reboot: on disk ids are those of the container.
 */
import { randomInt } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { USER_RANGE_SIZE } from '@podvisor/sys';

/** Ids that no convention gives to anybody: above systemd's container ranges, below 2^31. */
const FIRST = 0x7000_0000;
const RANGES = 4095;
/** A claim is older than this before it may count as left behind: its record is written right after it. */
const SETTLED_MS = 60_000;

const CLAIMS = '/run/podvisor/user-ranges';

/** Claims a free range for whoever keeps `record`; gives its first id. */
export function claimRange(record: string, directory = CLAIMS, start = randomInt(RANGES)): number {
  mkdirSync(directory, { recursive: true, mode: 0o755 });
  const free = tryAll(record, directory, start);
  if (free !== undefined) return free;
  removeLeftBehind(directory);
  const freed = tryAll(record, directory, start);
  if (freed !== undefined) return freed;
  throw new Error(`all ${RANGES} ranges of user ids of this machine are in use (${directory})`);
}

/** True while the range is that of `record`. */
export function isClaimed(first: number, record: string, directory = CLAIMS): boolean {
  return read(claimOf(first, directory)) === record;
}

/** Gives the range back. Another's claim stays. */
export function releaseRange(first: number, record: string, directory = CLAIMS): void {
  if (isClaimed(first, record, directory)) rmSync(claimOf(first, directory), { force: true });
}

function claimOf(first: number, directory: string): string {
  return join(directory, String((first - FIRST) / USER_RANGE_SIZE));
}

function tryAll(record: string, directory: string, start: number): number | undefined {
  const taken = new Set(readdirSync(directory));
  for (let step = 0; step < RANGES; step += 1) {
    const index = (start + step) % RANGES;
    if (taken.has(String(index))) continue;
    try {
      writeFileSync(join(directory, String(index)), record, { flag: 'wx', mode: 0o600 });
      return FIRST + index * USER_RANGE_SIZE;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  return undefined;
}

/** Claims of Pods whose record is gone: their home was removed by hand. */
function removeLeftBehind(directory: string): void {
  for (const name of readdirSync(directory)) {
    const claim = join(directory, name);
    const made = statSync(claim, { throwIfNoEntry: false })?.mtimeMs;
    const record = read(claim);
    if (made === undefined || record === undefined || Date.now() - made < SETTLED_MS) continue;
    if (statSync(record, { throwIfNoEntry: false }) === undefined) rmSync(claim, { force: true });
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
