/** `status` of a replica set. Pure. */
import type {
  VirtualMachineInstance,
  VirtualMachineInstanceReplicaSet,
  VirtualMachineInstanceReplicaSetStatus,
} from '@podvisor/api';
import { formatLabelSelector } from '@podvisor/kube';
import { type ReplicaState, replicaConditions } from '../replicas/conditions.ts';
import { isReady } from './reconcile.ts';

export function replicaSetStatus(
  { spec, status }: VirtualMachineInstanceReplicaSet,
  active: readonly VirtualMachineInstance[],
  state: ReplicaState,
  nowMs: number,
): VirtualMachineInstanceReplicaSetStatus {
  const conditions = replicaConditions(status?.conditions ?? [], state, nowMs);
  const { conditions: _conditions, ...rest } = status ?? {};
  return {
    ...rest,
    labelSelector: formatLabelSelector(spec.selector),
    replicas: active.length,
    readyReplicas: active.filter(isReady).length,
    ...(conditions.length > 0 ? { conditions } : {}),
  };
}
