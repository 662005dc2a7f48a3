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
/** Less work than this, but a start, leaves nothing that is worth a collection: a quiet home would collect all day. */
const WORTH_MS = 1000;
/** A collection stops the process for about as long as it takes to walk what lives: with more, somebody would notice. */
const MAX_LIVE_BYTES = 96 * 1024 * 1024;

export interface Use {
  /** Milliseconds of CPU since the last look, and since the last collection. */
  readonly sinceLookMs: number;
  readonly sinceTrimMs: number;
  readonly liveBytes: number;
}

/** Pure. */
export function isTimeToTrim({ sinceLookMs, sinceTrimMs, liveBytes }: Use): boolean {
  return sinceLookMs < QUIET_MS && sinceTrimMs >= WORTH_MS && liveBytes <= MAX_LIVE_BYTES;
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
  let [lookedAt, trimmedAt] = [cpuMs(), -WORTH_MS];
  const look = (): void => {
    const now = cpuMs();
    const use = { sinceLookMs: now - lookedAt, sinceTrimMs: now - trimmedAt, liveBytes: liveBytes() };
    if (isTimeToTrim(use)) {
      trim();
      trimmedAt = cpuMs();
    }
    lookedAt = cpuMs();
    clock.after(LOOK_EVERY_MS, look);
  };
  clock.after(LOOK_EVERY_MS, look);
}
