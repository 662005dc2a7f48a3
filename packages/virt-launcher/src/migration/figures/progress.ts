/** From libvirt's job statistics to figures that people read. Pure. */
import type { MigrationMode, MigrationProgress, MigrationReport } from '@podvisor/api';
import type { JobStats } from '@podvisor/libvirt';

/** One look at the job. */
export interface Sample {
  readonly atMs: number;
  readonly elapsedMs: number;
  readonly totalBytes: number;
  readonly processedBytes: number;
  readonly remainingBytes: number;
  readonly diskTotalBytes: number;
  readonly diskRemainingBytes: number;
  /** Passes over the memory; 0 while only disks are copied. */
  readonly iteration: number;
  readonly pageBytes: number;
  readonly dirtyPagesPerSecond: number;
  readonly bytesPerSecond?: number;
  readonly downtimeMs?: number;
}

const JOB_NONE = 0;

/** The figures of a job, or nothing when there is none. */
export function sampleOf(job: JobStats, atMs: number): Sample | undefined {
  if (job.type === JOB_NONE) return undefined;
  const number = (field: string): number | undefined => {
    const value = job.stats[field];
    return typeof value === 'number' ? value : undefined;
  };
  return {
    atMs,
    elapsedMs: number('time_elapsed') ?? 0,
    totalBytes: number('data_total') ?? 0,
    processedBytes: number('data_processed') ?? 0,
    remainingBytes: number('data_remaining') ?? 0,
    diskTotalBytes: number('disk_total') ?? 0,
    diskRemainingBytes: number('disk_remaining') ?? 0,
    iteration: number('memory_iteration') ?? 0,
    pageBytes: number('memory_page_size') ?? 4096,
    dirtyPagesPerSecond: number('memory_dirty_rate') ?? 0,
    bytesPerSecond: number('memory_bps'),
    downtimeMs: number('downtime_net') ?? number('downtime'),
  };
}

export function progressOf(uid: string, mode: MigrationMode, sample: Sample): MigrationProgress {
  return {
    uid,
    mode,
    elapsedMs: sample.elapsedMs,
    dataTotalBytes: sample.totalBytes,
    dataProcessedBytes: sample.processedBytes,
    dataRemainingBytes: sample.remainingBytes,
    diskTotalBytes: sample.diskTotalBytes,
    diskRemainingBytes: sample.diskRemainingBytes,
    dirtyRateBytesPerSecond: sample.dirtyPagesPerSecond * sample.pageBytes,
    ...(sample.bytesPerSecond === undefined ? {} : { bandwidthBytesPerSecond: sample.bytesPerSecond }),
    iterations: sample.iteration,
    ...(sample.downtimeMs === undefined ? {} : { downtimeMs: sample.downtimeMs }),
  };
}

export function reportOf(
  uid: string,
  mode: MigrationMode,
  totalMs: number,
  sample: Sample | undefined,
): MigrationReport {
  return {
    uid,
    mode,
    totalMs,
    ...(sample?.downtimeMs === undefined ? {} : { downtimeMs: sample.downtimeMs }),
    ...(sample === undefined
      ? {}
      : {
          dataBytes: sample.processedBytes,
          diskBytes: sample.diskTotalBytes - sample.diskRemainingBytes,
          iterations: sample.iteration,
        }),
  };
}
