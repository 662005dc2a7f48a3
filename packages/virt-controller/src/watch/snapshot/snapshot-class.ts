/** Which class takes snapshots of a claim's storage. Pure. */
import type { PersistentVolumeClaim, StorageClass, StorageProfile, VolumeSnapshotClass } from '@podvisor/api';

const DEFAULT = 'snapshot.storage.kubernetes.io/is-default-class';

/**
 * The class that the StorageProfile of the storage class names, where it exists; else the only class of the driver, or
 * its default one. Undefined when the storage cannot take snapshots.
 */
export function snapshotClassOf(
  claim: PersistentVolumeClaim,
  storageClasses: readonly StorageClass[],
  snapshotClasses: readonly VolumeSnapshotClass[],
  profile: StorageProfile | undefined,
): string | undefined {
  const named = profile?.status?.snapshotClass ?? '';
  if (named !== '') return snapshotClasses.find(({ metadata }) => metadata?.name === named)?.metadata?.name;
  const driver = storageClasses.find(
    ({ metadata }) => metadata?.name === claim.spec.storageClassName,
  )?.provisioner;
  const fitting = snapshotClasses.filter((candidate) => candidate.driver === driver);
  const chosen =
    fitting.length === 1
      ? fitting[0]
      : fitting.find(({ metadata }) => metadata?.annotations?.[DEFAULT] === 'true');
  return chosen?.metadata?.name;
}
