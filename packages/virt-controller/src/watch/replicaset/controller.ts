/** The replica set controller: reads the caches, decides, creates and deletes, reports. */
import type { VirtualMachineInstance, VirtualMachineInstanceReplicaSet } from '@podvisor/api';
import { type Clock, deepEqual, isStatus, messageOf } from '@podvisor/base';
import {
  type Expectations,
  type KubeClient,
  OwnWrites,
  type ReconcileResult,
  resources,
  type ControllerSteps,
} from '@podvisor/kube';
import { replicaSets } from '../../resources.ts';
import { hasCondition } from '../conditions.ts';
import type { Recorder } from '../recorder.ts';
import type { ReplicaState } from '../replicas/conditions.ts';
import { replicaEvents } from '../replicas/events.ts';
import { withoutOwner } from '../ownership.ts';
import { setOwners, withManager } from '../replicas/owner-patch.ts';
import { replicaStatus } from '../replicas/status.ts';
import {
  buildReplica,
  isReady,
  type ReplicaSetObservation,
  type ReplicaSetPlan,
  reconcileReplicaSet,
} from './reconcile.ts';

export interface ReplicaSetControllerOptions {
  readonly client: Pick<KubeClient, 'create' | 'delete' | 'patch' | 'updateStatus'>;
  readonly recorder: Recorder;
  /** By the set's UID. */
  readonly expectations: Expectations;
  readonly clock: Clock;
  replicaSet(key: string): VirtualMachineInstanceReplicaSet | undefined;
  /** VMIs of the namespace that the set owns, and those that nobody manages. */
  candidates(replicaSet: VirtualMachineInstanceReplicaSet): readonly VirtualMachineInstance[];
}

const KIND = 'VirtualMachineInstanceReplicaSet';

export class ReplicaSetController implements ControllerSteps<ReplicaSetObservation, ReplicaSetPlan> {
  readonly #options: ReplicaSetControllerOptions;
  readonly #writes = new OwnWrites<VirtualMachineInstanceReplicaSet>();

  constructor(options: ReplicaSetControllerOptions) {
    this.#options = options;
  }

  observe(key: string): ReplicaSetObservation | undefined {
    const { candidates, expectations, replicaSet: find } = this.#options;
    const replicaSet = find(key);
    if (replicaSet === undefined) {
      this.#writes.forget(key);
      return undefined;
    }
    // The event of what we wrote wakes the key again.
    if (this.#writes.isBehind(replicaSet)) return undefined;
    const cacheCaughtUp = expectations.satisfied(replicaSet.metadata?.uid ?? '');
    return { replicaSet, candidates: candidates(replicaSet), cacheCaughtUp };
  }

  plan(observed: ReplicaSetObservation): ReplicaSetPlan {
    return reconcileReplicaSet(observed);
  }

  async apply(
    plan: ReplicaSetPlan,
    { replicaSet }: ReplicaSetObservation,
    signal: AbortSignal,
  ): Promise<ReconcileResult> {
    const { client, clock } = this.#options;
    const failure = await this.#changeReplicas(replicaSet, plan, signal);
    const paused = replicaSet.spec.paused === true;
    const state: ReplicaState = { paused, ...(failure && { failure: failure.told }) };
    const status = replicaStatus(replicaSet, plan.active, isReady, state, clock.now());
    if (!deepEqual(status, replicaSet.status ?? {})) {
      const after = await client.updateStatus(replicaSets, { ...replicaSet, status }, {}, signal);
      this.#writes.wrote(replicaSet, after);
      this.#tellPause(replicaSet, paused);
    }
    if (failure !== undefined) throw failure.error;
  }

  #tellPause(replicaSet: VirtualMachineInstanceReplicaSet, paused: boolean): void {
    if (hasCondition(replicaSet.status?.conditions, 'ReplicaPaused', 'True') === paused) return;
    this.#options.recorder.event(replicaSet, ...(paused ? replicaEvents.paused() : replicaEvents.resumed()));
  }

  async #changeReplicas(
    replicaSet: VirtualMachineInstanceReplicaSet,
    plan: ReplicaSetPlan,
    signal: AbortSignal,
  ): Promise<{ readonly told: NonNullable<ReplicaState['failure']>; readonly error: unknown } | undefined> {
    const { client } = this.#options;
    for (const vmi of plan.adopt) {
      const owners = withManager(vmi, replicaSet, 'kubevirt.io/v1', KIND);
      await setOwners(client, resources.virtualMachineInstances, vmi, owners, signal);
    }
    for (const vmi of plan.release) {
      await setOwners(client, resources.virtualMachineInstances, vmi, withoutOwner(vmi, replicaSet), signal);
    }
    const creations = Array.from({ length: plan.create }, () => this.#create(replicaSet, signal));
    const deletions = plan.delete.map((vmi) => this.#delete(replicaSet, vmi, signal));
    const [created, deleted] = await Promise.all([
      Promise.allSettled(creations),
      Promise.allSettled(deletions),
    ]);
    const failedCreate = created.find((result) => result.status === 'rejected');
    const failed = failedCreate ?? deleted.find((result) => result.status === 'rejected');
    if (failed === undefined) return undefined;
    const reason = failed === failedCreate ? 'FailedCreate' : 'FailedDelete';
    return { told: { reason, message: messageOf(failed.reason) }, error: failed.reason };
  }

  async #create(replicaSet: VirtualMachineInstanceReplicaSet, signal: AbortSignal): Promise<void> {
    const { client, expectations, recorder } = this.#options;
    const uid = replicaSet.metadata?.uid ?? '';
    expectations.expectCreations(uid, 1);
    try {
      const vmi = await client.create(
        resources.virtualMachineInstances,
        buildReplica(replicaSet),
        {},
        signal,
      );
      recorder.event(replicaSet, ...replicaEvents.created(vmi.metadata?.name ?? ''));
    } catch (error) {
      expectations.creationObserved(uid);
      recorder.event(replicaSet, ...replicaEvents.createFailed(messageOf(error)));
      throw error;
    }
  }

  async #delete(
    replicaSet: VirtualMachineInstanceReplicaSet,
    { metadata }: VirtualMachineInstance,
    signal: AbortSignal,
  ): Promise<void> {
    const { client, expectations, recorder } = this.#options;
    const owner = replicaSet.metadata?.uid ?? '';
    const { namespace, name = '', uid = '' } = metadata ?? {};
    expectations.expectDeletions(owner, [uid]);
    try {
      const preconditions = { uid };
      await client.delete(resources.virtualMachineInstances, { namespace, name }, { preconditions }, signal);
      recorder.event(replicaSet, ...replicaEvents.deleted(uid));
    } catch (error) {
      expectations.deletionObserved(owner, uid);
      if (isStatus(error, 'NotFound')) return;
      recorder.event(replicaSet, ...replicaEvents.deleteFailed(name, messageOf(error)));
      throw error;
    }
  }
}
