/** How many Pods of a PodDisruptionBudget may be evicted now. Pure. */
import {
  type Condition,
  type Pod,
  type PodDisruptionBudget,
  type PodDisruptionBudgetStatus,
  isPodEnded,
} from '@podvisor/api';
import { rfc3339, memberOf } from '@podvisor/base';
import { withCondition } from '../workloads/conditions.ts';
import { countOf } from '../workloads/int-or-percent.ts';
import { isReady, isTerminating } from '../workloads/pod-facts.ts';

/** An eviction that was granted and did not happen within this time is forgotten. */
const EVICTION_TIMEOUT_MS = 120_000;

export interface BudgetFacts {
  /** Pods that the budget selects and that have not finished. */
  readonly pods: readonly Pod[];
  /** How many Pods their owners want; undefined: some owner has no size, so that a share cannot be taken of it. */
  readonly expected: number | undefined;
  readonly now: number;
}

export interface BudgetObservation {
  readonly budget: PodDisruptionBudget;
  readonly facts: BudgetFacts;
}

export interface BudgetResult {
  readonly status: PodDisruptionBudgetStatus;
  /** A granted eviction is forgotten then. */
  readonly againInMs?: number;
}

export function budgetStatus(
  budget: PodDisruptionBudget,
  { pods, expected, now }: BudgetFacts,
): BudgetResult {
  const alive = pods.filter((pod) => !isPodEnded(pod));
  const { minAvailable, maxUnavailable } = budget.spec ?? {};
  const isShare = maxUnavailable !== undefined || typeof minAvailable === 'string';
  if (isShare && expected === undefined)
    return { status: failed(budget, 'The number of Pods that their owners want cannot be found out.', now) };
  const expectedPods = isShare ? (expected ?? 0) : alive.length;
  const desiredHealthy =
    maxUnavailable !== undefined
      ? Math.max(0, expectedPods - countOf(maxUnavailable, expectedPods, 'up'))
      : countOf(minAvailable, expectedPods, 'up');
  const { disruptedPods, againInMs } = stillDisrupted(budget, alive, now);
  const currentHealthy = alive.filter(
    (pod) =>
      isReady(pod) && !isTerminating(pod) && memberOf(disruptedPods, pod.metadata.name ?? '') === undefined,
  ).length;
  const disruptionsAllowed = expectedPods <= 0 ? 0 : Math.max(0, currentHealthy - desiredHealthy);
  return {
    status: {
      observedGeneration: budget.metadata.generation,
      ...(Object.keys(disruptedPods).length === 0 ? {} : { disruptedPods }),
      disruptionsAllowed,
      currentHealthy,
      desiredHealthy,
      expectedPods,
      conditions: conditionsOf(
        budget,
        disruptionsAllowed > 0 ? 'SufficientPods' : 'InsufficientPods',
        '',
        now,
      ),
    },
    ...(againInMs === undefined ? {} : { againInMs }),
  };
}

function stillDisrupted(
  budget: PodDisruptionBudget,
  pods: readonly Pod[],
  now: number,
): { readonly disruptedPods: Record<string, string>; readonly againInMs?: number } {
  const known = Object.entries(budget.status?.disruptedPods ?? {});
  const waiting = known
    .map(([name, time]) => ({ name, time, leftMs: Date.parse(time) + EVICTION_TIMEOUT_MS - now }))
    .filter(
      ({ name, leftMs }) =>
        leftMs > 0 && pods.some((pod) => pod.metadata.name === name && !isTerminating(pod)),
    );
  const disruptedPods = Object.fromEntries(waiting.map(({ name, time }) => [name, time]));
  return waiting.length === 0
    ? { disruptedPods }
    : { disruptedPods, againInMs: Math.min(...waiting.map(({ leftMs }) => leftMs)) };
}

/** Nothing is allowed while it is not known what would be left. */
function failed(budget: PodDisruptionBudget, message: string, now: number): PodDisruptionBudgetStatus {
  return {
    currentHealthy: 0,
    desiredHealthy: 0,
    expectedPods: 0,
    ...budget.status,
    observedGeneration: budget.metadata.generation,
    disruptionsAllowed: 0,
    conditions: conditionsOf(budget, 'SyncFailed', message, now),
  };
}

function conditionsOf(
  budget: PodDisruptionBudget,
  reason: string,
  message: string,
  now: number,
): readonly Condition[] {
  const status = reason === 'SufficientPods' ? 'True' : 'False';
  const old = (budget.status?.conditions ?? []).map((c) =>
    c.type === 'DisruptionAllowed' ? { ...c, message: c.message ?? '' } : c,
  );
  const observedGeneration = budget.metadata.generation;
  return withCondition(old, { type: 'DisruptionAllowed', status, reason, message }, rfc3339(now)).map((c) =>
    c.type === 'DisruptionAllowed' ? { ...c, observedGeneration } : c,
  );
}
