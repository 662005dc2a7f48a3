/**
 * Gives memory back whenever a process has worked and is quiet again. A process of a home starts, or carries a burst,
 * and then mostly waits; V8 would keep what that took for the next burst. Measured on a fresh home's API server: 19 of
 * 123 MiB go, and it takes a tenth of a second; the first request afterwards is no slower to be seen.
 */
import { getHeapStatistics } from 'node:v8';
import type { Clock } from '@podvisor/base';
import { ownCpuMs } from './own-cpu.ts';
import { trimMemory } from './trim-memory.ts';

const LOOK_EVERY_MS = 10_000;
/** Quiet is to use less than 3 % of a processor between two looks. */
const QUIET_MS = 300;
/**
 * A collection is worth it after ten times the work that the last one took: a quiet home would collect all day without
 * such a bound, and a tenth of a process's work is the most that collections may be. A process whose collections are
 * cheap so gives back after less work than one that has much to walk.
 */
const WORK_PER_TRIM = 10;
/** Whatever the last one took, less work than ten times this leaves nothing to give back. */
const LEAST_TRIM_MS = 20;
/** A collection stops the process for about as long as it takes to walk what lives: with more, somebody would notice. */
const MAX_LIVE_BYTES = 96 * 1024 * 1024;

export interface Use {
  /** Milliseconds of CPU since the last look, and since the last collection. */
  readonly sinceLookMs: number;
  readonly sinceTrimMs: number;
  /** What the last collection took, in milliseconds of CPU. */
  readonly lastTrimMs: number;
  readonly liveBytes: number;
}

/** Pure. */
export function isTimeToTrim({ sinceLookMs, sinceTrimMs, lastTrimMs, liveBytes }: Use): boolean {
  const isWorthIt = sinceTrimMs >= WORK_PER_TRIM * Math.max(lastTrimMs, LEAST_TRIM_MS);
  return sinceLookMs < QUIET_MS && isWorthIt && liveBytes <= MAX_LIVE_BYTES;
}

export interface TrimOptions {
  readonly clock: Pick<Clock, 'after'>;
  /** Milliseconds of CPU that the process has used. */
  readonly cpuMs?: () => number;
  readonly liveBytes?: () => number;
  readonly trim?: () => void;
}

/** Looks again and again; the process does not stay for it. */
export function trimWhenQuiet({
  clock,
  cpuMs = ownCpuMs,
  liveBytes = () => getHeapStatistics().used_heap_size,
  trim = trimMemory,
}: TrimOptions): void {
  // The start is work enough, however little it took.
  let [lookedAt, trimmedAt, lastTrimMs] = [cpuMs(), Number.NEGATIVE_INFINITY, 0];
  const look = (): void => {
    const now = cpuMs();
    const sinceTrimMs = now - trimmedAt;
    if (isTimeToTrim({ sinceLookMs: now - lookedAt, sinceTrimMs, lastTrimMs, liveBytes: liveBytes() })) {
      trim();
      trimmedAt = cpuMs();
      lastTrimMs = trimmedAt - now;
    }
    lookedAt = cpuMs();
    clock.after(LOOK_EVERY_MS, look);
  };
  clock.after(LOOK_EVERY_MS, look);
}
