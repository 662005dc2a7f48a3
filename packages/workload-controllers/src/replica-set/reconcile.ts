/** How many Pods a ReplicaSet lacks or has too many, and its status. Pure. */
import { matchesSelector, type Pod, type ReplicaSet, type ReplicaSetStatus } from '@podvisor/api';
import { rfc3339 } from '@podvisor/base';
import { withCondition, withoutCondition } from '../workloads/conditions.ts';
import { availableInMs, compareForDeletion, isActive, isAvailable, isReady } from '../workloads/pod-facts.ts';
import type { OwnedPods } from '../workloads/pod-control.ts';

/** At most so many creations or deletions in one go. */
const BURST = 500;

export interface ReplicaSetObservation {
  readonly set: ReplicaSet;
  readonly owned: OwnedPods;
  /** False while the cache does not show all that was done to the Pods. */
  readonly isUpToDate: boolean;
  readonly now: number;
}

export interface ReplicaSetPlan extends ReplicaPlan {
  readonly againInMs: number | undefined;
}

export function planReplicaSet({ set, owned, isUpToDate, now }: ReplicaSetObservation): ReplicaSetPlan {
  const mayAct = isUpToDate && set.metadata.deletionTimestamp === undefined;
  return {
    ...(mayAct ? planReplicas(set, owned.pods) : { create: 0, delete: [] }),
    againInMs: nextAvailableInMs(owned.pods, set.spec.minReadySeconds ?? 0, now),
  };
}

export interface ReplicaPlan {
  readonly create: number;
  readonly delete: readonly Pod[];
}

export function planReplicas({ spec }: ReplicaSet, pods: readonly Pod[]): ReplicaPlan {
  const active = pods.filter(isActive);
  const missing = (spec.replicas ?? 1) - active.length;
  if (missing >= 0) return { create: Math.min(missing, BURST), delete: [] };
  return {
    create: 0,
    delete: active.toSorted(compareForDeletion).slice(0, Math.min(-missing, BURST)),
  };
}

/** `failure`: why Pods could not be made or deleted in this round. */
export function replicaSetStatus(
  set: ReplicaSet,
  pods: readonly Pod[],
  now: number,
  failure?: { readonly reason: string; readonly message: string },
): ReplicaSetStatus {
  const active = pods.filter(isActive);
  const labels = { matchLabels: set.spec.template.metadata?.labels ?? {} };
  const old = set.status?.conditions ?? [];
  const conditions =
    failure === undefined
      ? withoutCondition(old, 'ReplicaFailure')
      : withCondition(old, { type: 'ReplicaFailure', status: 'True', ...failure }, rfc3339(now));
  const minReady = set.spec.minReadySeconds ?? 0;
  const some = (count: number): number | undefined => (count === 0 ? undefined : count);
  return {
    replicas: active.length,
    fullyLabeledReplicas: some(
      active.filter(({ metadata }) => matchesSelector(labels, metadata.labels)).length,
    ),
    readyReplicas: some(active.filter(isReady).length),
    availableReplicas: some(active.filter((pod) => isAvailable(pod, minReady, now)).length),
    observedGeneration: set.metadata.generation,
    ...(conditions.length === 0 ? {} : { conditions }),
  };
}

/** When the next ready Pod becomes available. */
export function nextAvailableInMs(
  pods: readonly Pod[],
  minReadySeconds: number,
  now: number,
): number | undefined {
  const waits = pods
    .filter(isActive)
    .map((pod) => availableInMs(pod, minReadySeconds, now))
    .filter((ms): ms is number => ms !== undefined && ms > 0);
  return waits.length === 0 ? undefined : Math.min(...waits);
}
