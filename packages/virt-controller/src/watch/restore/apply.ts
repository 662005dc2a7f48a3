/** Carries out the actions of a restore. Each may be repeated: a pass that was cut short is planned anew. */
import type { VirtualMachine, VirtualMachineRestore, VolumeRestore } from '@podvisor/api';
import { assertNever, messageOf } from '@podvisor/base';
import { guardedChange, type KubeClient, patchGuarded, resources, ignoreAlreadyExists } from '@podvisor/kube';
import { vmRestores } from '../../resources.ts';
import type { Recorder } from '../recorder.ts';
import { controllerReference, isOwnedBy, ownerKinds, saidOwners } from '../ownership.ts';
import type { RestoreAction } from './observation.ts';

export interface RestoreApplyContext {
  readonly client: Pick<KubeClient, 'find' | 'create' | 'update' | 'patch' | 'updateStatus' | 'delete'>;
  readonly recorder: Recorder;
}

type Client = RestoreApplyContext['client'];

export async function applyRestoreAction(
  restore: VirtualMachineRestore,
  action: RestoreAction,
  { client, recorder }: RestoreApplyContext,
  signal: AbortSignal,
): Promise<unknown> {
  const { namespace, name: own = '' } = restore.metadata ?? {};
  const noteStatus = async (status: object): Promise<void> => {
    const patch = { type: 'merge', subresource: 'status', body: { status } } as const;
    await client.patch(vmRestores, { namespace, name: own }, patch, signal);
  };
  switch (action.kind) {
    case 'lock':
      return writeLock(action.target, own, client, signal);
    case 'unlock':
      return writeLock(action.target, undefined, client, signal);
    case 'stop': {
      const { metadata, spec } = action.target;
      const body = { spec: spec.runStrategy === undefined ? { running: false } : { runStrategy: 'Halted' } };
      const key = { namespace, name: metadata?.name ?? '' };
      await client.patch(resources.virtualMachines, key, { type: 'merge', body }, signal);
      return;
    }
    case 'note':
      return noteStatus({ complete: false, restores: action.restores });
    case 'noteObsolete':
      return noteStatus({ deletedDataVolumes: action.names });
    case 'deleteClaim':
      return client.delete(resources.persistentVolumeClaims, { namespace, name: action.name }, {}, signal);
    case 'createClaim':
      return ignoreAlreadyExists(client.create(resources.persistentVolumeClaims, action.claim, {}, signal));
    case 'createDataVolume':
      return ignoreAlreadyExists(client.create(resources.dataVolumes, action.dataVolume, {}, signal)).catch(
        (error: unknown) => {
          recorder.event(restore, 'Warning', 'RestoreDataVolumeCreateError', messageOf(error));
          throw error;
        },
      );
    case 'writeVm':
      return action.isNew
        ? ignoreAlreadyExists(client.create(resources.virtualMachines, action.vm, {}, signal))
        : client.update(resources.virtualMachines, action.vm, {}, signal).then(() => undefined);
    case 'own':
      return takeOwnership(action.vm, action.restores, client, signal);
    case 'deleteObsolete':
      return deleteObsolete(action.vm, action.names, client, signal);
    case 'remember': {
      const { metadata, status } = action.vm;
      const key = { namespace, name: metadata?.name ?? '' };
      const patch =
        status === undefined
          ? guardedChange('/status', undefined, { hibernation: action.hibernation })
          : guardedChange('/status/hibernation', status.hibernation, action.hibernation);
      await patchGuarded(client, resources.virtualMachines, key, patch, signal, 'status');
      return;
    }
    case 'noteMemory':
      return noteStatus({ memoryPrepared: true });
    case 'run': {
      const key = { namespace, name: action.vm.metadata?.name ?? '' };
      const patch = { type: 'merge', body: { spec: action.spec } } as const;
      await client.patch(resources.virtualMachines, key, patch, signal);
      if (action.spec.runStrategy === 'Manual') await askToStart(action.vm, client, signal);
      return;
    }
    case 'notReadyEvent':
      return recorder.event(restore, 'Warning', 'RestoreTargetNotReady', action.reason);
    default:
      return assertNever(action);
  }
}

/** Holds only while the lock is as it was seen. */
async function writeLock(
  { metadata, status }: VirtualMachine,
  holder: string | undefined,
  client: Client,
  signal: AbortSignal,
): Promise<void> {
  const { namespace, name = '' } = metadata ?? {};
  const patch =
    status === undefined
      ? guardedChange('/status', undefined, { restoreInProgress: holder })
      : guardedChange('/status/restoreInProgress', status.restoreInProgress, holder);
  await patchGuarded(client, resources.virtualMachines, { namespace, name }, patch, signal, 'status');
}

async function takeOwnership(
  vm: VirtualMachine,
  restores: readonly VolumeRestore[],
  client: Client,
  signal: AbortSignal,
): Promise<void> {
  const namespace = vm.metadata?.namespace;
  for (const { persistentVolumeClaim: name, dataVolumeName } of restores) {
    const claim = await client.find(resources.persistentVolumeClaims, { namespace, name }, signal);
    if (claim === undefined || saidOwners(claim).length > 0) continue;
    const body = {
      metadata: { ownerReferences: [controllerReference(vm, 'kubevirt.io/v1', 'VirtualMachine')] },
    };
    const patch = { type: 'merge', body } as const;
    await client.patch(resources.persistentVolumeClaims, { namespace, name }, patch, signal);
    if (dataVolumeName === undefined) continue;
    const made = await client.find(resources.dataVolumes, { namespace, name: dataVolumeName }, signal);
    if (made !== undefined && saidOwners(made).length === 0)
      await client.patch(resources.dataVolumes, { namespace, name: dataVolumeName }, patch, signal);
  }
}

/** DataVolumes that the VM made from templates which it has no more go, as they would go with the VM. */
async function deleteObsolete(
  vm: VirtualMachine,
  names: readonly string[],
  client: Client,
  signal: AbortSignal,
): Promise<void> {
  const namespace = vm.metadata?.namespace;
  for (const name of names) {
    const found = await client.find(resources.dataVolumes, { namespace, name }, signal);
    if (found !== undefined && isOwnedBy(found, vm, ownerKinds.vm))
      await client.delete(resources.dataVolumes, { namespace, name }, {}, signal);
  }
}

/** As `virtctl start` does: a VM that is started by hand only. */
async function askToStart(
  { metadata, status }: VirtualMachine,
  client: Client,
  signal: AbortSignal,
): Promise<void> {
  const key = { namespace: metadata?.namespace, name: metadata?.name ?? '' };
  const old = status?.stateChangeRequests;
  const patch = guardedChange('/status/stateChangeRequests', old, [{ action: 'Start' }]);
  await patchGuarded(client, resources.virtualMachines, key, patch, signal, 'status');
}
