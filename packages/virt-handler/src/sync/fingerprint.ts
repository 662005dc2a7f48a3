import { createHash } from 'node:crypto';
import type { VirtualMachineInstance } from '@podvisor/api';

/**
 * Tells one version of what the launcher is to be told from another: the spec, the sizes of claims, and which
 * plugged claims are on the node. (The VMI's generation also counts every other change of its status.)
 */
export function specFingerprint({ spec, status }: VirtualMachineInstance): string {
  const claims = (status?.volumeStatus ?? []).flatMap(
    ({ name, persistentVolumeClaimInfo, hotplugVolume }) => {
      const capacity = persistentVolumeClaimInfo?.capacity?.['storage'];
      const isOnNode = hotplugVolume?.attachPodUID !== undefined;
      return capacity === undefined && !isOnNode ? [] : [[name, capacity, isOnNode]];
    },
  );
  return createHash('sha256')
    .update(JSON.stringify([spec, claims]))
    .digest('hex');
}
