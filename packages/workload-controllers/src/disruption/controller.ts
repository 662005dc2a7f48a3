/** Keeps the status of PodDisruptionBudgets, by which evictions are granted. */
import {
  type KubernetesObject,
  matchesSelector,
  type OwnerReference,
  type Pod,
  type PodDisruptionBudget,
  type ReplicaSet,
  isPodEnded,
} from '@podvisor/api';
import {
  controller,
  defineResource,
  type Informer,
  keyOf,
  type ReconcileResult,
  type TableController,
  type Wake,
} from '@podvisor/kube';
import type { ControllerOptions } from '../controller-options.ts';
import { again } from '../workloads/again.ts';
import { writeStatus } from '../workloads/write-status.ts';
import { expectedPods } from './expected-pods.ts';
import { type BudgetObservation, type BudgetResult, budgetStatus } from './reconcile.ts';

export const budgetResource = defineResource<PodDisruptionBudget>(
  'PodDisruptionBudget',
  'poddisruptionbudgets',
  'policy/v1',
);

export interface DisruptionControllerOptions extends ControllerOptions {
  readonly budgets: Informer<PodDisruptionBudget>;
  readonly replicaSets: Informer<ReplicaSet>;
  readonly pods: Informer<Pod>;
}

export function disruptionController(options: DisruptionControllerOptions): TableController {
  const { client, budgets, replicaSets, pods, clock } = options;
  const wakes = (wake: Wake): void => {
    const look = (budget: PodDisruptionBudget): void => wake(keyOf(budget));
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
  const observe = async (key: string, signal: AbortSignal): Promise<BudgetObservation | undefined> => {
    const budget = budgets.get(key);
    if (budget === undefined || budget.metadata.deletionTimestamp !== undefined) return undefined;
    const selected = pods
      .byIndex('namespace', budget.metadata.namespace ?? '')
      .filter((pod) => matchesSelector(budget.spec?.selector, pod.metadata.labels) && !isPodEnded(pod));
    const { minAvailable, maxUnavailable } = budget.spec ?? {};
    const isShare = maxUnavailable !== undefined || typeof minAvailable === 'string';
    const expected = isShare ? await expectedPods(client, selected, known, signal) : selected.length;
    return { budget, facts: { pods: selected, expected, now: clock.now() } };
  };
  const apply = async (
    { status, againInMs }: BudgetResult,
    { budget }: BudgetObservation,
    signal: AbortSignal,
  ): Promise<ReconcileResult> => {
    await writeStatus(client, budgetResource, budget, status, signal);
    return again(againInMs);
  };
  return controller({
    name: 'disruption',
    workers: 2,
    wakes: [wakes],
    steps: { observe, plan: ({ budget, facts }) => budgetStatus(budget, facts), apply },
  });
}
