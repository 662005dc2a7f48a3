/**
 * Which disks keep a guest where it is, and whether some have to be copied with it. Pure. Shared claims are seen by
 * both nodes; what is in the Pod (overlays of container disks, empty disks, cloud-init) is copied, and so is a claim
 * whose volume moves to another one; a claim that only one node can mount is neither.
 */
import {
  claimName,
  conditionReasons as reasons,
  migratedVolume,
  type VirtualMachineInstance,
  type Volume,
  type VolumeStatus,
} from '@podvisor/api';
import type { Obstacle } from './migratability.ts';

export interface DiskVerdict {
  readonly obstacles: readonly Obstacle[];
  /** Some disk has to be copied. */
  readonly copies: boolean;
}

export function diskObstacles(vmi: VirtualMachineInstance): DiskVerdict {
  const statuses = new Map((vmi.status?.volumeStatus ?? []).map((s) => [s.name, s]));
  const attached = new Set((vmi.spec.domain.devices.disks ?? []).map((d) => d.name));
  const disks = (vmi.spec.volumes ?? []).filter((volume) => attached.has(volume.name));
  return {
    obstacles: disks
      .filter(({ name }) => migratedVolume(vmi, name) === undefined)
      .flatMap((volume) => volumeObstacles(volume, statuses.get(volume.name))),
    copies: disks.some((volume) => isLocal(volume) || migratedVolume(vmi, volume.name) !== undefined),
  };
}

/** Directories of the host that the guest has open: their state cannot go along. */
export function sharedFilesystems({ spec }: VirtualMachineInstance): readonly Obstacle[] {
  const claims = new Set((spec.volumes ?? []).filter((v) => claimName(v) !== undefined).map((v) => v.name));
  const shares = spec.domain.devices.filesystems?.some((f) => claims.has(f.name)) ?? false;
  return shares ? [{ reason: reasons.virtIOFSNotLiveMigratable, message: 'VMI uses virtiofs' }] : [];
}

function volumeObstacles(volume: Volume, status: VolumeStatus | undefined): readonly Obstacle[] {
  if (volume.hostDisk !== undefined && volume.hostDisk.shared !== true)
    return [
      { reason: reasons.disksNotLiveMigratable, message: 'cannot migrate VMI with non-shared HostDisk' },
    ];
  if (volume.persistentVolumeClaim === undefined && volume.dataVolume === undefined) return [];
  const isShared = status?.persistentVolumeClaimInfo?.accessModes?.includes('ReadWriteMany') ?? false;
  if (!isShared)
    return [
      {
        reason: reasons.disksNotLiveMigratable,
        message: `cannot migrate VMI: PVC ${claimName(volume)} is not shared, live migration requires that all PVCs must be shared (using ReadWriteMany access mode). It moves to another claim, and with it the guest to another node, when the VM has updateVolumesStrategy: Migration and names that claim in volume ${volume.name}`,
      },
    ];
  return [];
}

/** The disk's contents are in the Pod and have to travel with the guest. */
function isLocal(volume: Volume): boolean {
  return (
    volume.persistentVolumeClaim === undefined &&
    volume.dataVolume === undefined &&
    volume.hostDisk === undefined
  );
}
