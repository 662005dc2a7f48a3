/** What a guest uses, as charts show it: rates between points. Pure. */
import type { UsageHistory, UsagePoint } from '@podvisor/base';

/** By time, in seconds since the epoch; a rate that is not known is null. As the charts take it. */
export interface UsageSeries {
  readonly times: readonly number[];
  /** Of one CPU, in percent. */
  readonly cpu: readonly (number | null)[];
  readonly memory: readonly (number | null)[];
  readonly diskRead: readonly (number | null)[];
  readonly diskWritten: readonly (number | null)[];
  readonly received: readonly (number | null)[];
  readonly sent: readonly (number | null)[];
}

const SHOWN_MS = 3_600_000;

/** What the node kept, by this browser's clock. */
export function pastPoints({ nowMs, points }: UsageHistory, hereMs: number): readonly UsagePoint[] {
  return points.map((point) => ({ ...point, atMs: point.atMs + hereMs - nowMs }));
}

/** With one more, and without what is older than an hour. */
export function withPoint(points: readonly UsagePoint[], point: UsagePoint): readonly UsagePoint[] {
  return [...points.filter(({ atMs }) => atMs > point.atMs - SHOWN_MS && atMs < point.atMs), point];
}

export function usageSeries(points: readonly UsagePoint[]): UsageSeries {
  const rate = (of: (point: UsagePoint) => number, perMs: number): readonly (number | null)[] =>
    points.map((point, i) => {
      const before = points[i - 1];
      // A counter that went back is another run of the guest.
      if (before === undefined || of(point) < of(before) || point.atMs <= before.atMs) return null;
      return ((of(point) - of(before)) / (point.atMs - before.atMs)) * perMs;
    });
  return {
    times: points.map(({ atMs }) => atMs / 1000),
    // Nanoseconds a millisecond, of a million that there are; in percent.
    cpu: rate(({ cpuNs }) => cpuNs, 1 / 10_000),
    memory: points.map(({ memoryBytes }) => memoryBytes ?? null),
    diskRead: rate(({ diskReadBytes }) => diskReadBytes, 1000),
    diskWritten: rate(({ diskWrittenBytes }) => diskWrittenBytes, 1000),
    received: rate(({ receivedBytes }) => receivedBytes, 1000),
    sent: rate(({ sentBytes }) => sentBytes, 1000),
  };
}
