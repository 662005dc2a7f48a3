/** Which class takes snapshots of a claim's storage. Pure. */
import type { PersistentVolumeClaim, StorageClass, VolumeSnapshotClass } from '@podvisor/api';

const DEFAULT = 'snapshot.storage.kubernetes.io/is-default-class';

/** The only class of the driver, or its default one; undefined when the storage cannot take snapshots. */
export function snapshotClassOf(
  claim: PersistentVolumeClaim,
  storageClasses: readonly StorageClass[],
  snapshotClasses: readonly VolumeSnapshotClass[],
): string | undefined {
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
