/** Keeps the status of PodDisruptionBudgets, by which evictions are granted. */
import { type KubernetesObject, type OwnerReference, type Pod, matchesSelector } from '@podvisor/api';
import {
  defineResource,
  type Informer,
  keyOf,
  type ReconcileResult,
  type TableController,
  type Wake,
} from '@podvisor/kube';
import type { ControllerOptions } from '../controller-options.ts';
import type { ReplicaSet } from '../workloads/types.ts';
import { isFinished } from '../workloads/pod-facts.ts';
import { writeStatus } from '../workloads/write-status.ts';
import { expectedPods } from './expected-pods.ts';
import { budgetStatus, type DisruptionBudget } from './reconcile.ts';

export const budgetResource = defineResource<DisruptionBudget>(
  'PodDisruptionBudget',
  'poddisruptionbudgets',
  'policy/v1',
);

export interface DisruptionControllerOptions extends ControllerOptions {
  readonly budgets: Informer<DisruptionBudget>;
  readonly replicaSets: Informer<ReplicaSet>;
  readonly pods: Informer<Pod>;
}

export function disruptionController(options: DisruptionControllerOptions): TableController {
  const { client, budgets, replicaSets, pods, clock } = options;
  const connect = (wake: Wake): void => {
    const look = (budget: DisruptionBudget): void => wake(keyOf(budget));
    budgets.on({ add: look, update: look });
    const wakeFor = (pod: Pod): void => {
      for (const budget of budgets.byIndex('namespace', pod.metadata.namespace ?? ''))
        if (matchesSelector(budget.spec?.selector, pod.metadata.labels)) look(budget);
    };
    pods.on({
      add: wakeFor,
      update: (pod, old) => {
        wakeFor(pod);
        if (pod.metadata.labels !== old.metadata.labels) wakeFor(old);
      },
      delete: wakeFor,
    });
  };
  const known = (namespace: string, owner: OwnerReference): KubernetesObject | undefined =>
    owner.kind === 'ReplicaSet' ? replicaSets.get(`${namespace}/${owner.name}`) : undefined;
  const reconcile = async (key: string, end: AbortSignal): Promise<ReconcileResult> => {
    const budget = budgets.get(key);
    if (budget === undefined || budget.metadata.deletionTimestamp !== undefined) return;
    const selected = pods
      .byIndex('namespace', budget.metadata.namespace ?? '')
      .filter((pod) => matchesSelector(budget.spec?.selector, pod.metadata.labels) && !isFinished(pod));
    const { minAvailable, maxUnavailable } = budget.spec ?? {};
    const isShare = maxUnavailable !== undefined || typeof minAvailable === 'string';
    const expected = isShare ? await expectedPods(client, selected, known, end) : selected.length;
    const { status, againInMs } = budgetStatus(budget, { pods: selected, expected, now: clock.now() });
    await writeStatus(client, budgetResource, budget, status, end);
    return againInMs === undefined ? undefined : { requeueAfterMs: againInMs };
  };
  return { name: 'disruption', workers: 2, connect, reconcile };
}
