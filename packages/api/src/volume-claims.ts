/** What stands behind a volume of a VMI. Pure. */
import type { Volume } from './types/index.ts';

/** The claim that stands behind a volume: its own, or the one of the DataVolume of that name. */
export function claimName(volume: Volume): string | undefined {
  return (
    volume.persistentVolumeClaim?.claimName ??
    volume.dataVolume?.name ??
    volume.ephemeral?.persistentVolumeClaim?.claimName
  );
}

/** The claim may come and go while the VM runs: it is not mounted by the Pod, but plugged into it. */
export function isHotpluggable(volume: Volume): boolean {
  return (volume.persistentVolumeClaim?.hotpluggable ?? volume.dataVolume?.hotpluggable) === true;
}
