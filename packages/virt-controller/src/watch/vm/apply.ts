/** Carries out the VM controller's actions. Every step that can fail leaves an event and a reason. */
import { annotations, finalizers, type VirtualMachine, type VirtualMachineInstance } from '@podvisor/api';
import { assertNever, isStatus, messageOf } from '@podvisor/base';
import {
  type Expectations,
  type KubeClient,
  resources,
  patchGuarded,
  ignoreAlreadyExists,
  ignoreNotFound,
} from '@podvisor/kube';
import { judgeClone } from './volumes/clone-authorization.ts';
import { VM_UID_LABEL } from '../names.ts';
import { isControlledBy, ownerKinds } from '../ownership.ts';
import type { Recorder } from '../recorder.ts';
import { vmEvents } from './events.ts';
import { GUEST_CONTAINER } from './place-to-grow.ts';
import type { SyncProblem } from './conditions.ts';
import type { VmAction } from './plan.ts';
import type { VmOutcome } from './status.ts';

export type VmClient = Pick<KubeClient, 'find' | 'list' | 'create' | 'patch' | 'updateStatus' | 'delete'>;

export interface VmApplyContext {
  readonly client: VmClient;
  readonly recorder: Recorder;
  /** By the VM's UID. */
  readonly expectations: Expectations;
  /** The VM itself was changed, and is this now. */
  wrote(after: VirtualMachine): void;
}

/** Runs the actions in order; the first that fails ends the pass. */
export async function applyVmActions(
  vm: VirtualMachine,
  actions: readonly VmAction[],
  context: VmApplyContext,
  signal: AbortSignal,
): Promise<VmOutcome & { readonly error?: unknown }> {
  let outcome: VmOutcome = { started: false, stopped: false };
  for (const action of actions) {
    try {
      await applyOne(vm, action, context, signal);
    } catch (error) {
      return { ...outcome, problem: problemOf(action, error), error };
    }
    if (action.kind === 'start') outcome = { ...outcome, started: true };
    if (action.kind === 'stop') outcome = { ...outcome, stopped: true };
  }
  return outcome;
}

async function applyOne(
  vm: VirtualMachine,
  action: VmAction,
  context: VmApplyContext,
  signal: AbortSignal,
): Promise<void> {
  const { client } = context;
  const key = { namespace: vm.metadata?.namespace, name: vm.metadata?.name ?? '' };
  switch (action.kind) {
    case 'addFinalizer':
    case 'removeFinalizer': {
      const body = finalizerPatch(vm, action.kind === 'addFinalizer');
      context.wrote(await client.patch(resources.virtualMachines, key, { type: 'merge', body }, signal));
      return;
    }
    case 'patchVm':
      context.wrote(await patchGuarded(client, resources.virtualMachines, key, action.patch, signal));
      return;
    case 'noteDump': {
      const body = { metadata: { annotations: { [annotations.memoryDump]: action.note } } };
      await ignoreNotFound(
        client.patch(
          resources.persistentVolumeClaims,
          { ...key, name: action.claim },
          { type: 'merge', body },
          signal,
        ),
      );
      return;
    }
    case 'resizePod':
      return resizePod(action, context, signal);
    case 'patchVmi':
      await patchGuarded(client, resources.virtualMachineInstances, key, action.patch, signal);
      return;
    case 'updateVolumes':
      await patchGuarded(client, resources.virtualMachineInstances, key, action.patch, signal);
      return;
    case 'stopMigration': {
      const { namespace, name = '', uid } = action.migration.metadata ?? {};
      const options = { preconditions: { uid } };
      await ignoreNotFound(
        client.delete(resources.virtualMachineInstanceMigrations, { namespace, name }, options, signal),
      );
      return;
    }
    case 'createDataVolume':
      return createDataVolume(vm, action, context, signal);
    case 'createClaim':
      await ignoreAlreadyExists(client.create(resources.persistentVolumeClaims, action.claim, {}, signal));
      return;
    case 'deleteClaim': {
      const { namespace, name = '', uid } = action.claim.metadata;
      const options = { preconditions: { uid } };
      await ignoreNotFound(
        client.delete(resources.persistentVolumeClaims, { namespace, name }, options, signal),
      );
      return;
    }
    case 'start':
      return start(vm, action, context, signal);
    case 'stop':
      return stop(vm, action.vmi, context, signal);
    default:
      return assertNever(action);
  }
}

/** A cluster older than 1.33 has no `resize`: there the guest gets what its VM says, and its Pod asks for less. */
async function resizePod(
  { pod, requests }: Extract<VmAction, { kind: 'resizePod' }>,
  { client }: VmApplyContext,
  signal: AbortSignal,
): Promise<void> {
  if (Object.keys(requests).length === 0) return;
  const key = { namespace: pod.metadata.namespace, name: pod.metadata.name ?? '' };
  const body = {
    metadata: { uid: pod.metadata.uid },
    spec: { containers: [{ name: GUEST_CONTAINER, resources: { requests } }] },
  };
  await client
    .patch(resources.pods, key, { type: 'strategic', body, subresource: 'resize' }, signal)
    .catch((error: unknown) => {
      if (!isStatus(error, 'NotFound') && !isStatus(error, 'MethodNotAllowed')) throw error;
    });
}

/** The resourceVersion makes the list of finalizers ours to replace. */
function finalizerPatch(vm: VirtualMachine, present: boolean): unknown {
  const others = (vm.metadata?.finalizers ?? []).filter((f) => f !== finalizers.vm);
  return {
    metadata: {
      resourceVersion: vm.metadata?.resourceVersion,
      finalizers: present ? [...others, finalizers.vm] : others,
    },
  };
}

async function start(
  vm: VirtualMachine,
  action: Extract<VmAction, { kind: 'start' }>,
  { client, recorder, expectations }: VmApplyContext,
  signal: AbortSignal,
): Promise<void> {
  const uid = vm.metadata?.uid ?? '';
  try {
    if (action.prune) await pruneRevisions(vm, action.revision.metadata?.name, client, signal);
    await ignoreAlreadyExists(client.create(resources.controllerRevisions, action.revision, {}, signal));
    expectations.expectCreations(uid, 1);
    await client.create(resources.virtualMachineInstances, action.vmi, {}, signal);
  } catch (error) {
    expectations.creationObserved(uid);
    // An earlier attempt got through although its answer did not: then there is nothing left to do.
    if (isStatus(error, 'AlreadyExists') && (await isOurs(vm, client, signal))) return;
    recorder.event(vm, ...vmEvents.startFailed(messageOf(error)));
    throw error;
  }
  recorder.event(vm, ...vmEvents.started(vm.metadata?.name ?? ''));
}

async function isOurs(vm: VirtualMachine, client: VmClient, signal: AbortSignal): Promise<boolean> {
  const key = { namespace: vm.metadata?.namespace, name: vm.metadata?.name ?? '' };
  const vmi = await client.find(resources.virtualMachineInstances, key, signal);
  return vmi !== undefined && isControlledBy(vmi, vm, ownerKinds.vm);
}

/** Only the revision of the current start is kept. */
async function pruneRevisions(
  vm: VirtualMachine,
  keep: string | undefined,
  client: VmClient,
  signal: AbortSignal,
): Promise<void> {
  const namespace = vm.metadata?.namespace;
  const labelSelector = `${VM_UID_LABEL}=${vm.metadata?.uid}`;
  const { items } = await client.list(resources.controllerRevisions, { namespace, labelSelector }, signal);
  for (const old of items.filter((r) => isControlledBy(r, vm, ownerKinds.vm) && r.metadata?.name !== keep)) {
    await ignoreNotFound(
      client.delete(resources.controllerRevisions, { namespace, name: old.metadata?.name ?? '' }, {}, signal),
    );
  }
}

async function stop(
  vm: VirtualMachine,
  vmi: VirtualMachineInstance,
  { client, recorder, expectations }: VmApplyContext,
  signal: AbortSignal,
): Promise<void> {
  const uid = vm.metadata?.uid ?? '';
  const vmiUid = vmi.metadata?.uid ?? '';
  const key = { namespace: vmi.metadata?.namespace, name: vmi.metadata?.name ?? '' };
  expectations.expectDeletions(uid, [vmiUid]);
  try {
    // The precondition keeps a stale cache from deleting the next VMI of the same name.
    const preconditions = { uid: vmiUid };
    await ignoreNotFound(client.delete(resources.virtualMachineInstances, key, { preconditions }, signal));
  } catch (error) {
    expectations.deletionObserved(uid, vmiUid);
    recorder.event(vm, ...vmEvents.stopFailed(key.name, messageOf(error)));
    throw error;
  }
  recorder.event(vm, ...vmEvents.stopped(vmiUid));
}

async function createDataVolume(
  vm: VirtualMachine,
  { dataVolume }: Extract<VmAction, { kind: 'createDataVolume' }>,
  { client, recorder }: VmApplyContext,
  signal: AbortSignal,
): Promise<void> {
  const name = dataVolume.metadata?.name ?? '';
  const judged = await judgeClone(vm, dataVolume, client, signal);
  if (judged.kind === 'refused') {
    recorder.event(vm, ...vmEvents.dataVolumeUnauthorized(`${vm.metadata?.namespace}/${name}`, judged.why));
    throw new Error(`DataVolume ${name} is not created: ${judged.why}`);
  }
  try {
    await ignoreAlreadyExists(client.create(resources.dataVolumes, judged.dataVolume, {}, signal));
  } catch (error) {
    recorder.event(vm, ...vmEvents.dataVolumeFailed(name, messageOf(error)));
    throw error;
  }
  recorder.event(vm, ...vmEvents.dataVolumeCreated(name));
}

const REASONS: Readonly<Record<VmAction['kind'], string>> = {
  addFinalizer: 'FailedUpdateError',
  removeFinalizer: 'FailedUpdateError',
  patchVm: 'FailedUpdateError',
  noteDump: 'FailedUpdateError',
  patchVmi: 'AffinityChangeError',
  resizePod: 'HotPlugResourcesError',
  updateVolumes: 'VolumesUpdateError',
  stopMigration: 'VolumesUpdateError',
  createClaim: 'FailedHibernation',
  deleteClaim: 'FailedHibernation',
  createDataVolume: 'FailedDataVolumeCreate',
  start: 'FailedCreate',
  stop: 'FailedDelete',
};

function problemOf(action: VmAction, error: unknown): SyncProblem | undefined {
  // A conflict only says that the cache was behind: the next pass has a newer one.
  if (isStatus(error, 'Conflict')) return undefined;
  return { reason: REASONS[action.kind], message: messageOf(error) };
}
