/** `status.volumeSnapshotStatuses`: which volumes of a VM can be snapshotted, and why the others cannot. Pure. */
import {
  claimName,
  type PersistentVolumeClaim,
  type VirtualMachine,
  type VMVolumeSnapshotStatus,
} from '@podvisor/api';

export interface SnapshotView {
  claim(name: string): PersistentVolumeClaim | undefined;
  /** The class that takes snapshots of a claim; undefined: its storage cannot. */
  snapshotClass(claim: PersistentVolumeClaim): string | undefined;
}

export function volumeSnapshotStatuses(
  { spec }: VirtualMachine,
  view: SnapshotView,
): readonly VMVolumeSnapshotStatus[] | undefined {
  const volumes = spec.template?.spec?.volumes ?? [];
  if (volumes.length === 0) return undefined;
  return volumes.map((volume): VMVolumeSnapshotStatus => {
    const { name } = volume;
    const no = (reason: string): VMVolumeSnapshotStatus => ({ name, enabled: false, reason });
    const claimed = volume.ephemeral === undefined ? claimName(volume) : undefined;
    if (claimed === undefined) return no(`Snapshot is not supported for this volumeSource type [${name}]`);
    const claim = view.claim(claimed);
    if (claim === undefined) return no('PVC not found');
    if (view.snapshotClass(claim) !== undefined) return { name, enabled: true };
    const storageClass = claim.spec.storageClassName ?? '';
    return no(
      `No VolumeSnapshotClass: Volume snapshots are not configured for this StorageClass [${storageClass}] [${name}]`,
    );
  });
}
