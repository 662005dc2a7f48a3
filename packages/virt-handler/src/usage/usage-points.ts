/**
 * The past of a guest as a list of points, bounded: an hour, a point every half minute. What others tell of a past (an
 * older launcher, the node that a guest came from, our own file) is read by the same rule, whatever it says. Pure.
 */
import { type UsageHistory, type UsagePoint, isRecord } from '@podvisor/base';

export const EVERY_MS = 30_000;
export const KEPT_MS = 3_600_000;
export const KEPT_POINTS = KEPT_MS / EVERY_MS;

const COUNTERS = ['cpuNs', 'diskReadBytes', 'diskWrittenBytes', 'receivedBytes', 'sentBytes'] as const;

/** Those of the last hour, not more than are kept. `points`: oldest first. */
export function recent(points: readonly UsagePoint[], nowMs: number): readonly UsagePoint[] {
  return points.filter(({ atMs }) => atMs > nowMs - KEPT_MS).slice(-KEPT_POINTS);
}

/** One past before another: where both know something, the later one counts. */
export function joined(earlier: readonly UsagePoint[], later: readonly UsagePoint[]): readonly UsagePoint[] {
  const beginsMs = later[0]?.atMs ?? Infinity;
  return [...earlier.filter(({ atMs }) => atMs < beginsMs), ...later].slice(-KEPT_POINTS);
}

/** What somebody says that the past was, by our clock. Anything that is no past is an empty one. */
export function parseHistory(said: unknown, nowMs: number): readonly UsagePoint[] {
  const { nowMs: theirs, points } = isRecord(said) ? said : {};
  if (!isCount(theirs) || !Array.isArray(points)) return [];
  const read = points.slice(-KEPT_POINTS).flatMap((point: unknown) => parsePoint(point, nowMs - theirs));
  const ordered = read.filter(({ atMs }, i) => atMs <= nowMs && atMs > (read[i - 1]?.atMs ?? -Infinity));
  return recent(ordered, nowMs);
}

export function historyOf(points: readonly UsagePoint[], nowMs: number): UsageHistory {
  return { nowMs, points: recent(points, nowMs) };
}

function parsePoint(said: unknown, shiftMs: number): readonly UsagePoint[] {
  if (!isRecord(said)) return [];
  const { atMs, memoryBytes, cpuNs, diskReadBytes, diskWrittenBytes, receivedBytes, sentBytes } = said;
  const counters = { cpuNs, diskReadBytes, diskWrittenBytes, receivedBytes, sentBytes };
  if (!isCount(atMs) || !areCounts(counters)) return [];
  return [{ atMs: atMs + shiftMs, ...counters, ...(isCount(memoryBytes) ? { memoryBytes } : {}) }];
}

function areCounts(
  counters: Readonly<Record<(typeof COUNTERS)[number], unknown>>,
): counters is Readonly<Record<(typeof COUNTERS)[number], number>> {
  return COUNTERS.every((name) => isCount(counters[name]));
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
