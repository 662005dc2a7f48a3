/** What is told about a migration: a line for each phase, one for its progress, and a report at the end. Pure. */
import {
  MIGRATION_REPORT_ANNOTATION,
  type MigrationProgress,
  type MigrationReport,
  type MigrationWork,
  type Pod,
  type VirtualMachineInstanceMigration,
} from '@podvisor/api';

type Migration = VirtualMachineInstanceMigration;

/** Milliseconds until the end, if it goes on like this; undefined when the guest changes more than is moved. */
export function estimateMs(progress: MigrationProgress): number | undefined {
  const { dataRemainingBytes, bandwidthBytesPerSecond = 0, dirtyRateBytesPerSecond = 0 } = progress;
  const gain = bandwidthBytesPerSecond - dirtyRateBytesPerSecond;
  if (dataRemainingBytes === undefined || gain <= 0) return undefined;
  return (dataRemainingBytes / gain) * 1000;
}

/** One line of figures; what is not known is left out. */
export function progressLine(progress: MigrationProgress): string {
  const { mode, iterations, diskRemainingBytes } = progress;
  const left = estimateMs(progress);
  const parts = [
    mode,
    figure(progress.dataRemainingBytes, (value) => `${bytes(value)} left${of(progress.dataTotalBytes)}`),
    figure(diskRemainingBytes, (value) => `${bytes(value)} of it on disks`, diskRemainingBytes === 0),
    figure(progress.bandwidthBytesPerSecond, (value) => `${bytes(value)}/s`),
    figure(progress.dirtyRateBytesPerSecond, (value) => `guest changes ${bytes(value)}/s`),
    figure(iterations, (value) => `pass ${value}`),
    figure(progress.downtimeMs, (value) => `downtime ${value} ms`),
    left === undefined ? 'no estimate' : `about ${seconds(left)} to go`,
  ];
  return parts.filter((part) => part !== undefined).join('  ');
}

/** What is to be copied, told before it is. */
export function workLine({ memoryBytes, diskBytes, volumes }: MigrationWork): string {
  const disks = volumes.length === 0 ? 'no disk' : `${bytes(diskBytes)} of disks (${volumes.join(', ')})`;
  return `to copy: up to ${bytes(memoryBytes)} of memory, ${disks}`;
}

/** The source's report on a migration; undefined when there is none, or it cannot be read. */
export function reportOf({ metadata }: Migration): MigrationReport | undefined {
  const text = metadata?.annotations?.[MIGRATION_REPORT_ANNOTATION];
  if (text === undefined) return undefined;
  try {
    const report: Partial<MigrationReport> | null = JSON.parse(text);
    return typeof report?.totalMs === 'number' && report.mode !== undefined && report.uid === metadata?.uid
      ? { ...report, uid: report.uid ?? '', mode: report.mode, totalMs: report.totalMs }
      : undefined;
  } catch {
    // Written by a node; what it wrote is not worth failing for.
    return undefined;
  }
}

/** The report in words. */
export function reportLine(report: MigrationReport): string {
  const parts = [
    `total ${seconds(report.totalMs)}`,
    figure(report.downtimeMs, (value) => `downtime ${value} ms`),
    figure(report.dataBytes, (value) => `${bytes(value)} moved`),
    figure(report.diskBytes, (value) => `${bytes(value)} of it disks`, report.diskBytes === 0),
    figure(report.iterations, (value) => `${value} passes`),
    report.mode,
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}

/** A phase, with the nodes once both are known. */
export function phaseLine({ status }: Migration): string {
  const { sourceNode, targetNode } = status?.migrationState ?? {};
  const nodes = targetNode === undefined ? '' : `  ${sourceNode} → ${targetNode}`;
  const quota = status?.conditions?.find(
    ({ type, status: value }) => type === 'migrationRejectedByResourceQuota' && value === 'True',
  );
  const trouble = quota === undefined ? '' : `  a quota refuses the target: ${quota.message ?? ''}`;
  return `${status?.phase ?? 'Pending'}${nodes}${trouble}`;
}

/** Why no node takes the Pod of the target yet; undefined when one has it, or nobody has looked. */
export function targetTrouble({ status }: Pod): string | undefined {
  const refused = status?.conditions?.find(
    ({ type, status: value, reason }) =>
      type === 'PodScheduled' && value === 'False' && reason === 'Unschedulable',
  );
  return refused === undefined ? undefined : `no node takes the target yet: ${refused.message ?? ''}`;
}

function figure<T>(value: T | undefined, text: (value: T) => string, hidden = false): string | undefined {
  return value === undefined || hidden ? undefined : text(value);
}

function of(total: number | undefined): string {
  return total === undefined ? '' : ` of ${bytes(total)}`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 0)} s`;
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Bytes for people. */
export function bytes(value: number): string {
  const place = Math.min(UNITS.length - 1, value < 1 ? 0 : Math.floor(Math.log2(value) / 10));
  return `${(value / 1024 ** place).toFixed(place === 0 ? 0 : 1)} ${UNITS[place]}`;
}
