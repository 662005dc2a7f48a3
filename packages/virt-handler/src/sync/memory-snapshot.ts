/** `status.memorySnapshot` of a VMI from what the node sees. Pure. */
import {
  type DomainState,
  memorySnapshotVolume,
  type VirtualMachineInstance,
  type VMIStatus,
} from '@podvisor/api';

/** Told as long as its claim is wanted: whoever took the snapshot takes the claim away when it has read the end. */
export function withMemorySnapshot(
  status: VMIStatus,
  { spec }: VirtualMachineInstance,
  domain: DomainState | undefined,
): VMIStatus {
  if (domain === undefined) return status;
  const { memorySnapshot: _before, ...others } = status;
  const told = domain.memorySnapshot;
  if (told === undefined || told.claimName !== memorySnapshotVolume(spec)?.claimName) return others;
  return { ...others, memorySnapshot: told };
}
