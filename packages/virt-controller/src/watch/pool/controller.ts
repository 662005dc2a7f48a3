/** The pool controller: reads the caches and revisions, decides, and lets `apply.ts` do it. */
import {
  labels as labelKeys,
  type VirtualMachine,
  type VirtualMachineClone,
  type VirtualMachineInstance,
  type VirtualMachinePool,
} from '@podvisor/api';
import { type Clock, deepEqual, isStatus } from '@podvisor/base';
import { keyOf, OwnWrites, type ReconcileResult, resources, type ControllerSteps } from '@podvisor/kube';
import { pools } from '../../resources.ts';
import { hasCondition } from '../conditions.ts';
import { isControlledBy, ownerKinds } from '../ownership.ts';
import type { ReplicaState } from '../replicas/conditions.ts';
import { replicaEvents } from '../replicas/events.ts';
import { replicaStatus } from '../replicas/status.ts';
import { applyPoolPlan, type PoolApplyContext } from './apply.ts';
import { type PoolTemplate, poolRevisionName } from './member.ts';
import { type PoolObservation, type PoolPlan, reconcilePool } from './reconcile.ts';
import { templateOf } from './revision.ts';

export interface PoolControllerOptions extends PoolApplyContext {
  readonly clock: Clock;
  random(): number;
  pool(key: string): VirtualMachinePool | undefined;
  /** Machines of the namespace that the pool owns, and those that nobody manages. */
  candidates(pool: VirtualMachinePool): readonly VirtualMachine[];
  vm(key: string): VirtualMachine | undefined;
  vmi(key: string): VirtualMachineInstance | undefined;
  /** Clones that the pool makes. */
  copies(pool: VirtualMachinePool): readonly VirtualMachineClone[];
}

export class PoolController implements ControllerSteps<PoolObservation, PoolPlan> {
  readonly #options: PoolControllerOptions;
  /** Revisions never change once they are written. */
  readonly #templates = new Map<string, PoolTemplate | undefined>();
  readonly #writes = new OwnWrites<VirtualMachinePool>();

  constructor(options: PoolControllerOptions) {
    this.#options = options;
  }

  async observe(key: string, signal: AbortSignal): Promise<PoolObservation | undefined> {
    const { candidates, clock, expectations, pool: find } = this.#options;
    const pool = find(key);
    if (pool === undefined) {
      this.#writes.forget(key);
      return undefined;
    }
    // The event of what we wrote wakes the key again.
    if (this.#writes.isBehind(pool)) return undefined;
    const vms = candidates(pool);
    const vmiOf = (vm: VirtualMachine): VirtualMachineInstance | undefined => {
      const vmi = this.#options.vmi(keyOf(vm));
      return vmi !== undefined && isControlledBy(vmi, vm, ownerKinds.vm) ? vmi : undefined;
    };
    const template = await this.#read(pool, vms, vmiOf, signal);
    const nodes = await this.#readNodes(pool, vms, vmiOf, signal);
    return {
      pool,
      candidates: vms,
      vmiOf,
      template,
      vm: (name) => this.#options.vm(`${pool.metadata?.namespace}/${name}`),
      copies: this.#options.copies(pool),
      nodeLabels: (vm) => nodes.get(vmiOf(vm)?.status?.nodeName ?? ''),
      random: () => this.#options.random(),
      cacheCaughtUp: expectations.satisfied(pool.metadata?.uid ?? ''),
      nowMs: clock.now(),
    };
  }

  plan(observed: PoolObservation): PoolPlan {
    return reconcilePool(observed);
  }

  async apply(plan: PoolPlan, { pool }: PoolObservation, signal: AbortSignal): Promise<ReconcileResult> {
    const { client, clock } = this.#options;
    const failure = await applyPoolPlan(pool, plan, this.#options, signal);
    const paused = pool.spec.paused === true;
    const told =
      failure === undefined ? hopeless(plan) : isStatus(failure.error, 'Conflict') ? undefined : failure.told;
    this.#tellFailure(pool, plan);
    const state: ReplicaState = { paused, ...(told && { failure: told }) };
    const isReady = (vm: VirtualMachine): boolean => vm.status?.ready === true;
    const status = replicaStatus(pool, plan.active, isReady, state, clock.now());
    if (!deepEqual(status, pool.status ?? {})) {
      this.#writes.wrote(pool, await client.updateStatus(pools, { ...pool, status }, {}, signal));
      this.#tellPause(pool, paused);
    }
    if (failure !== undefined) throw failure.error;
    return plan.requeueAfterMs === undefined ? undefined : { requeueAfterMs: plan.requeueAfterMs };
  }

  /** Once: what nobody tries again is an event when it begins. */
  #tellFailure(pool: VirtualMachinePool, { failure }: PoolPlan): void {
    if (failure === undefined || hasCondition(pool.status?.conditions, 'ReplicaFailure', 'True')) return;
    this.#options.recorder.event(pool, ...replicaEvents.vmCreateFailed(failure));
  }

  #tellPause(pool: VirtualMachinePool, paused: boolean): void {
    if (hasCondition(pool.status?.conditions, 'ReplicaPaused', 'True') === paused) return;
    this.#options.recorder.event(pool, ...(paused ? replicaEvents.paused() : replicaEvents.resumed()));
  }

  /** Reads the revisions that machines and VMIs still carry, apart from the current one. */
  async #read(
    pool: VirtualMachinePool,
    vms: readonly VirtualMachine[],
    vmiOf: (vm: VirtualMachine) => VirtualMachineInstance | undefined,
    signal: AbortSignal,
  ): Promise<(revision: string) => PoolTemplate | undefined> {
    const current = poolRevisionName(pool);
    const carried = vms
      .filter((vm) => isControlledBy(vm, pool, ownerKinds.pool))
      .flatMap((vm) => [vm, vmiOf(vm)])
      .map((object) => object?.metadata?.labels?.[labelKeys.poolRevisionName] ?? '');
    const key = (name: string): string => `${pool.metadata?.uid}/${name}`;
    for (const name of new Set(carried)) {
      if (name === '' || name === current || this.#templates.has(key(name))) continue;
      const at = { namespace: pool.metadata?.namespace, name };
      const revision = await this.#options.client.find(resources.controllerRevisions, at, signal);
      const isOwn = revision !== undefined && isControlledBy(revision, pool, ownerKinds.pool);
      this.#templates.set(key(name), isOwn ? templateOf(revision) : undefined);
    }
    return (name) => (name === current ? pool.spec : this.#templates.get(key(name)));
  }

  /** Labels of the nodes that run the machines, if a strategy looks at them. */
  async #readNodes(
    { spec }: VirtualMachinePool,
    vms: readonly VirtualMachine[],
    vmiOf: (vm: VirtualMachine) => VirtualMachineInstance | undefined,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>> {
    const policies = [spec.scaleInStrategy?.proactive, spec.updateStrategy?.proactive];
    const labels = new Map<string, Readonly<Record<string, string>>>();
    if (!policies.some((policy) => policy?.selectionPolicy?.selectors?.nodeSelectorRequirementMatcher))
      return labels;
    for (const name of new Set(vms.map((vm) => vmiOf(vm)?.status?.nodeName ?? ''))) {
      const node =
        name === '' ? undefined : await this.#options.client.find(resources.nodes, { name }, signal);
      if (node !== undefined) labels.set(name, node.metadata?.labels ?? {});
    }
    return labels;
  }

  /** The pool is gone. */
  forget(pool: VirtualMachinePool): void {
    for (const key of this.#templates.keys()) {
      if (key.startsWith(`${pool.metadata?.uid}/`)) this.#templates.delete(key);
    }
  }
}

function hopeless({ failure }: PoolPlan): ReplicaState['failure'] {
  return failure === undefined ? undefined : { reason: 'FailedCreate', message: failure };
}
