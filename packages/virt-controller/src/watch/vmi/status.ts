/** Pieces of the VMI's status that the controller writes. Pure. */
import { annotations, labels, type Pod, type VirtualMachineInstance, type VMIStatus } from '@podvisor/api';
import { Amount, parseQuantity, rfc3339 } from '@podvisor/base';
import { type JsonPatchOperation, guardedChange, stillHas } from '@podvisor/kube';
import { type Condition, setCondition } from '../conditions.ts';
import { readyCondition, withPodScheduled, withSyncProblem } from './conditions.ts';
import { isPodFinal } from './pod-state.ts';
import { type VolumeView, volumeStatusSeeds } from './volumes.ts';

/** Moves to `phase` and stamps the time of its first entry. */
export function enterPhase(status: VMIStatus, phase: string, nowMs: number): VMIStatus {
  const known = status.phaseTransitionTimestamps ?? [];
  const stamps = known.some((t) => t.phase === phase)
    ? known
    : [...known, { phase, phaseTransitionTimestamp: rfc3339(nowMs) }];
  return { ...status, phase, phaseTransitionTimestamps: stamps };
}

/** When the Pod was made: the VMI has been Scheduling since then, whenever that is written. */
export function podCreatedMs(pod: Pod, nowMs: number): number {
  const created = Date.parse(pod.metadata.creationTimestamp ?? '');
  return Number.isNaN(created) ? nowMs : Math.min(created, nowMs);
}

/** UID → node of the launcher Pods that have a node. One that the guest has left counts until it has ended. */
export function activePods(
  { status }: VirtualMachineInstance,
  pods: readonly Pod[],
): Readonly<Record<string, string>> {
  const { nodeName } = status ?? {};
  const bound = pods.filter(
    (pod) =>
      pod.spec.nodeName !== undefined &&
      (nodeName === undefined || pod.spec.nodeName === nodeName || !isPodFinal(pod)),
  );
  return Object.fromEntries(bound.map((pod) => [pod.metadata.uid ?? '', pod.spec.nodeName ?? '']));
}

/** Conditions while the controller still owns the whole status. */
export function conditionsBeforeHandOver(
  vmi: VirtualMachineInstance,
  pod: Pod | undefined,
  problem: { readonly reason: string; readonly message: string } | undefined,
  nowMs: number,
): readonly Condition[] {
  let conditions: readonly Condition[] = vmi.status?.conditions ?? [];
  conditions = withPodScheduled(conditions, pod, nowMs);
  conditions = withSyncProblem(conditions, problem, nowMs);
  return setCondition(conditions, readyCondition(vmi, pod), nowMs);
}

/** What the webhook and this controller write before the hand-over. */
const BEFORE_HAND_OVER = [
  'changedBlockTracking',
  'currentCPUTopology',
  'guestOSInfo',
  'memory',
  'phase',
  'phaseTransitionTimestamps',
  'reason',
  'runtimeUser',
  'virtualMachineRevisionName',
] as const satisfies readonly (keyof VMIStatus)[];

/**
 * The status of a VMI that no node has run yet. Whatever else is in it nobody of us wrote: migrations, addresses,
 * plugged volumes and Pods begin with the hand-over.
 */
function bornStatus(status: VMIStatus): VMIStatus {
  const kept = BEFORE_HAND_OVER.filter((field) => status[field] !== undefined);
  return Object.fromEntries(kept.map((field) => [field, status[field]]));
}

/** The one write that hands the VMI over to virt-handler: node label and status together. */
export function handedOver(
  vmi: VirtualMachineInstance,
  pod: Pod,
  pods: readonly Pod[],
  volumes: VolumeView,
  nowMs: number,
): VirtualMachineInstance {
  const nodeName = pod.spec.nodeName ?? '';
  const overhead = pod.metadata.annotations?.[annotations.memoryOverheadBytes];
  const scheduling = enterPhase(bornStatus(vmi.status ?? {}), 'Scheduling', podCreatedMs(pod, nowMs));
  return {
    ...vmi,
    metadata: { ...vmi.metadata, labels: { ...vmi.metadata?.labels, [labels.nodeName]: nodeName } },
    status: {
      ...enterPhase(scheduling, 'Scheduled', nowMs),
      nodeName,
      activePods: activePods(vmi, pods),
      conditions: conditionsBeforeHandOver(vmi, pod, undefined, nowMs),
      volumeStatus: volumeStatusSeeds(vmi, volumes),
      migrationTransport: 'Unix',
      qosClass: pod.status?.qosClass,
      launcherContainerImageVersion: pod.spec.containers.find((c) => c.name === 'compute')?.image,
      memory:
        overhead === undefined
          ? vmi.status?.memory
          : {
              ...vmi.status?.memory,
              memoryOverhead: Amount.ofBytes(parseQuantity(overhead).value()).toString(),
            },
    },
  };
}

/** A patch of the status that holds only while the phase and the replaced values are what we saw. */
export function guardedPatch(
  vmi: VirtualMachineInstance,
  changes: Partial<VMIStatus>,
): readonly JsonPatchOperation[] {
  const old: VMIStatus = vmi.status ?? {};
  const operations = Object.entries(changes).flatMap(([field, value]) =>
    guardedChange(`/status/${field}`, old[field as keyof VMIStatus], value),
  );
  return 'phase' in changes ? operations : [stillHas('/status/phase', old.phase), ...operations];
}
