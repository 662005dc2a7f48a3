/** Keeps as many Pods as a ReplicaSet says. */
import type { Pod, ReplicaSet } from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import { controller, type Informer, type ReconcileResult, type TableController } from '@podvisor/kube';
import type { ControllerOptions } from '../controller-options.ts';
import { again } from '../workloads/again.ts';
import { controlledBy } from '../workloads/ownership.ts';
import { PodControl } from '../workloads/pod-control.ts';
import { podFromTemplate } from '../workloads/pod-from-template.ts';
import { workloads } from '../workloads/resources.ts';
import { writeStatus } from '../workloads/write-status.ts';
import {
  planReplicaSet,
  type ReplicaSetObservation,
  type ReplicaSetPlan,
  replicaSetStatus,
} from './reconcile.ts';

export interface ReplicaSetControllerOptions extends ControllerOptions {
  readonly replicaSets: Informer<ReplicaSet>;
  readonly pods: Informer<Pod>;
}

export function replicaSetController(options: ReplicaSetControllerOptions): TableController {
  const { client, replicaSets, pods, clock, log } = options;
  const control = new PodControl({
    client,
    resource: workloads.replicaSets,
    owners: replicaSets,
    pods,
    component: 'replicaset-controller',
    clock,
    log,
  });
  const observe = (key: string): ReplicaSetObservation | undefined => {
    const set = replicaSets.get(key);
    if (set === undefined) return undefined;
    return { set, owned: control.owned(set), isUpToDate: control.isUpToDate(set), now: clock.now() };
  };
  const apply = async (
    plan: ReplicaSetPlan,
    { set, owned, now }: ReplicaSetObservation,
    signal: AbortSignal,
  ): Promise<ReconcileResult> => {
    await control.claim(set, owned, signal);
    const failed = await changePods(plan, set, signal);
    const failure =
      failed === undefined
        ? undefined
        : {
            reason: plan.create > 0 ? 'FailedCreate' : 'FailedDelete',
            message: messageOf(failed.error),
          };
    const status = replicaSetStatus(set, owned.pods, now, failure);
    await writeStatus(client, workloads.replicaSets, set, status, signal);
    if (failed !== undefined) throw failed.error;
    return again(plan.againInMs);
  };
  /** The refusal is told in the status before it is thrown. */
  const changePods = async (
    plan: ReplicaSetPlan,
    set: ReplicaSet,
    signal: AbortSignal,
  ): Promise<{ readonly error: unknown } | undefined> => {
    const reference = controlledBy(workloads.replicaSets, set);
    try {
      const wanted = Array.from({ length: plan.create }, () =>
        podFromTemplate(set, set.spec.template, reference),
      );
      await control.create(set, wanted, signal);
      await control.delete(set, plan.delete, signal);
      return undefined;
    } catch (error) {
      return { error };
    }
  };
  return controller({
    name: 'replica-set',
    wakes: [(wake) => control.connect(wake)],
    steps: { observe, plan: planReplicaSet, apply },
  });
}
