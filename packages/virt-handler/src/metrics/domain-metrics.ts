/** libvirt's statistics of one domain as KubeVirt's metrics. Pure. */
import { HANDLER_METRICS as M } from '@podvisor/api';
import type { MetricDefinition, Sample } from '@podvisor/base';

/** libvirt's names and values, and our own under `guest.` and `host.`; disks have a name of libvirt or a volume. */
export type DomainStats = Readonly<Record<string, unknown>>;

export interface DomainNames {
  /** Labels that every sample carries. */
  readonly labels: Readonly<Record<string, string>>;
  /** Name of the interface behind a TAP device. */
  interfaceOf(tap: string): string;
  /** Name of the volume behind a disk's target. */
  driveOf(target: string): string;
}

const KIB = 1024;
const NANO = 1e-9;
const VCPU_STATES = ['offline', 'running', 'blocked'];

/** Metric, libvirt's name, factor. */
const PLAIN: readonly (readonly [MetricDefinition, string, number])[] = [
  [M.vmiCpuUsageSecondsTotal, 'cpu.time', NANO],
  [M.vmiCpuUserUsageSecondsTotal, 'cpu.user', NANO],
  [M.vmiCpuSystemUsageSecondsTotal, 'cpu.system', NANO],
  [M.vmiMemoryActualBalloonBytes, 'balloon.current', KIB],
  [M.vmiMemoryDomainBytes, 'balloon.maximum', KIB],
  [M.vmiMemoryResidentBytes, 'balloon.rss', KIB],
  [M.vmiMemoryAvailableBytes, 'balloon.available', KIB],
  [M.vmiMemoryUnusedBytes, 'balloon.unused', KIB],
  [M.vmiMemoryUsableBytes, 'balloon.usable', KIB],
  [M.vmiMemoryCachedBytes, 'balloon.disk_caches', KIB],
  [M.vmiMemorySwapInTrafficBytes, 'balloon.swap_in', KIB],
  [M.vmiMemorySwapOutTrafficBytes, 'balloon.swap_out', KIB],
  [M.vmiMemoryPgmajfaultTotal, 'balloon.major_fault', 1],
  [M.vmiMemoryPgminfaultTotal, 'balloon.minor_fault', 1],
  [M.vmiNodeCpuAffinity, 'host.cpu_affinity', 1],
  [M.vmiGuestLoad1m, 'guest.load.1m', 1],
  [M.vmiGuestLoad5m, 'guest.load.5m', 1],
  [M.vmiGuestLoad15m, 'guest.load.15m', 1],
];
const NETWORK: readonly (readonly [MetricDefinition, string])[] = [
  [M.vmiNetworkReceiveBytesTotal, 'rx.bytes'],
  [M.vmiNetworkReceivePacketsTotal, 'rx.pkts'],
  [M.vmiNetworkReceiveErrorsTotal, 'rx.errs'],
  [M.vmiNetworkReceivePacketsDroppedTotal, 'rx.drop'],
  [M.vmiNetworkTransmitBytesTotal, 'tx.bytes'],
  [M.vmiNetworkTransmitPacketsTotal, 'tx.pkts'],
  [M.vmiNetworkTransmitErrorsTotal, 'tx.errs'],
  [M.vmiNetworkTransmitPacketsDroppedTotal, 'tx.drop'],
];
const STORAGE: readonly (readonly [MetricDefinition, string, number])[] = [
  [M.vmiStorageIopsReadTotal, 'rd.reqs', 1],
  [M.vmiStorageReadTrafficBytesTotal, 'rd.bytes', 1],
  [M.vmiStorageReadTimesSecondsTotal, 'rd.times', NANO],
  [M.vmiStorageIopsWriteTotal, 'wr.reqs', 1],
  [M.vmiStorageWriteTrafficBytesTotal, 'wr.bytes', 1],
  [M.vmiStorageWriteTimesSecondsTotal, 'wr.times', NANO],
  [M.vmiStorageFlushRequestsTotal, 'fl.reqs', 1],
  [M.vmiStorageFlushTimesSecondsTotal, 'fl.times', NANO],
];
const VCPU: readonly (readonly [MetricDefinition, string])[] = [
  [M.vmiVcpuWaitSecondsTotal, 'wait'],
  [M.vmiVcpuDelaySecondsTotal, 'delay'],
];

/** Definitions that a domain may have samples of. */
export const DOMAIN_DEFINITIONS: readonly MetricDefinition[] = [
  ...[...PLAIN, ...NETWORK, ...STORAGE, ...VCPU].map(([definition]) => definition),
  M.vmiNetworkTrafficBytesTotal,
  M.vmiVcpuSecondsTotal,
  M.vmiFilesystemCapacityBytes,
  M.vmiFilesystemUsedBytes,
];

export type DomainSample = readonly [MetricDefinition, Sample];

/** All that the statistics tell; what is missing or no number is left out. */
export function domainSamples(stats: DomainStats, names: DomainNames): readonly DomainSample[] {
  const { labels } = names;
  // Samples of the same thing share the object of their labels, which is written to text once then.
  const sample = (
    definition: MetricDefinition,
    key: string,
    factor = 1,
    own: Readonly<Record<string, string>> = labels,
  ): DomainSample[] => {
    const value = stats[key];
    return typeof value === 'number' && Number.isFinite(value)
      ? [[definition, { labels: own, value: value * factor }]]
      : [];
  };
  const each = (prefix: string, samples: (key: string, index: number) => readonly DomainSample[]) =>
    Array.from({ length: count(stats, prefix) }, (_, i) => samples(`${prefix}.${i}`, i)).flat();
  return [
    ...PLAIN.flatMap(([definition, key, factor]) => sample(definition, key, factor)),
    ...each('net', (key) => {
      const nic = { ...labels, interface: names.interfaceOf(text(stats[`${key}.name`])) };
      return [
        ...NETWORK.flatMap(([definition, field]) => sample(definition, `${key}.${field}`, 1, nic)),
        ...(['rx', 'tx'] as const).flatMap((type) =>
          sample(M.vmiNetworkTrafficBytesTotal, `${key}.${type}.bytes`, 1, { ...nic, type }),
        ),
      ];
    }),
    ...each('block', (key) => {
      const volume = text(stats[`${key}.volume`]) || names.driveOf(text(stats[`${key}.name`]));
      const drive = { ...labels, drive: volume };
      return STORAGE.flatMap(([definition, field, factor]) =>
        sample(definition, `${key}.${field}`, factor, drive),
      );
    }),
    ...each('vcpu', (key, i) => {
      const vcpu = { ...labels, id: String(i) };
      const state = VCPU_STATES[Number(stats[`${key}.state`])] ?? 'unknown';
      return [
        ...sample(M.vmiVcpuSecondsTotal, `${key}.time`, NANO, { ...vcpu, state }),
        ...VCPU.flatMap(([definition, field]) => sample(definition, `${key}.${field}`, NANO, vcpu)),
      ];
    }),
    ...each('guest.filesystem', (key) => {
      const filesystem = {
        ...labels,
        disk_name: text(stats[`${key}.disk`]),
        mount_point: text(stats[`${key}.mount`]),
        file_system_type: text(stats[`${key}.type`]),
      };
      return [
        ...sample(M.vmiFilesystemCapacityBytes, `${key}.total`, 1, filesystem),
        ...sample(M.vmiFilesystemUsedBytes, `${key}.used`, 1, filesystem),
      ];
    }),
  ];
}

/** A launcher may be lost to its guest: it does not decide how long we count. */
const MAX_DEVICES = 512;

function count(stats: DomainStats, prefix: string): number {
  const value = stats[prefix === 'vcpu' ? 'vcpu.maximum' : `${prefix}.count`];
  return typeof value === 'number' && value > 0 ? Math.min(Math.trunc(value), MAX_DEVICES) : 0;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 256) : '';
}
