/**
 * Judges a running migration from its figures: go on, help it to its end, or give up. Pure.
 *
 * Progress is the least that was left at the end of a pass over the memory. What is left in the middle of a pass
 * goes up and down with every pass and says nothing: a guest that writes faster than the network would look
 * alive for ever, and one on a slow network would look dead.
 */
import type { MigrationConfiguration, MigrationMode } from '@podvisor/api';
import type { Sample } from './progress.ts';

export interface Limits {
  /** From the start; then the migration is forced or given up. Infinity: never. */
  readonly deadlineMs: number;
  /** Without progress. */
  readonly stallMs: number;
  readonly mayPostCopy: boolean;
  readonly mayPause: boolean;
}

/** What the guest may stand still at the end of the first passes: most guests get there with this little. */
const FIRST_DOWNTIME_MS = 30;
/** Passes that have it; each one after them may double it. */
const FIRST_PASSES = 3;
/** What QEMU takes for right, and the most that is used while passes still help. */
const USUAL_DOWNTIME_MS = 300;
/** Without a better pass for this long, the guest may stand still as long as it is allowed to. */
const PATIENCE_MS = 10_000;

/**
 * How long the guest may stand still at the end of this pass. With QEMU's own limit a fast network ends the first pass
 * in its middle, and the guest waits for the rest of it. The allowed maximum is for guests that need it.
 */
export function downtimeLimitMs(
  course: Course,
  iteration: number,
  maxMs: number | undefined,
  nowMs: number,
): number {
  const isHard = iteration > 2 && nowMs - course.progressMs > PATIENCE_MS;
  if (isHard && maxMs !== undefined) return maxMs;
  const grownMs = FIRST_DOWNTIME_MS * 2 ** Math.max(0, iteration - FIRST_PASSES);
  return Math.min(grownMs, USUAL_DOWNTIME_MS, maxMs ?? USUAL_DOWNTIME_MS);
}

export interface Course {
  readonly startedMs: number;
  readonly mode: MigrationMode;
  /** Least that was left at the end of a pass. */
  readonly bestBytes: number;
  /** When something got better: a pass that ended with less, or, within a pass, bytes that moved. */
  readonly progressMs: number;
  readonly last?: Sample;
}

export type Verdict =
  | { readonly kind: 'go-on' }
  | { readonly kind: 'post-copy' }
  | { readonly kind: 'pause' }
  | { readonly kind: 'abort'; readonly why: string };

const GIGA = 1_000_000_000;
const DEFAULT_SECONDS_PER_GB = 150;
const DEFAULT_STALL_SECONDS = 150;

/** Memory and copied disks count, in started decimal gigabytes. */
export function limitsOf(
  configuration: MigrationConfiguration,
  bytes: number,
  hasHostDevices: boolean,
): Limits {
  const perGb = configuration.completionTimeoutPerGiB ?? DEFAULT_SECONDS_PER_GB;
  const stall = configuration.progressTimeout ?? DEFAULT_STALL_SECONDS;
  const allowPostCopy = configuration.allowPostCopy === true;
  const mayDisrupt = configuration.allowWorkloadDisruption ?? allowPostCopy;
  return {
    deadlineMs: perGb <= 0 ? Number.POSITIVE_INFINITY : perGb * Math.max(1, Math.ceil(bytes / GIGA)) * 1000,
    stallMs: stall <= 0 ? Number.POSITIVE_INFINITY : stall * 1000,
    mayPostCopy: mayDisrupt && allowPostCopy && !hasHostDevices,
    mayPause: mayDisrupt,
  };
}

export function begin(nowMs: number): Course {
  return { startedMs: nowMs, mode: 'PreCopy', bestBytes: Number.POSITIVE_INFINITY, progressMs: nowMs };
}

/** The course after one more look. */
export function advance(course: Course, sample: Sample): Course {
  const { last } = course;
  const isNewPass = last !== undefined && sample.iteration > last.iteration;
  const left = last?.remainingBytes ?? Number.POSITIVE_INFINITY;
  const isBetter = isNewPass && left < course.bestBytes;
  // The first pass and the disks have no earlier pass to compare with: there, bytes that move are progress.
  const isFirst = sample.iteration <= 1;
  const moves = isFirst && sample.processedBytes > (last?.processedBytes ?? -1);
  return {
    ...course,
    bestBytes: isBetter ? left : course.bestBytes,
    progressMs: isBetter || moves ? sample.atMs : course.progressMs,
    last: sample,
  };
}

export function judge(course: Course, limits: Limits, nowMs: number): Verdict {
  // In post-copy there is no way back, and nothing else to be done.
  if (course.mode === 'PostCopy') return { kind: 'go-on' };
  const allowedMs = course.mode === 'Paused' ? limits.deadlineMs * 2 : limits.deadlineMs;
  const isLate = nowMs - course.startedMs > allowedMs;
  const isStalled = nowMs - course.progressMs > limits.stallMs;
  if (!isLate && !isStalled) return { kind: 'go-on' };
  // libvirt cannot switch before the memory has begun to move.
  const memoryMoves = (course.last?.iteration ?? 0) >= 1;
  if (course.mode === 'PreCopy' && memoryMoves && limits.mayPostCopy) return { kind: 'post-copy' };
  if (course.mode === 'PreCopy' && limits.mayPause) return { kind: 'pause' };
  const seconds = Math.round((isLate ? nowMs - course.startedMs : nowMs - course.progressMs) / 1000);
  return {
    kind: 'abort',
    why: isLate
      ? `it was not done after ${seconds} s (completionTimeoutPerGiB)`
      : `it made no progress for ${seconds} s (progressTimeout)`,
  };
}
