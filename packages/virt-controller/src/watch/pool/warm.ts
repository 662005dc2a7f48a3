/**
 * A pool of warm copies: each machine is a clone of the pool's snapshot that goes on from its memory. The clone has the
 * name of its machine; when the copy is there, the pool takes it and the clone goes. A copy is never changed: one of
 * another snapshot is replaced. Pure.
 */
import {
  labels as labelKeys,
  type VirtualMachine,
  type VirtualMachineClone,
  type VirtualMachinePool,
} from '@podvisor/api';
import { isCloneOver } from '../clone/reconcile.ts';
import { controllerOf, controllerReference, isControlledBy, ownerKinds, withOwner } from '../ownership.ts';
import { POOL_API_VERSION, poolRevisionName } from './member.ts';

/** What is done about the clones of a pool. */
export interface WarmPlan {
  /** Machines that are there, and are not the pool's yet or do not say of which revision they are. */
  readonly take: readonly VirtualMachine[];
  /** Clones that are over, or of an older pool and failed. */
  readonly drop: readonly VirtualMachineClone[];
  /** Machines that come. */
  readonly coming: readonly string[];
  /** Why copies cannot be made; no more are tried until the pool is changed. */
  readonly failure?: string;
}

export function isWarm({ spec }: VirtualMachinePool): boolean {
  return spec.warm === true && spec.source !== undefined;
}

export function copyOf(pool: VirtualMachinePool, index: number): VirtualMachineClone {
  const { identityless, source } = pool.spec;
  const name = `${pool.metadata?.name}-${index}`;
  return {
    apiVersion: 'clone.kubevirt.io/v1beta1',
    kind: 'VirtualMachineClone',
    metadata: {
      name,
      namespace: pool.metadata?.namespace,
      labels: { [labelKeys.poolRevisionName]: poolRevisionName(pool) },
      ownerReferences: [controllerReference(pool, POOL_API_VERSION, 'VirtualMachinePool')],
    },
    spec: {
      source: source ?? { kind: '', name: '' },
      target: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name },
      warm: true,
      ...(identityless === true ? { identityless } : {}),
    },
  };
}

/** `copies`: the pool's own clones. `vm`: a machine of the namespace by name, whoever owns it. */
export function planWarm(
  pool: VirtualMachinePool,
  copies: readonly VirtualMachineClone[],
  active: readonly VirtualMachine[],
  vm: (name: string) => VirtualMachine | undefined,
): WarmPlan {
  const members = new Set(active.map(({ metadata }) => metadata?.name));
  const phase = ({ status }: VirtualMachineClone): string => status?.phase ?? '';
  const nameOf = ({ metadata }: VirtualMachineClone): string => metadata?.name ?? '';
  const isCurrent = ({ metadata }: VirtualMachineClone): boolean =>
    metadata?.labels?.[labelKeys.poolRevisionName] === poolRevisionName(pool);
  const made = copies.filter((copy) => phase(copy) === 'Succeeded');
  const failed = copies.filter((copy) => phase(copy) === 'Failed');
  const stuck = failed.find(isCurrent);
  const take = made.flatMap((copy) => {
    const machine = vm(nameOf(copy));
    return machine !== undefined && isToTake(pool, machine) ? [machine] : [];
  });
  const taken = new Set(take.map(({ metadata }) => metadata?.name));
  return {
    take,
    drop: [
      ...made.filter((copy) => !taken.has(nameOf(copy))),
      ...failed.filter((copy) => !isCurrent(copy)),
    ].filter(({ metadata }) => metadata?.deletionTimestamp === undefined),
    coming: copies
      .filter((copy) => !isCloneOver(copy))
      .map(nameOf)
      .filter((name) => !members.has(name)),
    ...(stuck === undefined ? {} : { failure: reasonOf(stuck) }),
  };
}

/** Nobody's; or the pool's, which found it by its labels before its clone was over. */
function isToTake(pool: VirtualMachinePool, machine: VirtualMachine): boolean {
  const { deletionTimestamp, labels } = machine.metadata ?? {};
  if (deletionTimestamp !== undefined) return false;
  if (controllerOf(machine) === undefined) return true;
  return isControlledBy(machine, pool, ownerKinds.pool) && labels?.[labelKeys.poolRevisionName] === undefined;
}

function reasonOf({ metadata, status }: VirtualMachineClone): string {
  const why = status?.conditions?.find(({ type }) => type === 'Ready')?.reason ?? 'it failed';
  return `virtualmachineclone ${metadata?.name}: ${why}`;
}

/** The machine as the pool's: labels and annotations of the template, the revision, the owner. For a merge patch. */
export function takenMetadata(pool: VirtualMachinePool, machine: VirtualMachine): object {
  const { metadata } = machine;
  const { metadata: template } = pool.spec.virtualMachineTemplate;
  return {
    uid: metadata?.uid,
    resourceVersion: metadata?.resourceVersion,
    labels: { ...template?.labels, [labelKeys.poolRevisionName]: poolRevisionName(pool) },
    annotations: template?.annotations ?? {},
    ownerReferences: withOwner(machine, controllerReference(pool, POOL_API_VERSION, 'VirtualMachinePool')),
  };
}
