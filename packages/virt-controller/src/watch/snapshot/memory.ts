/**
 * The memory in a snapshot: a claim of the snapshot's own that is plugged into the running guest. The launcher writes
 * the memory to it and lets the guest stand still; the disks are taken; the type of the volume changes, and the guest
 * goes on; the claim is unplugged. Pure.
 */
import {
  type ClusterConfig,
  MEMORY_SNAPSHOT_VOLUME,
  type MemoryBackup,
  type MemorySnapshotType,
  memorySnapshotVolume,
  type PersistentVolumeClaim,
  type VirtualMachineInstance,
  type VirtualMachineSnapshot,
  type VirtualMachineSnapshotContent,
  type VMIMemorySnapshot,
} from '@podvisor/api';
import { guardedChange, type JsonPatchOperation } from '@podvisor/kube';
import { hasCondition } from '../conditions.ts';
import { controllerReference } from '../ownership.ts';
import { stateBytes, stateClaim } from '../vm/hibernation-claim.ts';
import { knownInterfaces } from '../vm/hibernation.ts';

/** What the launcher writes at most while the guest runs, and once more while it stands still. */
const TIMES_MEMORY = 2.25;
const LABEL = 'podvisor.io/memory-of-snapshot';

function memoryClaimName({ metadata }: VirtualMachineSnapshot): string {
  return `vmsnapshot-${metadata?.uid}-memory`;
}

export function memoryBackupOf(
  snapshot: VirtualMachineSnapshot,
  vmi: VirtualMachineInstance | undefined,
): { readonly memoryBackup?: MemoryBackup } {
  if (snapshot.spec.includeMemory !== true || vmi === undefined) return {};
  return {
    memoryBackup: {
      claimName: memoryClaimName(snapshot),
      vmiUID: vmi.metadata?.uid ?? '',
      ...(answers(vmi) ? { hasGuestAgent: true } : {}),
      interfaces: knownInterfaces(vmi),
    },
  };
}

/** Its agent answers, and that of a copy would: a guest that goes on paused says nothing. */
function answers({ spec, status }: VirtualMachineInstance): boolean {
  return (
    hasCondition(status?.conditions, 'AgentConnected', 'True') &&
    !hasCondition(status?.conditions, 'Paused', 'True') &&
    spec.startStrategy !== 'Paused'
  );
}

/** `first`: the claim of the first disk that has one. It goes with the content. */
export function memoryClaim(
  snapshot: VirtualMachineSnapshot,
  content: VirtualMachineSnapshotContent,
  vmi: VirtualMachineInstance,
  { configuration }: Pick<ClusterConfig, 'configuration'>,
  first: PersistentVolumeClaim | undefined,
): PersistentVolumeClaim {
  const owner = controllerReference(content, 'snapshot.kubevirt.io/v1beta1', 'VirtualMachineSnapshotContent');
  const metadata = {
    name: memoryClaimName(snapshot),
    namespace: snapshot.metadata?.namespace,
    labels: { [LABEL]: snapshot.metadata?.uid ?? '' },
    ownerReferences: [owner],
  };
  return stateClaim(metadata, stateBytes(vmi, TIMES_MEMORY), configuration, first);
}

/** Makes the claim be plugged in as this type, or not at all; empty when it is so. */
export function plugPatch(
  { spec }: VirtualMachineInstance,
  claimName: string,
  type: MemorySnapshotType | undefined,
): readonly JsonPatchOperation[] {
  const now = memorySnapshotVolume(spec);
  if (now !== undefined && now.claimName !== claimName) return []; // another snapshot's
  if (now?.type === type) return [];
  const others = (spec.utilityVolumes ?? []).filter((volume) => volume !== now);
  const next = type === undefined ? others : [...others, { name: MEMORY_SNAPSHOT_VOLUME, claimName, type }];
  return guardedChange('/spec/utilityVolumes', spec.utilityVolumes, next.length === 0 ? undefined : next);
}

/** What the node says about this snapshot. */
export function toldOf(
  vmi: VirtualMachineInstance,
  { claimName }: MemoryBackup,
): VMIMemorySnapshot | undefined {
  const told = vmi.status?.memorySnapshot;
  return told?.claimName === claimName ? told : undefined;
}

/** Why the memory of this guest cannot be in a snapshot; undefined: it can. `excluded`: volumes without snapshots. */
export function memoryProblem(
  vmi: VirtualMachineInstance | undefined,
  excluded: readonly string[],
): string | undefined {
  if (vmi === undefined)
    return 'spec.includeMemory: the VirtualMachine does not run, so there is no memory to keep';
  if (vmi.spec.domain.devices.disableHotplug === true)
    return 'spec.includeMemory: the claim for the memory cannot be plugged in: spec.domain.devices.disableHotplug is set';
  if (excluded.length > 0)
    return `spec.includeMemory: the storage of volume ${excluded.join(', ')} cannot take snapshots, and memory does not go on without its disks`;
  return undefined;
}
