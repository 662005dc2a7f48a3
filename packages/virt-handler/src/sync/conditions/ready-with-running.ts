/**
 * Ready, told in the write that says Running. Pure.
 *
 * virt-controller owns Ready: it mirrors the launcher Pod while the guest runs, and corrects it. That the guest begins
 * to run this node knows first, and it sees the same Pod: where the Pod is Ready by then, one write tells both, in
 * virt-controller's words, which finds nothing to add. Wherever anything else has a say (a probe that has not passed, a
 * guest that starts paused, a Pod that goes), nothing is said here.
 */
import type { DomainState, Pod, VMICondition, VirtualMachineInstance } from '@podvisor/api';

export function withReadyAtStart(
  conditions: readonly VMICondition[],
  vmi: VirtualMachineInstance,
  pod: Pod | undefined,
  domain: DomainState,
  now: string,
): readonly VMICondition[] {
  if (vmi.status?.phase === 'Running' || domain.state === 'Paused') return conditions;
  if (pod?.metadata.deletionTimestamp !== undefined || pod?.status?.phase !== 'Running') return conditions;
  const ready = pod.status.conditions?.find(({ type }) => type === 'Ready');
  if (ready?.status !== 'True') return conditions;
  const { reason, message } = ready;
  const told: VMICondition = {
    type: 'Ready',
    status: 'True',
    ...(reason === undefined ? {} : { reason }),
    ...(message === undefined ? {} : { message }),
    lastTransitionTime: now,
  };
  const index = conditions.findIndex(({ type }) => type === 'Ready');
  return index < 0 ? [...conditions, told] : conditions.with(index, told);
}
