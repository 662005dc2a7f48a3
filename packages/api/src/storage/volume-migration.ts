/** Volumes whose data is copied to another claim while the guest runs. Pure. */
import type { MigratedVolume, VirtualMachineInstance } from '../types/index.ts';

/**
 * The entry of a volume that is being moved. As long as there is one the guest uses the source claim, although
 * `spec.volumes` names the destination: the node that takes the guest over removes it.
 */
export function migratedVolume(
  { status }: VirtualMachineInstance,
  volume: string,
): MigratedVolume | undefined {
  return status?.migratedVolumes?.find(({ volumeName }) => volumeName === volume);
}

/** Some volume is being moved. */
export function movesVolumes({ status }: VirtualMachineInstance): boolean {
  return (status?.migratedVolumes ?? []).length > 0;
}
