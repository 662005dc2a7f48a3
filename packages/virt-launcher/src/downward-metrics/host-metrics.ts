/** What a guest may know about the load of its node, from the texts of /proc and /sys. Pure. */
import type { Metric } from '@podvisor/storage';

/** Files of the node, as text; one that could not be read is empty and yields nothing. */
export interface HostTexts {
  readonly stat: string;
  readonly meminfo: string;
  readonly vmstat: string;
  /** `physical_package_id` of each CPU. */
  readonly packages: readonly string[];
  readonly nowMs: number;
}

/** Ticks of /proc/stat in a second; the same on every architecture that Linux runs guests on. */
const TICKS_PER_SECOND = 100;
const PAGE_KIB = 4;

/** Metrics of the node. */
export function hostMetrics({ stat, meminfo, vmstat, packages, nowMs }: HostTexts): readonly Metric[] {
  const cpu = /^cpu +(\d+) (\d+) (\d+)/m.exec(stat)?.slice(1).map(Number);
  return [
    ...(packages.length === 0
      ? []
      : [{ name: 'NumberOfPhysicalCPUs', type: 'int64', value: String(new Set(packages).size) } as const]),
    ...(cpu === undefined ? [] : [seconds('TotalCPUTime', sum(cpu) / TICKS_PER_SECOND)]),
    ...memory(meminfo),
    ...paging(vmstat),
    { name: 'Time', type: 'int64', unit: 's', value: String(Math.floor(nowMs / 1000)) },
  ];
}

function memory(meminfo: string): readonly Metric[] {
  if (meminfo === '') return [];
  const kib = (name: string): number =>
    Number(new RegExp(`^${name}: +(\\d+) kB`, 'm').exec(meminfo)?.[1] ?? 0);
  const free = kib('MemFree');
  const cached = kib('Buffers') + kib('Cached');
  const used = kib('MemTotal') - free - cached;
  return [
    amount('FreePhysicalMemory', free),
    amount('FreeVirtualMemory', free + kib('SwapFree')),
    amount('MemoryAllocatedToVirtualServers', used),
    amount('UsedVirtualMemory', used + kib('SwapTotal') - kib('SwapCached')),
  ];
}

function paging(vmstat: string): readonly Metric[] {
  const pages = (name: string): number | undefined => {
    const match = new RegExp(`^${name} (\\d+)`, 'm').exec(vmstat)?.[1];
    return match === undefined ? undefined : Number(match);
  };
  const read = pages('pswpin');
  const written = pages('pswpout');
  if (read === undefined || written === undefined) return [];
  return [amount('PagedInMemory', read * PAGE_KIB), amount('PagedOutMemory', written * PAGE_KIB)];
}

/** A time with its fraction. */
export function seconds(name: string, value: number, context: Metric['context'] = 'host'): Metric {
  return { name, type: 'real64', unit: 's', context, value: value.toFixed(6) };
}

/** An amount of memory. */
export function amount(name: string, kib: number, context: Metric['context'] = 'host'): Metric {
  return { name, type: 'uint64', unit: 'KiB', context, value: String(Math.max(0, Math.round(kib))) };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
