/**
 * Keeps a process small that mostly waits beside many others of its kind: a launcher. After each burst of work it
 * gives everything back; in between it collects young garbage early, because V8 would else fill both halves of its
 * young generation, two megabytes, before it looks. Measured on a launcher whose guest's agent is asked all the time:
 * 14.5 MiB of its own instead of 17.1; an early collection takes 0.3 ms, and one comes in about twenty seconds.
 */
import { getHeapSpaceStatistics } from 'node:v8';
import type { Clock } from '@podvisor/base';
import { ownCpuMs } from './own-cpu.ts';
import { collectYoung, trimMemory } from './trim-memory.ts';

const LOOK_EVERY_MS = 10_000;
/** Who used this much CPU between two looks has worked: a quiet launcher uses 1 to 8 ms, an agent that connects 90. */
const BURST_MS = 50;
/** A page of V8's young generation, nearly. */
const YOUNG_BYTES = 192 * 1024;

export interface KeepSmallOptions {
  readonly clock: Pick<Clock, 'after'>;
  /** Milliseconds of CPU that the process has used. */
  readonly cpuMs?: () => number;
  /** Bytes in V8's young generation. */
  readonly young?: () => number;
  readonly collectAll?: () => void;
  readonly collectYoung?: () => void;
}

/** Looks again and again; the process does not stay for it. The start counts as a burst. */
export function keepSmall({
  clock,
  cpuMs = ownCpuMs,
  young = youngBytes,
  collectAll = trimMemory,
  collectYoung: collectEarly = collectYoung,
}: KeepSmallOptions): void {
  let [lookedAt, hasWorked] = [cpuMs(), true];
  const look = (): void => {
    const isBusy = cpuMs() - lookedAt >= BURST_MS;
    if (!isBusy && hasWorked) collectAll();
    else if (young() > YOUNG_BYTES) collectEarly();
    hasWorked = isBusy;
    // What the collection took is no work of the process.
    lookedAt = cpuMs();
    clock.after(LOOK_EVERY_MS, look);
  };
  clock.after(LOOK_EVERY_MS, look);
}

/** Bytes in V8's young generation. */
export function youngBytes(): number {
  const found = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  return found?.space_used_size ?? 0;
}
