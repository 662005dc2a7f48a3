/** How finalizers of snapshots and of their contents are written. */
import type { VolumeSnapshot, VolumeSnapshotContent } from '@podvisor/api';

/** Finalizers are a list: written only on top of the version that was read. */
export function withFinalizers(
  { metadata }: VolumeSnapshot | VolumeSnapshotContent,
  finalizers: readonly string[],
): object {
  return { metadata: { resourceVersion: metadata.resourceVersion, finalizers } };
}
