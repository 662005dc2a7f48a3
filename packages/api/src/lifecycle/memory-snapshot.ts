/**
 * Snapshots of memory between the components. The claim that takes the memory is a utility volume of the running VMI;
 * its type says what the launcher is to do: write the memory and hold the guest, or, once the disks are taken, let it
 * go on. Pure.
 */
import { HIBERNATION_VOLUME_TYPE } from './hibernation.ts';
import type { UtilityVolume, VMISpec } from '../types/index.ts';

/** Name of that volume, in the VMI and in its Pod. */
export const MEMORY_SNAPSHOT_VOLUME = 'memory-snapshot';
/** Types of that volume: ours, KubeVirt has none. */
export const memorySnapshotTypes = { save: 'MemorySnapshot', goOn: 'MemorySnapshotDisksTaken' } as const;

export type MemorySnapshotType = (typeof memorySnapshotTypes)[keyof typeof memorySnapshotTypes];

/** The claim that the memory of the guest is to be written to; its presence is the request. */
export function memorySnapshotVolume({ utilityVolumes = [] }: VMISpec): UtilityVolume | undefined {
  return utilityVolumes.find(({ type }) => isMemorySnapshotType(type));
}

/** Types of utility volumes through which the memory of a guest leaves it: no gate guards them, and none migrates. */
export function takesMemory({ type }: UtilityVolume): boolean {
  return type === HIBERNATION_VOLUME_TYPE || isMemorySnapshotType(type);
}

function isMemorySnapshotType(type: string | undefined): boolean {
  return type === memorySnapshotTypes.save || type === memorySnapshotTypes.goOn;
}
