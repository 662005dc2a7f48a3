/** Copies VMs: asks for a snapshot and a restore, follows them, and tidies up. */
import type { VirtualMachineClone, VirtualMachineCloneStatus } from '@podvisor/api';
import { type Clock, deepEqual, isStatus, rfc3339 } from '@podvisor/base';
import { type KubeClient, type ReconcileResult, resources } from '@podvisor/kube';
import { vmClones, vmRestores, vmSnapshotContents, vmSnapshots } from '../../resources.ts';
import { setCondition } from '../conditions.ts';
import type { Recorder } from '../recorder.ts';
import { helperRestore, helperSnapshot, targetName } from './plan.ts';

export interface CloneControllerOptions {
  readonly client: Pick<KubeClient, 'find' | 'create' | 'updateStatus' | 'delete'>;
  readonly recorder: Recorder;
  readonly clock: Clock;
  clone(key: string): VirtualMachineClone | undefined;
}

interface Step {
  readonly phase: string;
  readonly reason: string;
  readonly fields?: Partial<VirtualMachineCloneStatus>;
}

export class CloneController {
  readonly #options: CloneControllerOptions;

  constructor(options: CloneControllerOptions) {
    this.#options = options;
  }

  async reconcile(key: string, signal: AbortSignal): Promise<ReconcileResult> {
    const { client, clock, recorder } = this.#options;
    const cached = this.#options.clone(key);
    if (cached === undefined || cached.metadata?.deletionTimestamp !== undefined) return;
    const { namespace, name = '' } = cached.metadata ?? {};
    const clone = await client.find(vmClones, { namespace, name }, signal);
    if (clone === undefined || ['Succeeded', 'Failed'].includes(clone.status?.phase ?? '')) return;
    const step = await this.#step(clone, signal);
    const status = statusAfter(clone.status ?? {}, step, clock.now());
    if (!deepEqual(status, clone.status ?? {}))
      await client.updateStatus(vmClones, { ...clone, status }, {}, signal);
    if (clone.status?.phase !== step.phase)
      recorder.event(clone, step.phase === 'Failed' ? 'Warning' : 'Normal', step.phase, step.reason);
    if (step.phase === 'Succeeded') await this.#tidy(clone, signal);
  }

  async #step(clone: VirtualMachineClone, signal: AbortSignal): Promise<Step> {
    const { client } = this.#options;
    const namespace = clone.metadata?.namespace;
    const { kind, name } = clone.spec.source;
    const isVm = kind === 'VirtualMachine';
    const find = (snapshot: string) => client.find(vmSnapshots, { namespace, name: snapshot }, signal);
    if (isVm) {
      const problem = await this.#sourceProblem(clone, signal);
      if (problem !== undefined) return problem;
    }
    const wish = helperSnapshot(clone);
    const snapshotName = isVm ? (wish.metadata?.name ?? '') : name;
    const snapshot =
      (await find(snapshotName)) ??
      (isVm ? await made(client.create(vmSnapshots, wish, {}, signal)) : undefined);
    if (snapshot === undefined)
      return { phase: '', reason: `VirtualMachineSnapshot ${snapshotName} does not exist` };
    const fields = { snapshotName };
    if (snapshot.status?.phase === 'Failed')
      return {
        phase: 'Failed',
        reason: `snapshot ${snapshotName} failed: ${snapshot.status.error?.message ?? ''}`,
      };
    const contentName = snapshot.status?.virtualMachineSnapshotContentName;
    if (snapshot.status?.readyToUse !== true || contentName === undefined)
      return { phase: 'SnapshotInProgress', reason: `snapshot ${snapshotName} is being taken`, fields };
    const content = await client.find(vmSnapshotContents, { namespace, name: contentName }, signal);
    const vm = content?.spec.source.virtualMachine;
    if (vm === undefined)
      return { phase: 'Failed', reason: `snapshot ${snapshotName} holds no VirtualMachine` };
    const restoreWish = helperRestore(clone, snapshotName, vm);
    const restoreName = restoreWish.metadata?.name ?? '';
    const restore =
      (await client.find(vmRestores, { namespace, name: restoreName }, signal)) ??
      (await made(client.create(vmRestores, restoreWish, {}, signal)));
    const all = { ...fields, restoreName };
    const failure = restore?.status?.conditions?.find((c) => c.type === 'Failure' && c.status === 'True');
    if (failure !== undefined)
      return { phase: 'Failed', reason: `restore ${restoreName} failed: ${failure.reason ?? ''}` };
    if (restore?.status?.complete !== true)
      return { phase: 'RestoreInProgress', reason: `restore ${restoreName} is in progress`, fields: all };
    const target = targetName(clone, vm.metadata?.name ?? '');
    const copy = await client.find(resources.virtualMachines, { namespace, name: target }, signal);
    if (copy === undefined)
      return { phase: 'CreatingTargetVM', reason: `waiting for ${target}`, fields: all };
    return { phase: 'Succeeded', reason: `${target} is a copy of ${name}`, fields: { targetName: target } };
  }

  async #sourceProblem(clone: VirtualMachineClone, signal: AbortSignal): Promise<Step | undefined> {
    const { name } = clone.spec.source;
    const key = { namespace: clone.metadata?.namespace, name };
    const source = await this.#options.client.find(resources.virtualMachines, key, signal);
    if (source === undefined) return { phase: '', reason: `VirtualMachine ${name} does not exist` };
    const { devices, firmware } = source.spec.template?.spec?.domain ?? {};
    const keepsState = devices?.tpm?.persistent === true || firmware?.bootloader?.efi?.persistent === true;
    if (!keepsState) return undefined;
    return {
      phase: 'Failed',
      reason: `SourceVMWithBackendStorageInvalid: ${name} has a persistent TPM or EFI variables, which cannot be copied`,
    };
  }

  /** The new claims are filled: what helped to make them may go. */
  async #tidy(clone: VirtualMachineClone, signal: AbortSignal): Promise<void> {
    const { client } = this.#options;
    const namespace = clone.metadata?.namespace;
    const gone = (error: unknown): void => {
      if (!isStatus(error, 'NotFound')) throw error;
    };
    const uid = clone.metadata?.uid;
    await client.delete(vmRestores, { namespace, name: `tmp-restore-${uid}` }, {}, signal).catch(gone);
    await client.delete(vmSnapshots, { namespace, name: `tmp-snapshot-${uid}` }, {}, signal).catch(gone);
  }
}

/** An object that is there already is found in the next pass. */
async function made<T>(creation: Promise<T>): Promise<T | undefined> {
  try {
    return await creation;
  } catch (error) {
    if (isStatus(error, 'AlreadyExists')) return undefined;
    throw error;
  }
}

function statusAfter(
  old: VirtualMachineCloneStatus,
  { phase, reason, fields }: Step,
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
