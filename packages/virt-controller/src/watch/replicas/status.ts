/** `status` of replica sets and pools. Pure. */
import type {
  LabelSelector,
  VirtualMachineInstanceReplicaSetStatus,
  VirtualMachinePoolStatus,
} from '@podvisor/api';
import { formatLabelSelector } from '@podvisor/kube';
import { type ReplicaState, replicaConditions } from './conditions.ts';

/** Both kinds tell the same. */
type ReplicaStatus = VirtualMachineInstanceReplicaSetStatus & VirtualMachinePoolStatus;

interface Owner {
  readonly spec: { readonly selector: LabelSelector };
  readonly status?: ReplicaStatus;
}

export function replicaStatus<T>(
  { spec, status }: Owner,
  active: readonly T[],
  isReady: (replica: T) => boolean,
  state: ReplicaState,
  nowMs: number,
): ReplicaStatus {
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
