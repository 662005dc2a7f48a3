/** What controllers ask about a Pod. Pure. */
import { type Condition, type Pod, isPodEnded } from '@podvisor/api';

export function conditionOf(pod: Pod, type: string): Condition | undefined {
  return pod.status?.conditions?.find((condition) => condition.type === type);
}

export function isReady(pod: Pod): boolean {
  return conditionOf(pod, 'Ready')?.status === 'True';
}

export function isTerminating(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp !== undefined;
}

/** Neither finished nor on its way out: it counts as a replica. */
export function isActive(pod: Pod): boolean {
  return !isPodEnded(pod) && !isTerminating(pod);
}

/** Milliseconds until a ready Pod has been ready for long enough; 0: it has; undefined: it is not ready. */
export function availableInMs(pod: Pod, minReadySeconds: number, now: number): number | undefined {
  const ready = conditionOf(pod, 'Ready');
  if (ready?.status !== 'True') return undefined;
  if (minReadySeconds === 0) return 0;
  const since = Date.parse(ready.lastTransitionTime ?? '');
  return Number.isNaN(since) ? undefined : Math.max(0, since + minReadySeconds * 1000 - now);
}

export function isAvailable(pod: Pod, minReadySeconds: number, now: number): boolean {
  return availableInMs(pod, minReadySeconds, now) === 0;
}

/**
 * Which of two Pods to lose first: without a node before with one, Pending before Running, unready before
 * ready, deletion cost, then the one that is ready or alive for a shorter time.
 */
export function compareForDeletion(a: Pod, b: Pod): number {
  const phases = { Pending: 0, Unknown: 1, Running: 2, Succeeded: 2, Failed: 2 };
  const rank = (pod: Pod): readonly number[] => [
    pod.spec.nodeName === undefined || pod.spec.nodeName === '' ? 0 : 1,
    phases[pod.status?.phase ?? 'Pending'],
    isReady(pod) ? 1 : 0,
    Number(pod.metadata.annotations?.['controller.kubernetes.io/pod-deletion-cost'] ?? 0) || 0,
    -timeOf(conditionOf(pod, 'Ready')?.lastTransitionTime),
    -Math.max(0, ...(pod.status?.containerStatuses ?? []).map(({ restartCount }) => restartCount)),
    -timeOf(pod.metadata.creationTimestamp),
  ];
  const [left, right] = [rank(a), rank(b)];
  for (const [i, value] of left.entries()) {
    const difference = value - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1;
}

function timeOf(text: string | undefined): number {
  return text === undefined ? 0 : Date.parse(text) || 0;
}
