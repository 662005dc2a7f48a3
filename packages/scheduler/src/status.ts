/** What the scheduler writes about a Pod that it cannot place. */
import type { Condition, Pod } from '@podvisor/api';
import { rfc3339 } from '@podvisor/base';

/** The condition, or undefined when the Pod says so already. */
export function notScheduled(
  pod: Pod,
  reason: 'Unschedulable' | 'SchedulingGated',
  message: string,
  now: number,
): Condition | undefined {
  const old = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
  if (old?.status === 'False' && old.reason === reason && (old.message ?? '') === message) return undefined;
  const lastTransitionTime = old?.status === 'False' ? old.lastTransitionTime : undefined;
  return {
    type: 'PodScheduled',
    status: 'False',
    reason,
    message,
    lastProbeTime: null,
    lastTransitionTime: lastTransitionTime ?? rfc3339(now),
  };
}

/** Is this Pod waiting for us? */
export function isPending(pod: Pod): boolean {
  const scheduler = pod.spec.schedulerName ?? '';
  return (
    (pod.spec.nodeName ?? '') === '' &&
    pod.metadata.deletionTimestamp === undefined &&
    pod.status?.phase !== 'Succeeded' &&
    pod.status?.phase !== 'Failed' &&
    (scheduler === '' || scheduler === 'default-scheduler')
  );
}

/** Gates keep a Pod out of scheduling until their owners take them away. */
export function gatesOf(pod: Pod): string[] {
  return (pod.spec.schedulingGates ?? []).map(({ name }) => name);
}
