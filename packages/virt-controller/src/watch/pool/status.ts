/** `status` of a pool. Pure. */
import type { VirtualMachine, VirtualMachinePool, VirtualMachinePoolStatus } from '@podvisor/api';
import { formatLabelSelector } from '@podvisor/kube';
import { type ReplicaState, replicaConditions } from '../replicas/conditions.ts';

export function poolStatus(
  { spec, status }: VirtualMachinePool,
  active: readonly VirtualMachine[],
  state: ReplicaState,
  nowMs: number,
): VirtualMachinePoolStatus {
  const conditions = replicaConditions(status?.conditions ?? [], state, nowMs);
  const { conditions: _conditions, ...rest } = status ?? {};
  return {
    ...rest,
    labelSelector: formatLabelSelector(spec.selector),
    replicas: active.length,
    readyReplicas: active.filter((vm) => vm.status?.ready === true).length,
    ...(conditions.length > 0 ? { conditions } : {}),
  };
}
