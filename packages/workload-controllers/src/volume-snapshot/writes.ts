/** What the writes of snapshots and of their contents have in common. */
import type { VolumeSnapshot, VolumeSnapshotContent } from '@podvisor/api';
import { isStatus } from '@podvisor/base';

/** Finalizers are a list: written only on top of the version that was read. */
export function withFinalizers(
  { metadata }: VolumeSnapshot | VolumeSnapshotContent,
  finalizers: readonly string[],
): object {
  return { metadata: { resourceVersion: metadata.resourceVersion, finalizers } };
}

export async function ignoreGone(call: Promise<unknown>): Promise<undefined> {
  await call.catch((error: unknown) => {
    if (!isStatus(error, 'NotFound')) throw error;
  });
}

export async function ignoreExisting(call: Promise<unknown>): Promise<undefined> {
  await call.catch((error: unknown) => {
    if (!isStatus(error, 'AlreadyExists')) throw error;
  });
}
