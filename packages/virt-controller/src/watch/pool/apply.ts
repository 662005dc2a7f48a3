/** Carries out what the pool controller decided. Every step that fails leaves an event and a reason. */
import {
  labels as labelKeys,
  type VirtualMachine,
  type VirtualMachineClone,
  type VirtualMachineInstance,
  type VirtualMachinePool,
} from '@podvisor/api';
import { isStatus, messageOf } from '@podvisor/base';
import {
  type Expectations,
  type KubeClient,
  resources,
  patchGuarded,
  guardedChange,
  type Resource,
} from '@podvisor/kube';
import { vmClones } from '../../resources.ts';
import type { Recorder } from '../recorder.ts';
import type { ReplicaState } from '../replicas/conditions.ts';
import { replicaEvents } from '../replicas/events.ts';
import { isOwnedBy, ownerKinds, withoutOwner } from '../ownership.ts';
import { setOwners, withManager } from '../replicas/owner-patch.ts';
import {
  buildMember,
  indexOf,
  memberSpec,
  POOL_API_VERSION,
  poolRevisionName,
  withRevision,
} from './member.ts';
import type { Deletion, PoolPlan } from './reconcile.ts';
import { buildPoolRevision } from './revision.ts';
import { copyOf, isWarm, takenMetadata } from './warm.ts';

export interface PoolApplyContext {
  readonly client: Pick<KubeClient, 'find' | 'create' | 'update' | 'updateStatus' | 'patch' | 'delete'>;
  readonly recorder: Recorder;
  /** By the pool's UID. */
  readonly expectations: Expectations;
}

type Failure = NonNullable<ReplicaState['failure']>;
/** What went wrong, for the status and for the next try. */
export interface PoolFailure {
  readonly told: Failure;
  readonly error: unknown;
}

export async function applyPoolPlan(
  pool: VirtualMachinePool,
  plan: PoolPlan,
  context: PoolApplyContext,
  signal: AbortSignal,
): Promise<PoolFailure | undefined> {
  const { client } = context;
  for (const vm of plan.adopt) {
    const owners = withManager(vm, pool, POOL_API_VERSION, 'VirtualMachinePool');
    await setOwners(client, resources.virtualMachines, vm, owners, signal);
  }
  for (const vm of plan.release) {
    await setOwners(client, resources.virtualMachines, vm, withoutOwner(vm, pool), signal);
  }
  for (const vm of plan.take) {
    const key = { namespace: vm.metadata?.namespace, name: vm.metadata?.name ?? '' };
    const body = { metadata: takenMetadata(pool, vm) };
    await client.patch(resources.virtualMachines, key, { type: 'merge', body }, signal);
    context.recorder.event(pool, ...replicaEvents.vmCreated(key.name));
  }
  for (const clone of plan.drop) await drop(pool, clone, context, signal);
  if (plan.create.length > 0 || plan.update.length > 0) await ensureRevision(pool, context, signal);
  const work: readonly (readonly [Failure['reason'], readonly Promise<void>[]])[] = [
    [
      'FailedCreate',
      plan.create.map((index) => (isWarm(pool) ? copy : create)(pool, index, context, signal)),
    ],
    ['FailedDelete', plan.delete.map((deletion) => remove(pool, deletion, context, signal))],
    ['FailedUpdate', plan.update.map((vm) => update(pool, vm, context, signal))],
    ['FailedDelete', plan.restart.map((vmi) => restart(pool, vmi, context, signal))],
    ['FailedUpdate', plan.relabel.map((one) => relabel(one, context, signal))],
  ];
  for (const [reason, promises] of work) {
    const failed = (await Promise.allSettled(promises)).find((result) => result.status === 'rejected');
    if (failed) return { told: { reason, message: messageOf(failed.reason) }, error: failed.reason };
  }
  return undefined;
}

async function ensureRevision(
  pool: VirtualMachinePool,
  { client }: PoolApplyContext,
  signal: AbortSignal,
): Promise<void> {
  try {
    await client.create(resources.controllerRevisions, buildPoolRevision(pool), {}, signal);
  } catch (error) {
    if (!isStatus(error, 'AlreadyExists')) throw error;
  }
}

async function create(
  pool: VirtualMachinePool,
  index: number,
  { client, expectations, recorder }: PoolApplyContext,
  signal: AbortSignal,
): Promise<void> {
  const uid = pool.metadata?.uid ?? '';
  expectations.expectCreations(uid, 1);
  try {
    const vm = await client.create(resources.virtualMachines, buildMember(pool, index), {}, signal);
    recorder.event(pool, ...replicaEvents.vmCreated(vm.metadata?.name ?? ''));
  } catch (error) {
    expectations.creationObserved(uid);
    recorder.event(pool, ...replicaEvents.vmCreateFailed(messageOf(error)));
    throw error;
  }
}

/** The machine comes later, by its clone; until then the clone has its name. */
async function copy(
  pool: VirtualMachinePool,
  index: number,
  { client, expectations, recorder }: PoolApplyContext,
  signal: AbortSignal,
): Promise<void> {
  const uid = pool.metadata?.uid ?? '';
  expectations.expectCreations(uid, 1);
  try {
    await client.create(vmClones, copyOf(pool, index), {}, signal);
  } catch (error) {
    expectations.creationObserved(uid);
    if (isStatus(error, 'AlreadyExists')) return; // the next pass sees whose it is
    recorder.event(pool, ...replicaEvents.vmCreateFailed(messageOf(error)));
    throw error;
  }
}

/** A clone that nobody needs any more. */
async function drop(
  pool: VirtualMachinePool,
  { metadata }: VirtualMachineClone,
  { client, expectations }: PoolApplyContext,
  signal: AbortSignal,
): Promise<void> {
  const owner = pool.metadata?.uid ?? '';
  const { namespace, name = '', uid = '' } = metadata ?? {};
  expectations.expectDeletions(owner, [uid]);
  try {
    await client.delete(vmClones, { namespace, name }, { preconditions: { uid } }, signal);
  } catch (error) {
    expectations.deletionObserved(owner, uid);
    if (!isStatus(error, 'NotFound') && !isStatus(error, 'Conflict')) throw error;
  }
}

async function remove(
  pool: VirtualMachinePool,
  { keepState, vm, why }: Deletion,
  { client, expectations, recorder }: PoolApplyContext,
  signal: AbortSignal,
): Promise<void> {
  const owner = pool.metadata?.uid ?? '';
  const { namespace, name = '', uid = '' } = vm.metadata ?? {};
  expectations.expectDeletions(owner, [uid]);
  try {
    if (keepState) await releaseDisks(vm, client, signal);
    await client.delete(resources.virtualMachines, { namespace, name }, { preconditions: { uid } }, signal);
    recorder.event(pool, ...replicaEvents.vmDeleted(name, why));
  } catch (error) {
    expectations.deletionObserved(owner, uid);
    if (isStatus(error, 'NotFound')) return;
    recorder.event(pool, ...replicaEvents.vmDeleteFailed(name, messageOf(error)));
    throw error;
  }
}

/** Disks that the machine does not own any more outlive it, under the names that the next one will look for. */
async function releaseDisks(
  vm: VirtualMachine,
  client: PoolApplyContext['client'],
  signal: AbortSignal,
): Promise<void> {
  for (const { metadata } of vm.spec.dataVolumeTemplates ?? []) {
    const key = { namespace: vm.metadata?.namespace, name: metadata?.name ?? '' };
    const disks: readonly Resource[] = [resources.dataVolumes, resources.persistentVolumeClaims];
    for (const resource of disks) {
      const disk = await client.find(resource, key, signal);
      if (disk === undefined || !isOwnedBy(disk, vm, ownerKinds.vm)) continue;
      await setOwners(client, resource, disk, withoutOwner(disk, vm), signal);
    }
  }
}

/** The machine gets the current template; what was frozen into it when it was made stays. */
async function update(
  pool: VirtualMachinePool,
  vm: VirtualMachine,
  { client, recorder }: PoolApplyContext,
  signal: AbortSignal,
): Promise<void> {
  const { metadata } = pool.spec.virtualMachineTemplate;
  const revision = poolRevisionName(pool);
  const spec = withRevision(memberSpec(pool.spec, indexOf(vm) ?? 0), revision);
  const next: VirtualMachine = {
    ...vm,
    metadata: {
      ...vm.metadata,
      labels: { ...vm.metadata?.labels, ...metadata?.labels, [labelKeys.poolRevisionName]: revision },
      annotations: { ...vm.metadata?.annotations, ...metadata?.annotations },
    },
    spec: keepIdentity(spec, vm),
  };
  const name = vm.metadata?.name ?? '';
  try {
    await client.update(resources.virtualMachines, next, {}, signal);
    recorder.event(pool, ...replicaEvents.vmUpdated(name));
  } catch (error) {
    // Somebody else was faster: the next pass sees the newer machine.
    if (!isStatus(error, 'Conflict'))
      recorder.event(pool, ...replicaEvents.vmUpdateFailed(name, messageOf(error)));
    throw error;
  }
}

/** Run state, firmware identity, machine type and PCI layout belong to the machine, unless the template names them. */
function keepIdentity(spec: VirtualMachine['spec'], { spec: old }: VirtualMachine): VirtualMachine['spec'] {
  const [next, before] = [spec.template.spec, old.template.spec];
  if (next === undefined || before === undefined) return spec;
  return {
    ...spec,
    template: {
      ...spec.template,
      metadata: {
        ...spec.template.metadata,
        annotations: { ...old.template.metadata?.annotations, ...spec.template.metadata?.annotations },
      },
      spec: {
        ...next,
        architecture: next.architecture ?? before.architecture,
        domain: {
          ...next.domain,
          machine: { ...before.domain.machine, ...next.domain.machine },
          firmware: {
            ...next.domain.firmware,
            uuid: next.domain.firmware?.uuid ?? before.domain.firmware?.uuid,
            serial: next.domain.firmware?.serial ?? before.domain.firmware?.serial,
          },
        },
      },
    },
  };
}

async function restart(
  pool: VirtualMachinePool,
  { metadata }: VirtualMachineInstance,
  { client, recorder }: PoolApplyContext,
  signal: AbortSignal,
): Promise<void> {
  const { namespace, name = '', uid = '' } = metadata ?? {};
  try {
    const preconditions = { uid };
    await client.delete(resources.virtualMachineInstances, { namespace, name }, { preconditions }, signal);
    recorder.event(pool, ...replicaEvents.restarted(name));
  } catch (error) {
    if (!isStatus(error, 'NotFound')) throw error;
  }
}

async function relabel(
  { revision, vmi }: PoolPlan['relabel'][number],
  { client }: PoolApplyContext,
  signal: AbortSignal,
): Promise<void> {
  const { labels, namespace, name = '' } = vmi.metadata ?? {};
  const value = { ...labels, [labelKeys.poolRevisionName]: revision };
  const body = guardedChange('/metadata/labels', labels, value);
  await patchGuarded(client, resources.virtualMachineInstances, { namespace, name }, body, signal);
}
