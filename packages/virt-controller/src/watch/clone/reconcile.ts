/** The next step of a clone, from what is seen of its snapshot, its restore and the copy. Pure. */
import type {
  MemoryBackup,
  VirtualMachine,
  VirtualMachineClone,
  VirtualMachineCloneStatus,
  VirtualMachineRestore,
  VirtualMachineSnapshot,
  VirtualMachineSnapshotContent,
  VMSpec,
} from '@podvisor/api';
import { rfc3339 } from '@podvisor/base';
import { setCondition } from '../conditions.ts';
import { helperRestore, helperSnapshot, targetName } from './plan.ts';

export interface CloneObservation {
  readonly clone: VirtualMachineClone;
  /** The VM that the clone names, if it names one. */
  readonly source: VirtualMachine | undefined;
  /** The snapshot that the clone names, or the one made for it. */
  readonly snapshot: VirtualMachineSnapshot | undefined;
  readonly content: VirtualMachineSnapshotContent | undefined;
  readonly restore: VirtualMachineRestore | undefined;
  readonly copy: VirtualMachine | undefined;
  readonly nowMs: number;
}

export interface ClonePlan {
  readonly phase: string;
  readonly reason: string;
  readonly fields?: Partial<VirtualMachineCloneStatus>;
  readonly createSnapshot?: VirtualMachineSnapshot;
  readonly createRestore?: VirtualMachineRestore;
}

export const isCloneOver = ({ status }: VirtualMachineClone): boolean =>
  ['Succeeded', 'Failed'].includes(status?.phase ?? '');

/** Name of the snapshot that a clone is made from. */
export function snapshotNameOf(clone: VirtualMachineClone): string {
  const { kind, name } = clone.spec.source;
  return kind === 'VirtualMachine' ? (helperSnapshot(clone).metadata?.name ?? '') : name;
}

export function planClone(observed: CloneObservation): ClonePlan {
  const { clone, snapshot, restore, content, copy } = observed;
  const { kind, name } = clone.spec.source;
  const isVm = kind === 'VirtualMachine';
  const problem = isVm ? sourceProblem(observed) : undefined;
  if (problem !== undefined) return problem;
  const snapshotName = snapshotNameOf(clone);
  if (snapshot === undefined && !isVm)
    return { phase: '', reason: `VirtualMachineSnapshot ${snapshotName} does not exist` };
  if (snapshot?.status?.phase === 'Failed')
    return {
      phase: 'Failed',
      reason: `snapshot ${snapshotName} failed: ${snapshot.status.error?.message ?? ''}`,
    };
  const isTaken =
    snapshot?.status?.readyToUse === true && snapshot.status.virtualMachineSnapshotContentName !== undefined;
  if (!isTaken)
    return {
      phase: 'SnapshotInProgress',
      reason: `snapshot ${snapshotName} is being taken`,
      fields: { snapshotName },
      ...(snapshot === undefined ? { createSnapshot: helperSnapshot(clone) } : {}),
    };
  const vm = content?.spec.source.virtualMachine;
  if (vm === undefined)
    return { phase: 'Failed', reason: `snapshot ${snapshotName} holds no VirtualMachine` };
  const cold = clone.spec.warm === true ? warmProblem(clone, vm.spec, content?.spec.memoryBackup) : undefined;
  if (cold !== undefined) return { phase: 'Failed', reason: cold };
  const hasMemory = (content?.spec.memoryBackup ?? undefined) !== undefined;
  const desired = helperRestore(clone, snapshotName, vm, hasMemory);
  const restoreName = desired.metadata?.name ?? '';
  const fields = { snapshotName, restoreName };
  const failure = restore?.status?.conditions?.find((c) => c.type === 'Failure' && c.status === 'True');
  if (failure !== undefined)
    return { phase: 'Failed', reason: `restore ${restoreName} failed: ${failure.reason ?? ''}` };
  if (restore?.status?.complete !== true)
    return {
      phase: 'RestoreInProgress',
      reason: `restore ${restoreName} is in progress`,
      fields,
      ...(restore === undefined ? { createRestore: desired } : {}),
    };
  const target = targetName(clone, vm.metadata?.name ?? '');
  if (copy === undefined) return { phase: 'CreatingTargetVM', reason: `waiting for ${target}`, fields };
  return { phase: 'Succeeded', reason: `${target} is a copy of ${name}`, fields: { targetName: target } };
}

/** Why there can be no warm copy, or none that is told from the others. */
export function warmProblem(
  { spec }: VirtualMachineClone,
  vm: VMSpec | undefined,
  memory: MemoryBackup | undefined,
): string | undefined {
  if (memory === undefined)
    return `spec.warm: snapshot ${spec.source.name} holds no memory; take one with includeMemory`;
  if (spec.identityless === true) return undefined;
  if (memory.hasGuestAgent !== true)
    return 'spec.warm: the guest had no agent through which a copy gets an identity of its own; with spec.identityless it keeps that of the guest';
  const shared = vm?.template.spec?.domain.devices.interfaces?.find(
    ({ masquerade }) => masquerade === undefined,
  );
  return shared === undefined
    ? undefined
    : `spec.warm: interface ${shared.name} shows the address that the guest has in its memory to others (only masquerade does not); with spec.identityless it does so all the same`;
}

function sourceProblem({ clone, source }: CloneObservation): ClonePlan | undefined {
  const { name } = clone.spec.source;
  if (source === undefined) return { phase: '', reason: `VirtualMachine ${name} does not exist` };
  const { devices, firmware } = source.spec.template?.spec?.domain ?? {};
  const keepsState = devices?.tpm?.persistent === true || firmware?.bootloader?.efi?.persistent === true;
  if (!keepsState) return undefined;
  return {
    phase: 'Failed',
    reason: `SourceVMWithBackendStorageInvalid: ${name} has a persistent TPM or EFI variables, which cannot be copied`,
  };
}

export function cloneStatus(
  old: VirtualMachineCloneStatus,
  { phase, reason, fields }: ClonePlan,
  nowMs: number,
): VirtualMachineCloneStatus {
  const isDone = phase === 'Succeeded';
  const isOver = isDone || phase === 'Failed';
  const conditions = setCondition(
    setCondition(
      old.conditions ?? [],
      { type: 'Progressing', status: isOver ? 'False' : 'True', reason },
      nowMs,
    ),
    { type: 'Ready', status: isDone ? 'True' : 'False', reason },
    nowMs,
  );
  const { snapshotName: _snapshot, restoreName: _restore, ...rest } = old;
  return {
    ...(isDone ? rest : old),
    ...fields,
    ...(phase === '' ? {} : { phase }),
    conditions,
    ...(isDone ? { creationTime: rfc3339(nowMs) } : {}),
  };
}
