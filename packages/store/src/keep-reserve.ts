/** Keeps room for the store on its disk, step by step, while the server has time. */
import type { Clock } from '@podvisor/base';
import { LogFull, type SqliteLog } from './sqlite-log.ts';

/**
 * What the store keeps for itself of the disk: tenants fill what is free, and deleting and evicting, which make room
 * again, are writes to the store. Some ten thousand changes of objects.
 */
export const STORE_RESERVE_BYTES = 32 * 1024 * 1024;

const STEP_MS = 100;
const LOOK_AGAIN_MS = 600_000;

/** Begins after a moment, looks again every ten minutes, ends with the signal. */
export function keepReserve(
  log: Pick<SqliteLog, 'reserve'>,
  bytes: number,
  clock: Clock,
  signal: AbortSignal,
): void {
  const step = (): void => {
    if (signal.aborted) return;
    clock.after(next(), step);
  };
  const next = (): number => {
    try {
      return log.reserve(bytes) ? STEP_MS : LOOK_AGAIN_MS;
    } catch (error) {
      // There is no room now: whatever the store has, it has.
      if (error instanceof LogFull) return LOOK_AGAIN_MS;
      throw error;
    }
  };
  clock.after(STEP_MS, step);
}
