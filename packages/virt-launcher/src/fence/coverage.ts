/**
 * Until when a guest may write: as long as something that others can see proves that it has not been given up. Pure.
 *
 * Two things prove it: a renewal of its lease on the storage, and a hold (virt-handler's Lease in the API was
 * renewed, so nobody has called the node lost). Proofs must follow each other without a gap. After a gap another
 * runner may have the disks, and no later proof brings the right to write back.
 *
 * All times are this machine's CLOCK_BOOTTIME in milliseconds: a jump of the wall clock changes nothing, and the time in
 * which the machine was suspended counts.
 */
import { fenceAfterMs, type HoldOptions } from '@podvisor/api';

export interface Coverage {
  /** The guest must not write after this. */
  readonly untilMs: number;
}

/** A lease that was taken at `nowMs`, by somebody who proved that no one else has the disks. */
export function newCoverage(nowMs: number, leaseMs: number): Coverage {
  return { untilMs: nowMs + fenceAfterMs(leaseMs) };
}

export interface Renewal {
  /** Before the write was begun: an observer cannot have seen it earlier. */
  readonly begunMs: number;
  /** The write was on the storage. */
  readonly doneMs: number;
  readonly leaseMs: number;
}

/** The same coverage when the renewal came too late: whoever waited for it to end may have seen its end. */
export function renewed(coverage: Coverage, { begunMs, doneMs, leaseMs }: Renewal): Coverage {
  if (doneMs > coverage.untilMs) return coverage;
  return later(coverage, begunMs + fenceAfterMs(leaseMs));
}

export interface Hold {
  /** Since then virt-handler has renewed its Lease without a gap. */
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** Clocks of two processes that read the same one: it is told in steps of ten milliseconds. */
const CLOCK_STEP_MS = 50;

/**
 * What virt-handler says, as far as it counts for a guest that was started with `silenceMs`; undefined: it does not.
 *
 * Whoever judges the lease reads the guest's own time in it, and may believe it although the configuration has a longer
 * one by now. And a virt-handler whose clock is ahead of this one reads another clock; one that is behind by more than
 * the safety margin has spoken too long ago, or reads another one too.
 */
export function holdFor(
  { sinceBootMs, untilBootMs, nowBootMs, silenceMs: judgedMs }: HoldOptions,
  silenceMs: number,
  nowMs: number,
): Hold | undefined {
  const ageMs = nowMs - nowBootMs;
  const isOfThisClock = ageMs >= -CLOCK_STEP_MS && ageMs <= silenceMs - fenceAfterMs(silenceMs);
  if (!isOfThisClock || judgedMs > silenceMs) return undefined;
  return { sinceMs: sinceBootMs, untilMs: untilBootMs };
}

/** The same coverage when the hold began after the coverage had ended. */
export function held(coverage: Coverage, { sinceMs, untilMs }: Hold): Coverage {
  return sinceMs > coverage.untilMs ? coverage : later(coverage, untilMs);
}

export function isCovered({ untilMs }: Coverage, nowMs: number): boolean {
  return nowMs <= untilMs;
}

function later(coverage: Coverage, untilMs: number): Coverage {
  return untilMs > coverage.untilMs ? { untilMs } : coverage;
}
