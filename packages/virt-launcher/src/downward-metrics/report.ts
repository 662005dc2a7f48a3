/** All metrics that a guest is told: who hosts it, what it was given, how its node fares. Pure but for `readHost`. */
import { readFile } from 'node:fs/promises';
import type { ParamRecord } from '@podvisor/libvirt';
import type { Metric } from '@podvisor/storage';
import { amount, type HostTexts, hostMetrics, seconds } from './host-metrics.ts';

/** What does not change while the guest runs. */
export interface HostIdentity {
  readonly nodeName: string;
  /** Major × 1,000,000 + minor × 1,000 + release. */
  readonly qemuVersion?: number;
}

/** The metrics, in the order in which readers of vhostmd know them. */
export function metricsReport(host: HostIdentity, stats: ParamRecord, texts: HostTexts): readonly Metric[] {
  const text = (name: string, value: string): Metric => ({ name, type: 'string', value });
  return [
    text('HostName', host.nodeName),
    text('HostSystemInfo', 'linux'),
    text('VirtualizationVendor', 'kubevirt.io'),
    text('VirtProductInfo', host.qemuVersion === undefined ? 'qemu-unknown' : versionOf(host.qemuVersion)),
    ...guestMetrics(stats),
    ...hostMetrics(texts),
  ];
}

function guestMetrics(stats: ParamRecord): readonly Metric[] {
  const number = (key: string): number => Number(stats[key] ?? 0);
  const vcpus = number('vcpu.current');
  const nanoseconds = Array.from({ length: number('vcpu.maximum') }, (_, i) => number(`vcpu.${i}.time`));
  const balloonKib = number('balloon.current');
  return [
    seconds('TotalCPUTime', nanoseconds.reduce((sum, time) => sum + time, 0) / 1e9, 'vm'),
    { name: 'ResourceProcessorLimit', type: 'uint64', context: 'vm', value: String(vcpus) },
    amount('PhysicalMemoryAllocatedToVirtualSystem', balloonKib, 'vm'),
    amount('ResourceMemoryLimit', balloonKib, 'vm'),
  ];
}

function versionOf(number: number): string {
  return `QEMU ${Math.floor(number / 1e6)}.${Math.floor(number / 1e3) % 1e3}.${number % 1e3}`;
}

/** Reads the node's files; the container sees those of the whole node. */
export async function readHost(nowMs: number, cpus: number): Promise<HostTexts> {
  const read = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');
  const ids = Array.from({ length: cpus }, (_, cpu) =>
    read(`/sys/devices/system/cpu/cpu${cpu}/topology/physical_package_id`),
  );
  const [stat, meminfo, vmstat, ...packages] = await Promise.all([
    read('/proc/stat'),
    read('/proc/meminfo'),
    read('/proc/vmstat'),
    ...ids,
  ]);
  return {
    stat: stat ?? '',
    meminfo: meminfo ?? '',
    vmstat: vmstat ?? '',
    packages: packages.map((id) => id.trim()).filter((id) => id !== ''),
    nowMs,
  };
}
