/**
 * When a Pod must leave its node because of NoExecute taints. Pure. The taint of an unreachable node evicts
 * nobody: its kubelet could not stop the Pod, and when it is back it would stop a healthy one (unknown is
 * not gone).
 */
import type { Pod, Taint, Toleration } from '@podvisor/api';
import { tolerates } from '@podvisor/scheduler';
import { UNREACHABLE } from '../node-lifecycle/reconcile.ts';

export interface EvictionObservation {
  readonly pod: Pod;
  /** Of its node. */
  readonly taints: readonly Taint[];
  readonly now: number;
}

export type EvictionPlan =
  | { readonly kind: 'stay' }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'evict' };

export function planEviction({ pod, taints, now }: EvictionObservation): EvictionPlan {
  const at = evictionTime(pod, taints, now);
  if (at === undefined) return { kind: 'stay' };
  return at > now ? { kind: 'wait', ms: at - now } : { kind: 'evict' };
}

/** Epoch milliseconds at which the Pod has to go; undefined: it may stay. */
export function evictionTime(pod: Pod, taints: readonly Taint[], now: number): number | undefined {
  const times = taints
    .filter(({ effect, key }) => effect === 'NoExecute' && key !== UNREACHABLE)
    .map((taint) => endOfTolerance(taint, pod.spec.tolerations ?? [], now));
  const earliest = Math.min(...times);
  return Number.isFinite(earliest) ? earliest : undefined;
}

/** Of several tolerations for one taint the shortest counts, as in Kubernetes. */
function endOfTolerance(taint: Taint, tolerations: readonly Toleration[], now: number): number {
  const matching = tolerations.filter((toleration) => tolerates(toleration, taint));
  if (matching.length === 0) return now;
  const since = taint.timeAdded === undefined ? now : Date.parse(taint.timeAdded);
  const seconds = matching.map(({ tolerationSeconds }) =>
    tolerationSeconds === undefined ? Number.POSITIVE_INFINITY : Math.max(0, tolerationSeconds),
  );
  return since + 1000 * Math.min(...seconds);
}
