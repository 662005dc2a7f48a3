/** How long a guest stands still for its disks. */
import { type Clock, sleep } from '@podvisor/base';
import { LauncherError } from '../launcher-error.ts';
import type { MemorySnapshot } from './memory-snapshot.ts';

/** The longest; then it goes on without the snapshot. */
export const LONGEST_HOLD_MS = 60_000;

/**
 * Resolves when virt-controller says that all disks are taken. Throws when nobody wants the snapshot any more, when the
 * launcher ends, and after `LONGEST_HOLD_MS`: a guest that nobody lets go on (its node is cut off) goes on by itself,
 * and its snapshot is void, whatever is said later.
 */
export async function disksTaken(
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  snapshot: Pick<MemorySnapshot, 'disksTaken' | 'unwanted'>,
): Promise<void> {
  const waiting = new AbortController();
  const given = AbortSignal.any([waiting.signal, signal, snapshot.unwanted]);
  try {
    const late = sleep(clock, LONGEST_HOLD_MS, given).then(
      () => new LauncherError(`its disks were not taken within ${LONGEST_HOLD_MS / 1000} s`),
      () => new LauncherError('the snapshot was given up'),
    );
    const outcome = await Promise.race([snapshot.disksTaken, late]);
    if (outcome instanceof LauncherError) throw outcome;
  } finally {
    waiting.abort();
  }
}
