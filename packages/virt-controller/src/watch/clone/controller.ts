/** Copies VMs: asks for a snapshot and a restore, follows them, and tidies up. */
import type { VirtualMachineClone } from '@podvisor/api';
import { type Clock, deepEqual } from '@podvisor/base';
import {
  type ControllerSteps,
  type KubeClient,
  resources,
  ignoreNotFound,
  ignoreAlreadyExists,
} from '@podvisor/kube';
import { vmClones, vmRestores, vmSnapshotContents, vmSnapshots } from '../../resources.ts';
import type { Recorder } from '../recorder.ts';
import { targetName } from './plan.ts';
import {
  type CloneObservation,
  type ClonePlan,
  cloneStatus,
  isCloneOver,
  planClone,
  snapshotNameOf,
} from './reconcile.ts';

export interface CloneControllerOptions {
  readonly client: Pick<KubeClient, 'find' | 'create' | 'updateStatus' | 'delete'>;
  readonly recorder: Recorder;
  readonly clock: Clock;
  clone(key: string): VirtualMachineClone | undefined;
}

export class CloneController implements ControllerSteps<CloneObservation, ClonePlan> {
  readonly #options: CloneControllerOptions;

  constructor(options: CloneControllerOptions) {
    this.#options = options;
  }

  async observe(key: string, signal: AbortSignal): Promise<CloneObservation | undefined> {
    const { client, clock } = this.#options;
    const cached = this.#options.clone(key);
    if (cached === undefined || cached.metadata?.deletionTimestamp !== undefined) return undefined;
    const { namespace, name: own = '' } = cached.metadata ?? {};
    const at = (name: string) => ({ namespace, name });
    const clone = await client.find(vmClones, at(own), signal);
    if (clone === undefined || isCloneOver(clone)) return undefined;
    const { kind, name } = clone.spec.source;
    const source =
      kind === 'VirtualMachine' ? await client.find(resources.virtualMachines, at(name), signal) : undefined;
    const snapshot = await client.find(vmSnapshots, at(snapshotNameOf(clone)), signal);
    const contentName = snapshot?.status?.virtualMachineSnapshotContentName;
    const content =
      contentName === undefined ? undefined : await client.find(vmSnapshotContents, at(contentName), signal);
    const target = targetName(clone, content?.spec.source.virtualMachine?.metadata?.name ?? '');
    return {
      clone,
      source,
      snapshot,
      content,
      restore: await client.find(vmRestores, at(`tmp-restore-${clone.metadata?.uid}`), signal),
      copy:
        content === undefined ? undefined : await client.find(resources.virtualMachines, at(target), signal),
      nowMs: clock.now(),
    };
  }

  plan(observed: CloneObservation): ClonePlan {
    return planClone(observed);
  }

  async apply(plan: ClonePlan, { clone, nowMs }: CloneObservation, signal: AbortSignal): Promise<void> {
    const { client, recorder } = this.#options;
    const { createSnapshot, createRestore } = plan;
    if (createSnapshot !== undefined)
      await ignoreAlreadyExists(client.create(vmSnapshots, createSnapshot, {}, signal));
    if (createRestore !== undefined)
      await ignoreAlreadyExists(client.create(vmRestores, createRestore, {}, signal));
    const status = cloneStatus(clone.status ?? {}, plan, nowMs);
    if (!deepEqual(status, clone.status ?? {}))
      await client.updateStatus(vmClones, { ...clone, status }, {}, signal);
    if ((clone.status?.phase ?? '') !== plan.phase)
      recorder.event(clone, plan.phase === 'Failed' ? 'Warning' : 'Normal', plan.phase, plan.reason);
    if (plan.phase === 'Succeeded') await this.#tidy(clone, signal);
  }

  /** The new claims are filled: what helped to make them may go. */
  async #tidy(clone: VirtualMachineClone, signal: AbortSignal): Promise<void> {
    const { client } = this.#options;
    const { namespace, uid } = clone.metadata ?? {};
    await ignoreNotFound(client.delete(vmRestores, { namespace, name: `tmp-restore-${uid}` }, {}, signal));
    await ignoreNotFound(client.delete(vmSnapshots, { namespace, name: `tmp-snapshot-${uid}` }, {}, signal));
  }
}
