/**
 * The files on the claim, and the order in which they come and go. The name says how far a state is:
 *
 * - `state-ID.partial`: being written. The guest stands still, and goes on if anything fails.
 * - `state-ID`: whole, on disk. From here on that guest never goes on; only a wake may use it.
 * - `consumed-ID`: a guest was woken from it, and nobody else loads it: the disks move on. The rename comes before the
 *   first instruction of the woken guest, so that no power cut can pair a disk with an older memory. It is emptied when
 *   the guest runs. Only the launcher that consumed it, and knows that its guest never ran, may give its name back.
 * - `spent-ID`: a guest boots although it was woken from the state before. From here on nobody gives it back.
 * - `disks-ID`: disks that lived in the launcher Pod alone, as they were at that moment.
 * - `tried-ID.UID`: the launcher of the VMI UID loaded the state and went on to take leases of disks. As long as the
 *   state is whole, none of these ever let the guest run.
 */
import { mkdir, open, readdir, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HibernatedState, HibernationRefusal } from '@podvisor/api';

export interface StatePaths {
  readonly partial: string;
  readonly whole: string;
  readonly consumed: string;
  readonly spent: string;
  readonly disks: string;
}

export function statePaths(directory: string, id: string): StatePaths {
  const whole = join(directory, `state-${id}`);
  return {
    partial: `${whole}.partial`,
    whole,
    consumed: join(directory, `consumed-${id}`),
    spent: join(directory, `spent-${id}`),
    disks: join(directory, `disks-${id}`),
  };
}

export type Beginning =
  | { readonly kind: 'wake' }
  /** `spends`: a consumed state is there, whose launcher might yet give it back. */
  | { readonly kind: 'boot'; readonly why: string; readonly spends?: boolean }
  | { readonly kind: 'refuse'; readonly reason: HibernationRefusal; readonly why: string };

/** How a guest begins, from the names on the claim. Pure. */
export function judgeState(
  names: readonly string[],
  { id, isWhole }: Omit<HibernatedState, 'claimName'>,
): Beginning {
  if (names.includes(`state-${id}`)) return { kind: 'wake' };
  const spends = names.includes(`consumed-${id}`);
  if (spends || names.includes(`spent-${id}`))
    return { kind: 'boot', why: 'the guest had been woken from its state before, and ran', spends };
  if (isWhole)
    return { kind: 'refuse', reason: 'StateMissing', why: 'the claim does not hold the state of this guest' };
  return { kind: 'boot', why: 'the guest ended before its state was written' };
}

const OURS = /^(state|consumed|spent|disks|tried)-/;

/** Makes room for a new state: nothing that is on the claim is of use to a guest that runs. On disk after. */
export async function clearStates(directory: string): Promise<void> {
  const names = (await readdir(directory)).filter((name) => OURS.test(name));
  for (const name of names) await rm(join(directory, name), { recursive: true, force: true });
  if (names.length > 0) await syncDirectory(directory);
}

/**
 * Before a guest goes on whose state may be whole: a guest that runs and a state that can be loaded must never be there
 * together. Tries until nothing is left on the claim; `wait` may end that by throwing, and then the guest stands still.
 */
export async function clearBeforeGoingOn(
  clear: () => Promise<void>,
  wait: (error: unknown) => Promise<void>,
): Promise<void> {
  for (;;) {
    try {
      return await clear();
    } catch (error) {
      await wait(error);
    }
  }
}

/** The state is whole. After this returns, it is there whatever happens to the node. */
export async function commitState(directory: string, paths: StatePaths): Promise<void> {
  await rename(paths.partial, paths.whole);
  await syncDirectory(directory);
}

/** Who tries to wake from which state. */
export interface Try {
  readonly id: string;
  /** Of the VMI. */
  readonly uid: string;
}

const triedName = (id: string, uid: string): string => `tried-${id}.${uid}`;

/** Before a wake takes leases: whoever finds the state whole later can tell these leases from a run's. On disk after. */
export async function noteTry(directory: string, id: string, uid: string): Promise<void> {
  await writeFile(join(directory, triedName(id, uid)), '', { mode: 0o600 });
  await syncDirectory(directory);
}

/** Those VMIs whose launchers have tried to wake from the state, by UID. Pure. */
export function triesOf(names: readonly string[], id: string): ReadonlySet<string> {
  const prefix = triedName(id, '');
  return new Set(names.flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : [])));
}

const NO_ROOM: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

/**
 * Throws ENOENT when another wake has it already. After this returns, nobody can load the state again. A write that is on
 * disk comes first: a storage that does not answer is noticed while the state is still whole.
 */
export async function consumeState(directory: string, paths: StatePaths, { id, uid }: Try): Promise<void> {
  const note = writeFile(join(directory, triedName(id, uid)), `${id}\n`, { mode: 0o600, flush: true });
  await note.catch((error: NodeJS.ErrnoException) => {
    if (!NO_ROOM.has(error.code ?? '')) throw error; // a storage without room has answered
  });
  await rename(paths.whole, paths.consumed);
  await syncDirectory(directory);
}

/**
 * Undoes `consumeState`. Only for the launcher that called it, and only while its guest has not executed an instruction.
 * Throws ENOENT when the state was not consumed, or somebody has booted the guest since.
 */
export async function giveStateBack(directory: string, paths: StatePaths): Promise<void> {
  await rename(paths.consumed, paths.whole);
  await syncDirectory(directory);
}

/** Before a guest boots whose state was consumed. Throws ENOENT when the state was given back meanwhile. */
export async function spendState(directory: string, paths: StatePaths): Promise<void> {
  await rename(paths.consumed, paths.spent);
  await syncDirectory(directory);
}

/** The room that a consumed state took, after its guest has run. */
export async function releaseState(paths: StatePaths): Promise<void> {
  await truncate(paths.consumed);
  await rm(paths.disks, { recursive: true, force: true });
}

export async function makeDisksDirectory(paths: StatePaths): Promise<void> {
  await mkdir(paths.disks, { mode: 0o700, recursive: true });
}

async function syncDirectory(path: string): Promise<void> {
  await using directory = await open(path, 'r');
  await directory.sync();
}
