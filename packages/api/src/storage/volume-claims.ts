/** What stands behind a volume of a VMI. Pure. */
import type { VMISpec, Volume } from '../types/index.ts';

/** The claim that stands behind a volume: its own, or the one of the DataVolume of that name. */
export function claimName(volume: Volume): string | undefined {
  return (
    volume.persistentVolumeClaim?.claimName ??
    volume.dataVolume?.name ??
    volume.ephemeral?.persistentVolumeClaim?.claimName ??
    volume.memoryDump?.claimName
  );
}

/** The claim may come and go while the VM runs: it is not mounted by the Pod, but plugged into it. */
export function isHotpluggable(volume: Volume): boolean {
  if (isMemoryDump(volume)) return true;
  return (volume.persistentVolumeClaim?.hotpluggable ?? volume.dataVolume?.hotpluggable) === true;
}

/**
 * Volumes of the guest and of the launcher alike. What the launcher uses for the guest (`utilityVolumes`) is a
 * directory of the Pod, as the claim of a dump is.
 */
export function volumesOfPod({ volumes = [], utilityVolumes = [] }: VMISpec): readonly Volume[] {
  return [
    ...volumes,
    ...utilityVolumes.map(
      ({ name, claimName: claim }): Volume => ({
        name,
        memoryDump: { claimName: claim, hotpluggable: true },
      }),
    ),
  ];
}

/** The claim receives a dump of the guest's memory: it is a directory of the Pod, never a disk. */
export function isMemoryDump(volume: Volume): boolean {
  return volume.memoryDump !== undefined;
}
