/** How far each ReplicaSet of a Deployment is scaled next. Pure. */
import type { Deployment, ReplicaSet } from '@podvisor/api';
import { countOf } from '../workloads/int-or-percent.ts';
import { byAge, DESIRED, MAX } from './revisions.ts';

export interface Limits {
  readonly replicas: number;
  /** Pods that may be missing. */
  readonly maxUnavailable: number;
  /** Pods that there may be beyond `replicas`. */
  readonly maxSurge: number;
}

export interface ScaleStep {
  readonly set: ReplicaSet;
  readonly replicas: number;
}

export function limitsOf({ spec }: Deployment): Limits {
  const replicas = spec.replicas ?? 1;
  if (spec.strategy?.type === 'Recreate') return { replicas, maxUnavailable: replicas, maxSurge: 0 };
  const { maxUnavailable = '25%', maxSurge = '25%' } = spec.strategy?.rollingUpdate ?? {};
  const surge = countOf(maxSurge, replicas, 'up');
  const missing = countOf(maxUnavailable, replicas, 'down');
  // Both zero would never move: one may be missing then.
  return { replicas, maxSurge: surge, maxUnavailable: surge === 0 && missing === 0 ? 1 : missing };
}

export const sizeOf = (set: ReplicaSet): number => set.spec.replicas ?? 0;
const availableOf = (set: ReplicaSet): number => set.status?.availableReplicas ?? 0;
const total = (sets: readonly ReplicaSet[], of: (set: ReplicaSet) => number): number =>
  sets.reduce((sum, set) => sum + of(set), 0);

/** Size of a set of today's template that does not exist yet. */
export function firstSize(deployment: Deployment, old: readonly ReplicaSet[]): number {
  const { replicas, maxSurge } = limitsOf(deployment);
  if (deployment.spec.strategy?.type === 'Recreate') return total(old, sizeOf) > 0 ? 0 : replicas;
  return Math.max(0, Math.min(replicas, replicas + maxSurge - total(old, sizeOf)));
}

/** One step of a rolling update: first the new set grows, then the old ones shrink. */
export function rollingSteps(
  deployment: Deployment,
  newest: ReplicaSet,
  old: readonly ReplicaSet[],
): ScaleStep[] {
  const limits = limitsOf(deployment);
  const up = growNewest(limits, newest, old);
  return up.length > 0 ? up : shrinkOld(limits, newest, old);
}

function growNewest(
  { replicas, maxSurge }: Limits,
  newest: ReplicaSet,
  old: readonly ReplicaSet[],
): ScaleStep[] {
  const size = sizeOf(newest);
  if (size > replicas) return [{ set: newest, replicas }];
  const room = replicas + maxSurge - size - total(old, sizeOf);
  const wanted = Math.min(replicas, size + Math.max(0, room));
  return wanted === size ? [] : [{ set: newest, replicas: wanted }];
}

function shrinkOld(
  { replicas, maxUnavailable }: Limits,
  newest: ReplicaSet,
  old: readonly ReplicaSet[],
): ScaleStep[] {
  const all = [...old, newest];
  const minAvailable = replicas - maxUnavailable;
  const newestMissing = sizeOf(newest) - availableOf(newest);
  let mayGo = total(all, sizeOf) - minAvailable - newestMissing;
  if (mayGo <= 0) return [];
  const sizes = new Map(old.map((set) => [set, sizeOf(set)]));
  // Pods that do not work help nobody: they go first.
  for (const set of byAge(old)) {
    const broken = Math.min(mayGo, Math.max(0, sizeOf(set) - availableOf(set)));
    sizes.set(set, sizeOf(set) - broken);
    mayGo -= broken;
  }
  let spare = total(all, availableOf) - minAvailable;
  for (const set of byAge(old)) {
    const size = sizes.get(set) ?? 0;
    const go = Math.max(0, Math.min(size, spare));
    sizes.set(set, size - go);
    spare -= go;
  }
  return [...sizes]
    .filter(([set, size]) => size !== sizeOf(set))
    .map(([set, size]) => ({ set, replicas: size }));
}

/** Recreate: nothing of the new before everything of the old is gone. `oldPods`: Pods of old sets that still run. */
export function recreateSteps(
  deployment: Deployment,
  newest: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
  oldPods: number,
): ScaleStep[] {
  const shrink = old.filter((set) => sizeOf(set) > 0).map((set) => ({ set, replicas: 0 }));
  if (shrink.length > 0 || oldPods > 0 || newest === undefined) return shrink;
  const { replicas } = limitsOf(deployment);
  return sizeOf(newest) === replicas ? [] : [{ set: newest, replicas }];
}

/** True when somebody changed the number of replicas since the sets were last sized. */
export function isScaling({ spec }: Deployment, sets: readonly ReplicaSet[]): boolean {
  return sets
    .filter((set) => sizeOf(set) > 0)
    .some(({ metadata }) => {
      const desired = metadata.annotations?.[DESIRED];
      return desired !== undefined && Number(desired) !== (spec.replicas ?? 1);
    });
}

/**
 * A changed number of replicas in the middle of a rollout, or while it is paused, is shared among the
 * sets in proportion to their sizes; the largest ones take the rest.
 */
export function scaleSteps(
  deployment: Deployment,
  newest: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
): ScaleStep[] {
  const { replicas, maxSurge } = limitsOf(deployment);
  const all = [...(newest === undefined ? [] : [newest]), ...old];
  const active = all.filter((set) => sizeOf(set) > 0);
  if (active.length <= 1) {
    const only = active[0] ?? newest;
    return only === undefined || sizeOf(only) === replicas ? [] : [{ set: only, replicas }];
  }
  const isRolling = deployment.spec.strategy?.type !== 'Recreate';
  const allowed = replicas > 0 && isRolling ? replicas + maxSurge : replicas;
  const now = total(active, sizeOf);
  let rest = allowed - now;
  const bySize = active.toSorted((a, b) => sizeOf(b) - sizeOf(a));
  const steps = bySize.map((set) => {
    const before = Number(set.metadata.annotations?.[MAX]) || now;
    const share = Math.round((sizeOf(set) * allowed) / before) - sizeOf(set);
    const step = rest > 0 ? Math.min(Math.max(share, 0), rest) : Math.max(Math.min(share, 0), rest);
    rest -= step;
    return { set, replicas: sizeOf(set) + step };
  });
  const [first] = steps;
  if (first !== undefined && rest !== 0)
    steps[0] = { set: first.set, replicas: Math.max(0, first.replicas + rest) };
  return steps;
}
