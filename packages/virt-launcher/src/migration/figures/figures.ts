/** The figures of a migration that has just ended. */
import type { DomainRef, LibvirtConnection } from '@podvisor/libvirt';
import { type Sample, sampleOf } from './progress.ts';

/**
 * The target has all of them from the source, and it alone knows how long the guest stood still. Of disks it knows
 * nothing; those that were copied are whole now. They are for people: what cannot be had is left out.
 */
export async function finalFigures(
  target: LibvirtConnection,
  domain: DomainRef,
  seen: Sample | undefined,
  nowMs: number,
): Promise<Sample | undefined> {
  const stats = await target.migration
    .jobStats(domain, { completed: true, keep: true })
    .catch(() => undefined);
  const sample = stats === undefined ? undefined : sampleOf(stats, nowMs);
  return sample === undefined
    ? seen
    : { ...sample, diskTotalBytes: seen?.diskTotalBytes ?? 0, diskRemainingBytes: 0 };
}
