/**
 * What a guest uses, from what libvirt counts (`domainstats`). Here because virt-handler, which keeps the last hour
 * of it, and the page, which draws it, mean the same by it. Pure.
 */

/** One moment: counters since the guest began, and what is so now. */
export interface UsagePoint {
  readonly atMs: number;
  readonly cpuNs: number;
  /** Absent: nobody knows. */
  readonly memoryBytes?: number;
  readonly diskReadBytes: number;
  readonly diskWrittenBytes: number;
  readonly receivedBytes: number;
  readonly sentBytes: number;
}

/** The last hour of a guest, as the subresource `usagehistory` tells it. */
export interface UsageHistory {
  /** When this was told, by the clock of the points. */
  readonly nowMs: number;
  /** Oldest first. */
  readonly points: readonly UsagePoint[];
}

export function usagePoint(stats: Readonly<Record<string, unknown>>, atMs: number): UsagePoint {
  const sum = (kind: 'block' | 'net', counter: string): number =>
    Object.entries(stats)
      .filter(([key]) => key.startsWith(`${kind}.`) && key.endsWith(`.${counter}`))
      .reduce((total, [, value]) => total + (Number(value) || 0), 0);
  const memoryBytes = usedMemory(stats);
  return {
    atMs,
    cpuNs: Number(stats['cpu.time']) || 0,
    ...(memoryBytes === undefined ? {} : { memoryBytes }),
    diskReadBytes: sum('block', 'rd.bytes'),
    diskWrittenBytes: sum('block', 'wr.bytes'),
    receivedBytes: sum('net', 'rx.bytes'),
    sentBytes: sum('net', 'tx.bytes'),
  };
}

/** libvirt tells KiB. What the guest says that it uses; without its word, what QEMU holds. */
function usedMemory(stats: Readonly<Record<string, unknown>>): number | undefined {
  const of = (name: string): number => Number(stats[`balloon.${name}`]);
  const free = Number.isNaN(of('usable')) ? of('unused') : of('usable');
  const used = of('available') - free;
  const kib = Number.isNaN(used) ? of('rss') : used;
  return Number.isNaN(kib) ? undefined : kib * 1024;
}
