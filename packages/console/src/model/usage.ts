/** What a guest uses, from what libvirt counts (`domainstats`): points as they come, rates between them. Pure. */

/** One answer: counters since the guest began, and what is so now. */
export interface UsagePoint {
  readonly atMs: number;
  readonly cpuNs: number;
  readonly memoryBytes: number | undefined;
  readonly diskReadBytes: number;
  readonly diskWrittenBytes: number;
  readonly receivedBytes: number;
  readonly sentBytes: number;
}

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

export type DomainStats = Readonly<Record<string, unknown>>;

export function usagePoint(stats: DomainStats, atMs: number): UsagePoint {
  const sum = (kind: 'block' | 'net', counter: string): number =>
    Object.entries(stats)
      .filter(([key]) => key.startsWith(`${kind}.`) && key.endsWith(`.${counter}`))
      .reduce((total, [, value]) => total + (Number(value) || 0), 0);
  return {
    atMs,
    cpuNs: Number(stats['cpu.time']) || 0,
    memoryBytes: usedMemory(stats),
    diskReadBytes: sum('block', 'rd.bytes'),
    diskWrittenBytes: sum('block', 'wr.bytes'),
    receivedBytes: sum('net', 'rx.bytes'),
    sentBytes: sum('net', 'tx.bytes'),
  };
}

/** libvirt tells KiB. What the guest says that it uses; without its word, what QEMU holds. */
function usedMemory(stats: DomainStats): number | undefined {
  const of = (name: string): number => Number(stats[`balloon.${name}`]);
  const free = Number.isNaN(of('usable')) ? of('unused') : of('usable');
  const used = of('available') - free;
  const kib = Number.isNaN(used) ? of('rss') : used;
  return Number.isNaN(kib) ? undefined : kib * 1024;
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
