/** The VolumeSnapshots that hold the disks of a snapshot. Pure. */
import type { VirtualMachineSnapshot, VirtualMachineSnapshotContent, VolumeSnapshot } from '@podvisor/api';
import type { SourceVolume } from './content.ts';

export function volumeSnapshotsOf(
  snapshot: VirtualMachineSnapshot,
  content: VirtualMachineSnapshotContent,
  volumes: readonly SourceVolume[],
): readonly VolumeSnapshot[] {
  return (content.spec.volumeBackups ?? []).flatMap(
    ({ volumeSnapshotName: name, persistentVolumeClaim }): VolumeSnapshot[] => {
      if (name === undefined) return [];
      const claim = persistentVolumeClaim.metadata?.name ?? '';
      const volumeSnapshotClassName = volumes.find(({ claimName }) => claimName === claim)?.snapshotClass;
      return [
        {
          apiVersion: 'snapshot.storage.k8s.io/v1',
          kind: 'VolumeSnapshot',
          metadata: {
            name,
            namespace: snapshot.metadata?.namespace,
            labels: { 'snapshot.kubevirt.io/source-vm-name': snapshot.spec.source.name },
            ownerReferences: [
              {
                apiVersion: 'snapshot.kubevirt.io/v1beta1',
                kind: 'VirtualMachineSnapshotContent',
                name: content.metadata?.name ?? '',
                uid: content.metadata?.uid ?? '',
                controller: true,
                blockOwnerDeletion: true,
              },
            ],
          },
          spec: {
            source: { persistentVolumeClaimName: claim },
            ...(volumeSnapshotClassName === undefined ? {} : { volumeSnapshotClassName }),
          },
        },
      ];
    },
  );
}
