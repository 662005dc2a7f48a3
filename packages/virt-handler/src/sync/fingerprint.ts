import { createHash } from 'node:crypto';
import type { VirtualMachineInstance } from '@podvisor/api';

/**
 * A hash of what `SyncVirtualMachine` depends on: the spec, the sizes of claims, and which plugged claims are on the
 * node. virt-handler calls the launcher again when it changes. The VMI's generation would not do: it
 * also changes with every other write of the status.
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
