/** Conditions of a VMI that the controller owns: Ready, PodScheduled, and Synchronized before hand-over. Pure. */
import { conditionReasons, type Pod, type VirtualMachineInstance } from '@podvisor/api';
import { type Condition, findCondition, removeCondition, setCondition } from '../conditions.ts';
import { isPaused } from '../vmi-phase.ts';
import { isPodDeleting, isPodFinal, podCondition } from './pod-state.ts';

type Wanted = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

/** Ready mirrors the Pod while the guest runs; otherwise it says what is missing. */
export function readyCondition(vmi: VirtualMachineInstance, pod: Pod | undefined): Wanted {
  const no = (reason: string, message: string): Wanted => ({
    type: 'Ready',
    status: 'False',
    reason,
    message,
  });
  if (pod === undefined)
    return no(conditionReasons.podNotExists, 'virt-launcher pod has not yet been scheduled');
  if (isPodDeleting(pod) || isPodFinal(pod)) {
    return no(conditionReasons.podTerminating, 'virt-launcher pod is terminating');
  }
  if (vmi.status?.phase !== 'Running') {
    return no(conditionReasons.guestNotRunning, 'Guest VM is not reported as running');
  }
  const ready = podCondition(pod, 'Ready');
  if (ready === undefined) {
    return no(conditionReasons.podConditionMissing, 'virt-launcher pod is missing the Ready condition');
  }
  if (ready.status !== 'True' && isReadyAlready(vmi, pod)) return { type: 'Ready', status: 'True' };
  return { type: 'Ready', status: ready.status, reason: ready.reason, message: ready.message };
}

/**
 * virt-handler may say Ready together with Running, when no probe has a say. The Pod then only waits for the
 * kubelet to look at the gate that we have opened: that is not worth two writes.
 */
function isReadyAlready(vmi: VirtualMachineInstance, pod: Pod): boolean {
  const told = findCondition(vmi.status?.conditions, 'Ready')?.status === 'True';
  const containersReady = podCondition(pod, 'ContainersReady')?.status === 'True';
  return told && containersReady && vmi.spec.readinessProbe === undefined && !isPaused(vmi);
}

/** The Pod's PodScheduled is copied only while it is False. */
export function withPodScheduled(
  conditions: readonly Condition[],
  pod: Pod | undefined,
  nowMs: number,
): readonly Condition[] {
  const scheduled = pod === undefined ? undefined : podCondition(pod, 'PodScheduled');
  if (scheduled?.status !== 'False') return removeCondition(conditions, 'PodScheduled');
  const { reason, message } = scheduled;
  return setCondition(conditions, { type: 'PodScheduled', status: 'False', reason, message }, nowMs);
}

/**
 * Synchronized=False with this problem, or no such condition. A new problem with the same reason keeps the
 * first message, as clients of KubeVirt know it.
 */
export function withSyncProblem(
  conditions: readonly Condition[],
  problem: { readonly reason: string; readonly message: string } | undefined,
  nowMs: number,
): readonly Condition[] {
  if (problem === undefined) return removeCondition(conditions, 'Synchronized');
  const old = findCondition(conditions, 'Synchronized');
  if (old?.status === 'False' && old.reason === problem.reason) return conditions;
  return setCondition(conditions, { type: 'Synchronized', status: 'False', ...problem }, nowMs);
}
