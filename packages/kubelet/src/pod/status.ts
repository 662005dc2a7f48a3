/** The status of a Pod from what is observed. Pure; what did not change keeps its time. */
import type { Condition, ContainerStatus, Pod, PodStatus } from '@podvisor/api';
import { rfc3339 } from '@podvisor/base';
import { containerStatus } from './container-status.ts';
import { failedInit } from './plan.ts';
import { qosClass } from './qos.ts';
import { initContainers, isSidecar, type ObservedPod } from './types.ts';

export function podStatus(
  pod: Pod,
  observed: ObservedPod,
  hostIps: readonly string[],
  nowMs: number,
): PodStatus {
  const status = (container: (typeof pod.spec.containers)[number]): ContainerStatus =>
    containerStatus(pod, container, observed, nowMs);
  const inits = initContainers(pod).map(status);
  const mains = pod.spec.containers.map(status);
  const phase = podPhase(pod, observed, mains);
  // The addresses stay in the status after the end: they are part of the Pod's story.
  const ips =
    observed.sandbox.ips.length > 0 ? observed.sandbox.ips : (pod.status?.podIPs ?? []).map((x) => x.ip);
  const [podIP] = ips;
  const { reason, message } = observed.rejected ?? {};
  return {
    phase,
    conditions: conditions(pod, observed, phase, inits, mains, rfc3339(nowMs)),
    ...(reason === undefined ? {} : { reason, message }),
    hostIP: hostIps[0] ?? '',
    hostIPs: hostIps.map((ip) => ({ ip })),
    ...(podIP === undefined ? {} : { podIP, podIPs: ips.map((ip) => ({ ip })) }),
    startTime: pod.status?.startTime ?? rfc3339(nowMs),
    ...(inits.length === 0 ? {} : { initContainerStatuses: inits }),
    containerStatuses: mains,
    qosClass: pod.status?.qosClass ?? qosClass(pod),
  };
}

function podPhase(pod: Pod, observed: ObservedPod, mains: readonly ContainerStatus[]): PodStatus['phase'] {
  const known = pod.status?.phase;
  if (known === 'Succeeded' || known === 'Failed') return known;
  if (observed.rejected !== undefined || failedInit(pod, observed) !== undefined) return 'Failed';
  const policy = pod.spec.restartPolicy ?? 'Always';
  const isDeleted = pod.metadata.deletionTimestamp !== undefined;
  const ended = mains.filter((s) => s.state?.terminated !== undefined);
  if (ended.length === mains.length && (policy !== 'Always' || isDeleted)) {
    const failed = ended.some((s) => s.state?.terminated?.exitCode !== 0);
    if (!failed) return 'Succeeded';
    if (policy === 'Never' || isDeleted) return 'Failed';
    return 'Running';
  }
  const neverStarted = mains.some(
    (s) => s.state?.waiting !== undefined && s.lastState?.terminated === undefined,
  );
  return neverStarted ? 'Pending' : 'Running';
}

type Draft = Pick<Condition, 'type' | 'status'> & { readonly reason?: string; readonly message?: string };

function conditions(
  pod: Pod,
  observed: ObservedPod,
  phase: PodStatus['phase'],
  inits: readonly ContainerStatus[],
  mains: readonly ContainerStatus[],
  now: string,
): readonly Condition[] {
  const isFinal = phase === 'Succeeded' || phase === 'Failed';
  const containersReady = containersReadyCondition(pod, phase, inits, mains);
  const drafts: Draft[] = [
    {
      type: 'PodReadyToStartContainers',
      status: observed.sandbox.kind === 'ready' && !isFinal ? 'True' : 'False',
    },
    initialized(pod, phase, inits, mains),
    readyCondition(pod, containersReady),
    containersReady,
    { type: 'PodScheduled', status: 'True' },
  ];
  return drafts.map((draft) => keepTime(draft, pod, now));
}

function keepTime(draft: Draft, pod: Pod, now: string): Condition {
  const old = pod.status?.conditions?.find((c) => c.type === draft.type);
  const unchanged = old !== undefined && old.status === draft.status;
  return {
    ...draft,
    lastProbeTime: null,
    lastTransitionTime: unchanged ? (old.lastTransitionTime ?? now) : now,
  };
}

function initialized(
  pod: Pod,
  phase: PodStatus['phase'],
  inits: readonly ContainerStatus[],
  mains: readonly ContainerStatus[],
): Draft {
  const type = 'Initialized';
  if (phase === 'Succeeded') return { type, status: 'True', reason: 'PodCompleted' };
  const began = mains.some((s) => s.restartCount > 0 || s.containerID !== undefined);
  const pending = initContainers(pod)
    .filter((container, i) => {
      const status = inits[i];
      return isSidecar(container) ? status?.started !== true : status?.state?.terminated?.exitCode !== 0;
    })
    .map((container) => container.name);
  if (began || pending.length === 0) return { type, status: 'True' };
  return {
    type,
    status: 'False',
    reason: 'ContainersNotInitialized',
    message: `containers with incomplete status: [${pending.join(' ')}]`,
  };
}

function containersReadyCondition(
  pod: Pod,
  phase: PodStatus['phase'],
  inits: readonly ContainerStatus[],
  mains: readonly ContainerStatus[],
): Draft {
  const type = 'ContainersReady';
  if (phase === 'Succeeded') return { type, status: 'False', reason: 'PodCompleted' };
  if (phase === 'Failed') return { type, status: 'False', reason: 'PodFailed' };
  const sidecars = inits.filter((_, i) => {
    const container = initContainers(pod)[i];
    return container !== undefined && isSidecar(container);
  });
  const unready = [...sidecars, ...mains].filter((s) => !s.ready).map((s) => s.name);
  if (unready.length === 0) return { type, status: 'True' };
  return {
    type,
    status: 'False',
    reason: 'ContainersNotReady',
    message: `containers with unready status: [${unready.join(' ')}]`,
  };
}

/** Ready = all containers ready and every readiness gate True. */
function readyCondition(pod: Pod, containersReady: Draft): Draft {
  const type = 'Ready';
  if (containersReady.status !== 'True') return { ...containersReady, type };
  const gates = (pod.spec.readinessGates ?? []).flatMap(({ conditionType }) => {
    const found = pod.status?.conditions?.find((c) => c.type === conditionType);
    if (found === undefined)
      return [`corresponding condition of pod readiness gate "${conditionType}" does not exist.`];
    if (found.status === 'True') return [];
    return [`the status of pod readiness gate "${conditionType}" is not "True", but ${found.status}`];
  });
  if (gates.length === 0) return { type, status: 'True' };
  return { type, status: 'False', reason: 'ReadinessGatesNotReady', message: gates.join(', ') };
}
