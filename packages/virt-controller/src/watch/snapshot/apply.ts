/** Carries out the actions of a snapshot. Each may be repeated: a pass that was cut short is planned anew. */
import { finalizers, type VirtualMachine, type VirtualMachineSnapshot } from '@podvisor/api';
import { assertNever, deepEqual, isStatus } from '@podvisor/base';
import { guardedChange, type KubeClient, patchGuarded, resources } from '@podvisor/kube';
import { vmSnapshotContents, vmSnapshots } from '../../resources.ts';
import type { Recorder } from '../recorder.ts';
import { setFinalizer } from './finalizers.ts';
import type { GuestFreezer } from './guest-freezer.ts';
import type { SnapshotAction } from './plan.ts';

export interface SnapshotApplyContext {
  readonly client: Pick<KubeClient, 'find' | 'create' | 'patch' | 'updateStatus' | 'delete'>;
  readonly recorder: Recorder;
  readonly freezer: GuestFreezer;
}

export async function applySnapshotAction(
  snapshot: VirtualMachineSnapshot,
  action: SnapshotAction,
  context: SnapshotApplyContext,
  signal: AbortSignal,
): Promise<void> {
  const { client, recorder, freezer } = context;
  const { namespace, name: own = '' } = snapshot.metadata ?? {};
  switch (action.kind) {
    case 'addFinalizer':
    case 'removeFinalizer': {
      const isWanted = action.kind === 'addFinalizer';
      return setFinalizer(client, vmSnapshots, snapshot, finalizers.snapshot, isWanted, signal);
    }
    case 'status': {
      // The finalizer may have made our copy old.
      const now = (await client.find(vmSnapshots, { namespace, name: own }, signal)) ?? snapshot;
      if (!deepEqual(action.status, now.status ?? {}))
        await client.updateStatus(vmSnapshots, { ...now, status: action.status }, {}, signal);
      return;
    }
    case 'lock':
      await setFinalizer(
        client,
        resources.virtualMachines,
        action.vm,
        finalizers.snapshotSource,
        true,
        signal,
      );
      return writeLock(action.vm, own, client, signal);
    case 'unlock':
      await writeLock(action.vm, undefined, client, signal);
      return setFinalizer(
        client,
        resources.virtualMachines,
        action.vm,
        finalizers.snapshotSource,
        false,
        signal,
      );
    case 'createContent':
      return made(client.create(vmSnapshotContents, action.content, {}, signal)).then(() => undefined);
    case 'deleteContent':
      return client.delete(vmSnapshotContents, { namespace, name: action.name }, {}, signal);
    case 'contentStatus':
      await client.updateStatus(vmSnapshotContents, { ...action.content, status: action.status }, {}, signal);
      return;
    case 'freeze':
      return freezer.freeze(action.vmi, action.thawAfterMs, signal);
    case 'thaw':
      return freezer.unfreeze(action.vmi, signal).catch((error: unknown) => {
        if (!action.mayFail) throw error;
      });
    case 'createVolumeSnapshot':
      if (await made(client.create(resources.volumeSnapshots, action.object, {}, signal)))
        recorder.event(
          snapshot,
          'Normal',
          'SuccessfulVolumeSnapshotCreate',
          `Created VolumeSnapshot ${action.object.metadata.name}`,
        );
      return;
    case 'createClaim':
      return made(client.create(resources.persistentVolumeClaims, action.claim, {}, signal)).then(
        () => undefined,
      );
    case 'patchVmi': {
      const key = { namespace, name: action.vmi.metadata?.name ?? '' };
      await patchGuarded(client, resources.virtualMachineInstances, key, action.patch, signal);
      return;
    }
    case 'memoryEvent':
      return recorder.event(snapshot, 'Normal', 'MemorySaved', action.message);
    case 'failedEvent':
      return recorder.event(snapshot, 'Warning', 'SnapshotFailed', action.message);
    default:
      return assertNever(action);
  }
}

/** Holds only while the lock is as it was seen. */
async function writeLock(
  { metadata, status }: VirtualMachine,
  holder: string | undefined,
  client: SnapshotApplyContext['client'],
  signal: AbortSignal,
): Promise<void> {
  const { namespace, name = '' } = metadata ?? {};
  const patch =
    status === undefined
      ? guardedChange('/status', undefined, { snapshotInProgress: holder })
      : guardedChange('/status/snapshotInProgress', status.snapshotInProgress, holder);
  await patchGuarded(client, resources.virtualMachines, { namespace, name }, patch, signal, 'status');
}

/** False when it was there already. */
async function made(creation: Promise<unknown>): Promise<boolean> {
  try {
    await creation;
    return true;
  } catch (error) {
    if (isStatus(error, 'AlreadyExists')) return false;
    throw error;
  }
}
