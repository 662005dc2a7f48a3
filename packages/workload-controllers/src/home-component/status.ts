/** Status of a workload whose Pods are processes of the home: as many as there are, all of them up to date. Pure. */
import type { DaemonSet, DaemonSetStatus, Deployment, DeploymentStatus, Pod } from '@podvisor/api';
import { rfc3339 } from '@podvisor/base';
import { isReady } from '../workloads/pod-facts.ts';

/** What stands for processes of the home under one name, and the Pods that mirror them. */
export interface HomeComponentObservation {
  readonly deployment: Deployment | undefined;
  readonly daemonSet: DaemonSet | undefined;
  readonly pods: readonly Pod[];
  readonly now: number;
}

export interface HomeComponentPlan {
  readonly deployment: DeploymentStatus | undefined;
  readonly daemonSet: DaemonSetStatus | undefined;
}

export function planHomeComponent({
  deployment,
  daemonSet,
  pods,
  now,
}: HomeComponentObservation): HomeComponentPlan {
  return {
    deployment: deployment === undefined ? undefined : deploymentStatusOf(deployment, pods, now),
    daemonSet: daemonSet === undefined ? undefined : daemonSetStatusOf(daemonSet, pods),
  };
}

function deploymentStatusOf(
  { metadata, spec, status }: Deployment,
  pods: readonly Pod[],
  nowMs: number,
): DeploymentStatus {
  const ready = pods.filter(isReady).length;
  const wanted = spec.replicas ?? 1;
  const isAvailable = ready >= wanted;
  const condition = (type: string, holds: boolean, reason: string, message: string) => {
    const old = status?.conditions?.find((c) => c.type === type);
    const now = rfc3339(nowMs);
    const is = holds ? ('True' as const) : ('False' as const);
    const changed = old?.status !== is || old.reason !== reason;
    return {
      type,
      status: is,
      reason,
      message,
      lastUpdateTime: changed ? now : (old.lastUpdateTime ?? now),
      lastTransitionTime: old?.status === is ? (old.lastTransitionTime ?? now) : now,
    };
  };
  return {
    ...(metadata.generation === undefined ? {} : { observedGeneration: metadata.generation }),
    replicas: pods.length,
    updatedReplicas: pods.length,
    ...(ready === 0 ? {} : { readyReplicas: ready, availableReplicas: ready }),
    ...(isAvailable ? {} : { unavailableReplicas: wanted - ready }),
    conditions: [
      isAvailable
        ? condition('Available', true, 'MinimumReplicasAvailable', 'The process of the home is ready.')
        : condition(
            'Available',
            false,
            'MinimumReplicasUnavailable',
            'The process of the home is not ready.',
          ),
      condition(
        'Progressing',
        true,
        'NewReplicaSetAvailable',
        'The supervisor of the home keeps the process.',
      ),
    ],
  };
}

function daemonSetStatusOf({ metadata }: DaemonSet, pods: readonly Pod[]): DaemonSetStatus {
  const ready = pods.filter(isReady).length;
  const missing = pods.length - ready;
  return {
    ...(metadata.generation === undefined ? {} : { observedGeneration: metadata.generation }),
    currentNumberScheduled: pods.length,
    desiredNumberScheduled: pods.length,
    updatedNumberScheduled: pods.length,
    numberMisscheduled: 0,
    numberReady: ready,
    ...(ready === 0 ? {} : { numberAvailable: ready }),
    ...(missing === 0 ? {} : { numberUnavailable: missing }),
  };
}
