/**
 * Restores VMs from snapshots. Until every new claim is there, nothing of the VM has changed; the change of the VM is
 * one write, marked with the restore that made it, so that a pass that was cut short knows where it was.
 */
import type {
  PersistentVolumeClaim,
  VirtualMachine,
  VirtualMachineRestore,
  VirtualMachineRestoreStatus,
  VirtualMachineSnapshot,
  VirtualMachineSnapshotContent,
  VolumeRestore,
} from '@podvisor/api';
import { type Clock, deepEqual, isStatus, messageOf, rfc3339 } from '@podvisor/base';
import { type KubeClient, type ReconcileResult, resources } from '@podvisor/kube';
import { dataVolumes, vmRestores, vmSnapshotContents, vmSnapshots } from '../../resources.ts';
import { setCondition } from '../conditions.ts';
import type { Recorder } from '../recorder.ts';
import { createDataVolumes, deleteObsolete, noteObsolete } from './data-volumes.ts';
import { LAST_RESTORE, ownedBy, RESTORE_NAME, restoredClaim, restoredVm, volumeRestores } from './plan.ts';

export interface RestoreControllerOptions {
  readonly client: Pick<KubeClient, 'find' | 'create' | 'update' | 'patch' | 'updateStatus' | 'delete'>;
  readonly recorder: Recorder;
  readonly clock: Clock;
  restore(key: string): VirtualMachineRestore | undefined;
}

/** How long a running target may take to stop. */
const GRACE_MS = 5 * 60_000;

type Step =
  | { readonly kind: 'waits'; readonly reason: string; readonly requeueAfterMs?: number }
  | { readonly kind: 'failed'; readonly reason: string; readonly event: string }
  | { readonly kind: 'done' };

export class RestoreController {
  readonly #options: RestoreControllerOptions;

  constructor(options: RestoreControllerOptions) {
    this.#options = options;
  }

  async reconcile(key: string, signal: AbortSignal): Promise<ReconcileResult> {
    const { client, clock, recorder } = this.#options;
    const cached = this.#options.restore(key);
    if (cached === undefined) return;
    const { namespace, name = '' } = cached.metadata ?? {};
    const restore = await client.find(vmRestores, { namespace, name }, signal);
    if (restore === undefined || restore.status?.complete === true || hasFailed(restore)) return;
    if (restore.metadata?.deletionTimestamp !== undefined) return this.#unlock(restore, signal);
    const step = await this.#step(restore, signal).catch((error: unknown): Step => {
      if (signal.aborted || isStatus(error, 'Conflict')) throw error;
      recorder.event(restore, 'Warning', 'VirtualMachineRestoreError', messageOf(error));
      throw error;
    });
    const now = (await client.find(vmRestores, { namespace, name }, signal)) ?? restore;
    const status = statusAfter(now.status ?? {}, step, clock.now());
    if (!deepEqual(status, now.status ?? {}))
      await client.updateStatus(vmRestores, { ...now, status }, {}, signal);
    if (step.kind === 'done')
      recorder.event(
        now,
        'Normal',
        'VirtualMachineRestoreComplete',
        `Successfully completed VirtualMachineRestore ${name}`,
      );
    if (step.kind === 'failed') {
      recorder.event(now, 'Warning', step.event, step.reason);
      await this.#unlock(now, signal);
    }
    return step.kind === 'waits' && step.requeueAfterMs !== undefined
      ? { requeueAfterMs: step.requeueAfterMs }
      : undefined;
  }

  async #step(restore: VirtualMachineRestore, signal: AbortSignal): Promise<Step> {
    const { client } = this.#options;
    const namespace = restore.metadata?.namespace;
    const found = await this.#snapshotOf(restore, signal);
    if (found === undefined)
      return { kind: 'waits', reason: `Snapshot ${restore.spec.virtualMachineSnapshotName} is not ready` };
    const { content } = found;
    const targetKey = { namespace, name: restore.spec.target.name };
    let target = await client.find(resources.virtualMachines, targetKey, signal);
    const isChanged =
      target?.metadata?.annotations?.[LAST_RESTORE] === `${restore.metadata?.name}-${restore.metadata?.uid}`;
    if (target !== undefined && !isChanged) {
      const busy = await this.#stopped(restore, target, signal);
      if (busy !== undefined) return busy;
      target = await this.#lock(restore, target, signal);
    }
    const restores = volumeRestores(restore, content);
    await this.#note(restore, restores, signal);
    const waiting = isChanged ? undefined : await this.#claims(restore, content, restores, signal);
    if (waiting !== undefined) return waiting;
    // Before the VM names them: it would import them.
    await createDataVolumes(this.#options, restore, content, restores, signal);
    if (target !== undefined && !isChanged) await noteObsolete(client, restore, content, target, signal);
    const vm = isChanged ? target : await this.#writeVm(restore, content, restores, target, signal);
    if (vm === undefined) return { kind: 'waits', reason: 'Waiting for the new VirtualMachine' };
    if (restore.spec.volumeOwnershipPolicy !== 'None') await this.#own(vm, restores, signal);
    await deleteObsolete(client, restore, vm, signal);
    await this.#unlock(restore, signal);
    return { kind: 'done' };
  }

  async #snapshotOf(
    restore: VirtualMachineRestore,
    signal: AbortSignal,
  ): Promise<
    { readonly snapshot: VirtualMachineSnapshot; readonly content: VirtualMachineSnapshotContent } | undefined
  > {
    const { client } = this.#options;
    const namespace = restore.metadata?.namespace;
    const key = { namespace, name: restore.spec.virtualMachineSnapshotName };
    const snapshot = await client.find(vmSnapshots, key, signal);
    const name = snapshot?.status?.virtualMachineSnapshotContentName;
    if (snapshot?.status?.readyToUse !== true || name === undefined) return undefined;
    const content = await client.find(vmSnapshotContents, { namespace, name }, signal);
    return content === undefined ? undefined : { snapshot, content };
  }

  /** Undefined when the target's guest is off. */
  async #stopped(
    restore: VirtualMachineRestore,
    target: VirtualMachine,
    signal: AbortSignal,
  ): Promise<Step | undefined> {
    const { client, clock, recorder } = this.#options;
    const { namespace, name = '' } = target.metadata ?? {};
    const vmi = await client.find(resources.virtualMachineInstances, { namespace, name }, signal);
    if (vmi === undefined) return undefined;
    const reason = `The restore target ${name} is running; stop it`;
    switch (restore.spec.targetReadinessPolicy ?? 'WaitGracePeriod') {
      case 'FailImmediate':
        return { kind: 'failed', reason, event: 'RestoreTargetNotReady' };
      case 'StopTarget': {
        const [field, value] =
          target.spec.runStrategy === undefined ? ['running', false] : ['runStrategy', 'Halted'];
        await client.patch(
          resources.virtualMachines,
          { namespace, name },
          { type: 'merge', body: { spec: { [field as string]: value } } },
          signal,
        );
        return { kind: 'waits', reason: `Waiting for ${name} to stop` };
      }
      case 'WaitEventually':
        return { kind: 'waits', reason };
      default: {
        const leftMs = Date.parse(restore.metadata?.creationTimestamp ?? '') + GRACE_MS - clock.now();
        if (leftMs <= 0) return { kind: 'failed', reason, event: 'RestoreTargetNotReady' };
        if (restore.status?.conditions === undefined)
          recorder.event(restore, 'Warning', 'RestoreTargetNotReady', reason);
        return { kind: 'waits', reason, requeueAfterMs: leftMs };
      }
    }
  }

  /** The target as it is when it is ours. */
  async #lock(
    restore: VirtualMachineRestore,
    target: VirtualMachine,
    signal: AbortSignal,
  ): Promise<VirtualMachine> {
    const { client } = this.#options;
    const holder = target.status?.restoreInProgress;
    const own = restore.metadata?.name;
    if (holder === own) return target;
    if (holder !== undefined) throw new Error(`restore ${holder} of the same VirtualMachine is in progress`);
    const { namespace, name = '' } = target.metadata ?? {};
    const body = { status: { restoreInProgress: own } };
    return client.patch(
      resources.virtualMachines,
      { namespace, name },
      { type: 'merge', subresource: 'status', body },
      signal,
    );
  }

  async #unlock(restore: VirtualMachineRestore, signal: AbortSignal): Promise<void> {
    const { client } = this.#options;
    const key = { namespace: restore.metadata?.namespace, name: restore.spec.target.name };
    const vm = await client.find(resources.virtualMachines, key, signal);
    if (vm === undefined || vm.status?.restoreInProgress !== restore.metadata?.name) return;
    const body = { status: { restoreInProgress: null } };
    const patch = { type: 'merge', subresource: 'status', body } as const;
    await client.patch(resources.virtualMachines, key, patch, signal);
  }

  async #note(
    restore: VirtualMachineRestore,
    restores: readonly VolumeRestore[],
    signal: AbortSignal,
  ): Promise<void> {
    if (deepEqual(restore.status?.restores ?? [], restores)) return;
    const { namespace, name = '' } = restore.metadata ?? {};
    const body = { status: { complete: false, restores } };
    const patch = { type: 'merge', subresource: 'status', body } as const;
    await this.#options.client.patch(vmRestores, { namespace, name }, patch, signal);
  }

  /** Makes the claims; undefined when all of them can be used. */
  async #claims(
    restore: VirtualMachineRestore,
    content: VirtualMachineSnapshotContent,
    restores: readonly VolumeRestore[],
    signal: AbortSignal,
  ): Promise<Step | undefined> {
    const { client } = this.#options;
    const namespace = restore.metadata?.namespace;
    let waiting: string | undefined;
    for (const wish of restores) {
      const key = { namespace, name: wish.persistentVolumeClaim };
      const claim = await client.find(resources.persistentVolumeClaims, key, signal);
      if (claim !== undefined && claim.metadata.annotations?.[RESTORE_NAME] !== restore.metadata?.name) {
        if (restore.spec.volumeRestorePolicy !== 'InPlace')
          return {
            kind: 'failed',
            reason: `PVC ${key.name} exists already and does not belong to this restore`,
            event: 'VirtualMachineRestoreError',
          };
        if (claim.metadata.deletionTimestamp === undefined)
          await client.delete(resources.persistentVolumeClaims, key, {}, signal);
        waiting = `Waiting for the old PVC ${key.name} to go`;
        continue;
      }
      if (claim === undefined) {
        const backup = content.spec.volumeBackups?.find(({ volumeName }) => volumeName === wish.volumeName);
        if (backup === undefined) continue;
        const taken = await client.find(
          resources.volumeSnapshots,
          { namespace, name: wish.volumeSnapshotName },
          signal,
        );
        await client
          .create(resources.persistentVolumeClaims, restoredClaim(restore, backup, wish, taken), {}, signal)
          .catch((error: unknown) => {
            if (!isStatus(error, 'AlreadyExists')) throw error;
          });
        waiting = 'Creating new PVCs';
      } else if (!(await this.#isUsable(claim, signal))) waiting = `PVC ${key.name} is not bound yet`;
    }
    return waiting === undefined ? undefined : { kind: 'waits', reason: waiting };
  }

  /** Bound, or to be bound when the VM starts. */
  async #isUsable({ spec, status }: PersistentVolumeClaim, signal: AbortSignal): Promise<boolean> {
    if (status?.phase === 'Bound') return true;
    const name = spec.storageClassName;
    if (name === undefined) return false;
    const storageClass = await this.#options.client.find(resources.storageClasses, { name }, signal);
    return storageClass?.volumeBindingMode === 'WaitForFirstConsumer';
  }

  async #writeVm(
    restore: VirtualMachineRestore,
    content: VirtualMachineSnapshotContent,
    restores: readonly VolumeRestore[],
    target: VirtualMachine | undefined,
    signal: AbortSignal,
  ): Promise<VirtualMachine | undefined> {
    const { client } = this.#options;
    const vm = restoredVm(restore, content, restores, target);
    if (target !== undefined) return client.update(resources.virtualMachines, vm, {}, signal);
    try {
      return await client.create(resources.virtualMachines, vm, {}, signal);
    } catch (error) {
      if (isStatus(error, 'AlreadyExists')) return undefined;
      throw error;
    }
  }

  async #own(vm: VirtualMachine, restores: readonly VolumeRestore[], signal: AbortSignal): Promise<void> {
    const { client } = this.#options;
    const namespace = vm.metadata?.namespace;
    for (const { persistentVolumeClaim: name, dataVolumeName } of restores) {
      const claim = await client.find(resources.persistentVolumeClaims, { namespace, name }, signal);
      if (claim === undefined || (claim.metadata.ownerReferences?.length ?? 0) > 0) continue;
      const body = { metadata: { ownerReferences: ownedBy(claim, vm).ownerReferences } };
      const patch = { type: 'merge', body } as const;
      await client.patch(resources.persistentVolumeClaims, { namespace, name }, patch, signal);
      if (dataVolumeName === undefined) continue;
      const made = await client.find(dataVolumes, { namespace, name: dataVolumeName }, signal);
      if (made !== undefined && (made.metadata?.ownerReferences?.length ?? 0) === 0)
        await client.patch(dataVolumes, { namespace, name: dataVolumeName }, patch, signal);
    }
  }
}

function hasFailed({ status }: VirtualMachineRestore): boolean {
  return status?.conditions?.some((c) => c.type === 'Failure' && c.status === 'True') === true;
}

function statusAfter(
  old: VirtualMachineRestoreStatus,
  step: Step,
  nowMs: number,
): VirtualMachineRestoreStatus {
  const conditions = (progressing: string, ready: string, reason: string) =>
    setCondition(
      setCondition(old.conditions ?? [], { type: 'Progressing', status: progressing, reason }, nowMs),
      { type: 'Ready', status: ready, reason },
      nowMs,
    );
  switch (step.kind) {
    case 'waits':
      return { ...old, complete: false, conditions: conditions('True', 'False', step.reason) };
    case 'done':
      return {
        ...old,
        complete: true,
        restoreTime: rfc3339(nowMs),
        conditions: conditions('False', 'True', 'Operation complete'),
      };
    case 'failed': {
      const base = conditions('False', 'False', step.reason);
      return {
        ...old,
        complete: false,
        conditions: setCondition(base, { type: 'Failure', status: 'True', reason: step.reason }, nowMs),
      };
    }
  }
}
