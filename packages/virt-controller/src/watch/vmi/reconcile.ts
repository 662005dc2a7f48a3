/**
 * The VMI controller's decisions: the launcher Pod and the phases up to `Scheduled`, and afterwards only
 * what the control plane knows better than the node. Pure.
 *
 * Unknown is not gone: a Pod that the cache does not show is `Absent` only after a consistent read. Until
 * then the plan asks for one (`needsProof`) and does nothing.
 */
import {
  annotations,
  finalizers,
  type Pod,
  unpausedReadinessGate,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { deepEqual } from '@podvisor/base';
import type { JsonPatchOperation } from '@podvisor/kube';
import type { AttachedClaim } from '@podvisor/translate';
import { setCondition } from '../conditions.ts';
import { isControlledBy } from '../ownership.ts';
import type { Event } from '../recorder.ts';
import { isDeleting, isFinal, isPaused, isUnprocessed } from '../vmi-phase.ts';
import { readyCondition } from './conditions.ts';
import { vmiEvents } from './events.ts';
import {
  imagePullTrouble,
  isPodDeleting,
  isPodFinal,
  isPodReadyForHandOver,
  podCondition,
} from './pod-state.ts';
import {
  activePods,
  conditionsBeforeHandOver,
  enterPhase,
  guardedPatch,
  handedOver,
  podCreatedMs,
} from './status.ts';
import { withNetworkMigration } from './network-migration.ts';
import { missingNetworkInfo, POD_NETWORKS } from './pod-networks.ts';
import { runningPodNetworks } from './replaced-networks.ts';
import { isProvisioningPod } from './provisioning-pod.ts';
import { planVolumes, type VolumesPlan } from '../volumes/plan.ts';
import { type VolumeView, volumeReadiness } from './volumes.ts';

export interface VmiObservation {
  readonly vmi: VirtualMachineInstance;
  /** Pods that this VMI manages, by UID. */
  readonly pods: readonly Pod[];
  /** `pods` comes from a consistent read, not from the cache. */
  readonly podsProven: boolean;
  /** False while the cache does not show what the last pass did. */
  readonly cacheCaughtUp: boolean;
  readonly volumes: VolumeView;
  /** The VM that owns this VMI exists. */
  readonly ownerVmExists: boolean;
  /** virt-handler of the VMI's node has been silent for longer than the node timeout. */
  readonly handlerSilent: boolean;
  /** Attachment Pods that the launcher Pods own. */
  readonly attachmentPods: readonly Pod[];
  /** Further networks that a new launcher Pod would name; empty: none. */
  readonly podNetworks?: string;
  readonly nowMs: number;
}

export type VmiAction =
  | { readonly kind: 'createPod' }
  | { readonly kind: 'createStateClaim' }
  /** A Pod that binds the claims, before the launcher. */
  | { readonly kind: 'createProvisioningPod' }
  | { readonly kind: 'deletePod'; readonly pod: Pod }
  | {
      readonly kind: 'createAttachmentPod';
      readonly launcher: Pod;
      readonly claims: readonly AttachedClaim[];
      readonly others: readonly Pod[];
    }
  | { readonly kind: 'setPodNetworks'; readonly pod: Pod; readonly networks: string }
  /** Tells the launcher which devices serve its networks. */
  | { readonly kind: 'setNetworkInfo'; readonly pod: Pod; readonly info: string }
  /** Tells the descheduler that the guest is leaving, or is not any more. */
  | { readonly kind: 'markEviction'; readonly pod: Pod; readonly leaves: boolean }
  | { readonly kind: 'gatePod'; readonly pod: Pod; readonly unpaused: boolean }
  /** Replaces the object: only while the controller owns the whole status. */
  | { readonly kind: 'update'; readonly vmi: VirtualMachineInstance }
  | { readonly kind: 'patch'; readonly patch: readonly JsonPatchOperation[] }
  | { readonly kind: 'event'; readonly event: Event };

export interface VmiPlan {
  readonly actions: readonly VmiAction[];
  /** Nothing is decided before the Pods were read consistently. */
  readonly needsProof?: boolean;
  readonly requeueAfterMs?: number;
}

/**
 * A Pod that runs within this time costs no write of its own for the phase Scheduling: the hand-over tells
 * it too, with the time of the Pod's creation. Whatever goes wrong is told at once.
 */
const SCHEDULING_GRACE_MS = 2_000;

/** An event that never comes must not stop a VMI for ever. */
const RECHECK_MS = 60_000;

const NOTHING: VmiPlan = { actions: [] };
const PROOF: VmiPlan = { actions: [], needsProof: true };

export function reconcileVmi(observed: VmiObservation): VmiPlan {
  const { vmi } = observed;
  if (!observed.cacheCaughtUp && !observed.podsProven) return { actions: [], requeueAfterMs: RECHECK_MS };
  const phases = planPhase(
    { ...observed, pods: observed.pods.filter((pod) => !isProvisioningPod(pod)) },
    observed.pods,
  );
  if (phases.needsProof) return phases;
  const early = [
    ...planPodDeletion(vmi, observed.pods),
    ...forsaken(observed),
    ...networkInfos(vmi, observed.pods),
  ];
  return { ...phases, actions: [...early, ...phases.actions] };
}

function planPhase(observed: VmiObservation, allPods: readonly Pod[]): VmiPlan {
  const { vmi, pods } = observed;
  if (isFinal(vmi)) return planFinal(observed);
  const pod = launcherPod(vmi, pods);
  if (isUnprocessed(vmi))
    return pod === undefined
      ? planWithoutPod(observed, allPods.filter(isProvisioningPod))
      : planScheduling(observed, pod);
  if (vmi.status?.phase === 'Scheduling') return planScheduling(observed, pod);
  return planHandedOver(observed, pod);
}

/**
 * The Pod that runs, or will run, the guest: the newest on the VMI's node if it has one, else the newest. A Pod on
 * another node is one that the guest has left, or may move to; neither says how the guest is.
 */
function launcherPod(vmi: VirtualMachineInstance, pods: readonly Pod[]): Pod | undefined {
  const nodeName = vmi.status?.nodeName;
  const candidates = nodeName === undefined ? pods : pods.filter((pod) => pod.spec.nodeName === nodeName);
  return candidates.toSorted((a, b) =>
    (b.metadata.creationTimestamp ?? '').localeCompare(a.metadata.creationTimestamp ?? ''),
  )[0];
}

/** A VMI that is being deleted takes its Pods along; the launcher shuts the guest down on SIGTERM. */
function planPodDeletion(vmi: VirtualMachineInstance, pods: readonly Pod[]): readonly VmiAction[] {
  if (!isDeleting(vmi)) return [];
  return pods.filter((pod) => !isPodDeleting(pod)).map((pod) => ({ kind: 'deletePod', pod }));
}

/** A launcher Pod that has ended, also after a migration, needs its claims no more. */
function forsaken({ pods, attachmentPods }: VmiObservation): readonly VmiAction[] {
  const ended = pods.filter(isPodFinal);
  return attachmentPods
    .filter((pod) => !isPodDeleting(pod) && ended.some((launcher) => isControlledBy(pod, launcher)))
    .map((pod) => ({ kind: 'deletePod', pod }));
}

function planWithoutPod(observed: VmiObservation, provisioners: readonly Pod[]): VmiPlan {
  const { vmi, podsProven, volumes, nowMs } = observed;
  if (isDeleting(vmi)) return podsProven ? failAndRelease(observed) : PROOF;
  const readiness = volumeReadiness(vmi, volumes);
  switch (readiness.kind) {
    case 'ready':
      // It has done its part; the launcher comes when it is gone, or both would want the same room.
      if (provisioners.length > 0)
        return {
          actions: provisioners
            .filter((pod) => !isPodDeleting(pod))
            .map((pod) => ({ kind: 'deletePod', pod })),
        };
      return { actions: [{ kind: 'createPod' }] };
    case 'failed':
      return fail(observed, undefined);
    case 'missingState':
      return { actions: [{ kind: 'createStateClaim' }] };
    case 'missingClaim': {
      const message = `PVC ${vmi.metadata?.namespace}/${readiness.name} does not exist, waiting for it to appear`;
      const waiting = pending(vmi, { reason: 'FailedPvcNotFound', message }, nowMs);
      return withEventOnChange(vmi, waiting, vmiEvents.claimMissing(message));
    }
    case 'filling': {
      const message = `DataVolume ${readiness.name} is in phase ${readiness.phase || 'Pending'}`;
      const conditions = setCondition(
        vmi.status?.conditions ?? [],
        { type: 'Provisioning', status: 'True', reason: 'DataVolumeNotReady', message },
        nowMs,
      );
      const told = writeIfChanged(vmi, { ...vmi, status: { ...vmi.status, phase: 'Pending', conditions } });
      const consume = AWAITS_CONSUMER.has(readiness.phase) && provisioners.length === 0;
      return consume ? { ...told, actions: [...told.actions, { kind: 'createProvisioningPod' }] } : told;
    }
  }
}

/** Phases of a DataVolume that is filled when a Pod needs its claim. */
const AWAITS_CONSUMER: ReadonlySet<string> = new Set(['WaitForFirstConsumer', 'PendingPopulation']);

/** Pending, because of a problem that somebody else has to solve. */
function pending(
  vmi: VirtualMachineInstance,
  problem: { readonly reason: string; readonly message: string },
  nowMs: number,
): VirtualMachineInstance {
  const conditions = setCondition(
    conditionsBeforeHandOver(vmi, undefined, problem, nowMs),
    { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: problem.message },
    nowMs,
  );
  return { ...vmi, status: { ...enterPhase(vmi.status ?? {}, 'Pending', nowMs), conditions } };
}

function planScheduling(observed: VmiObservation, pod: Pod | undefined): VmiPlan {
  const { vmi, pods, podsProven, volumes, nowMs } = observed;
  if (pod === undefined) return podsProven ? fail(observed, undefined) : PROOF;
  if (isPodFinal(pod) || isPodDeleting(pod)) return fail(observed, pod);
  if (isPodReadyForHandOver(pod) && !isDeleting(vmi)) {
    if (vmi.spec.domain.cpu?.dedicatedCpuPlacement === true && pod.status?.qosClass !== 'Guaranteed') {
      return { actions: [{ kind: 'event', event: vmiEvents.notGuaranteed() }] };
    }
    // The gate opens first: the Pod is Ready by the time the guest runs, and costs no write then.
    return {
      actions: [...gate(vmi, pod), { kind: 'update', vmi: handedOver(vmi, pod, pods, volumes, nowMs) }],
    };
  }
  const trouble = imagePullTrouble(pod);
  const conditions = conditionsBeforeHandOver(vmi, pod, trouble, nowMs);
  const createdMs = podCreatedMs(pod, nowMs);
  const next = { ...vmi, status: { ...enterPhase(vmi.status ?? {}, 'Scheduling', createdMs), conditions } };
  const waitMs = createdMs + SCHEDULING_GRACE_MS - nowMs;
  const nothingToTell = trouble === undefined && podCondition(pod, 'PodScheduled')?.status !== 'False';
  if (isUnprocessed(vmi) && !isDeleting(vmi) && nothingToTell && waitMs > 0) {
    return { actions: [], requeueAfterMs: waitMs };
  }
  return trouble === undefined
    ? writeIfChanged(vmi, next)
    : withEventOnChange(vmi, next, vmiEvents.imageTrouble(trouble.reason, trouble.message));
}

/** virt-handler owns the status: only guarded patches, and only of what it cannot know. */
function planHandedOver(observed: VmiObservation, pod: Pod | undefined): VmiPlan {
  const { vmi, pods, podsProven, handlerSilent, nowMs } = observed;
  if (pod === undefined) {
    if (!podsProven) return PROOF;
    if (mayHaveMoved(vmi, pods)) return { actions: [], requeueAfterMs: RECHECK_MS };
    return failHandedOver(observed, handlerSilent ? 'NodeUnresponsive' : undefined);
  }
  // While virt-handler is there, it tells how the guest ended. If it is not, the ended Pod is the proof.
  if (isPodFinal(pod) && handlerSilent && !mayHaveMoved(vmi, pods))
    return failHandedOver(observed, 'NodeUnresponsive');
  const ready = setCondition(vmi.status?.conditions ?? [], readyCondition(vmi, pod), nowMs);
  const { conditions, requeueAfterMs: plugMs } = withNetworkMigration(vmi, pod, ready, nowMs);
  const active = activePods(vmi, pods);
  const plugs = volumesOf(observed, pod);
  const changes = {
    ...(conditions === vmi.status?.conditions ? {} : { conditions }),
    ...(deepEqual(active, vmi.status?.activePods ?? {}) ? {} : { activePods: active }),
    ...(plugs === undefined || sameData(plugs.statuses, vmi.status?.volumeStatus ?? [])
      ? {}
      : { volumeStatus: plugs.statuses }),
  };
  const patch: readonly VmiAction[] =
    Object.keys(changes).length === 0 ? [] : [{ kind: 'patch', patch: guardedPatch(vmi, changes) }];
  return {
    actions: [
      ...gate(vmi, pod),
      ...networks(observed, pod),
      ...evictionMark(vmi, pod),
      ...patch,
      ...attachments(observed, pod, plugs),
    ],
    ...soonest(plugs?.requeueAfterMs, plugMs),
  };
}

function soonest(...waits: readonly (number | undefined)[]): Pick<VmiPlan, 'requeueAfterMs'> {
  const known = waits.filter((ms) => ms !== undefined);
  return known.length === 0 ? {} : { requeueAfterMs: Math.min(...known) };
}

/** Claims come to a running guest by Pods of their own; a guest that ends needs nothing any more. */
function volumesOf(observed: VmiObservation, pod: Pod): VolumesPlan | undefined {
  if (isDeleting(observed.vmi) || isPodDeleting(pod) || isPodFinal(pod)) return undefined;
  const mine = observed.attachmentPods.filter((other) => isControlledBy(other, pod));
  return planVolumes({ ...observed, attachmentPods: mine });
}

function attachments(
  { attachmentPods }: VmiObservation,
  launcher: Pod,
  plan: VolumesPlan | undefined,
): readonly VmiAction[] {
  if (plan === undefined) return [];
  const others = attachmentPods.filter((other) => isControlledBy(other, launcher));
  return [
    ...plan.create.map((claims) => ({ kind: 'createAttachmentPod' as const, launcher, claims, others })),
    ...plan.delete.map((pod) => ({ kind: 'deletePod' as const, pod })),
  ];
}

/** Equal as the API server keeps them: a field without a value is no field. */
function sameData(one: unknown, other: unknown): boolean {
  return deepEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));
}

/**
 * The source began to move the guest and has not said how that ended, and the target lives: the guest may run
 * there. The target's virt-handler takes over, or the target ends.
 */
function mayHaveMoved({ status }: VirtualMachineInstance, pods: readonly Pod[]): boolean {
  const { completed, failed, startTimestamp, targetPod } = status?.migrationState ?? {};
  if ((startTimestamp ?? undefined) === undefined || failed === true) return false;
  if (completed === true && status?.nodeName === status?.migrationState?.targetNode) return false;
  return pods.some((pod) => pod.metadata.name === targetPod && !isPodFinal(pod) && !isPodDeleting(pod));
}

/** An accepted eviction goes on, whatever becomes of a single migration, until the mark of the VMI is gone. */
function evictionMark({ status }: VirtualMachineInstance, pod: Pod): readonly VmiAction[] {
  const leaves = status?.evacuationNodeName !== undefined;
  const isMarked = pod.metadata.annotations?.[annotations.evictionInProgress] !== undefined;
  if (leaves === isMarked || isPodDeleting(pod) || isPodFinal(pod)) return [];
  return [{ kind: 'markEviction', pod, leaves }];
}

/** NICs come to a running Pod, and leave it, by its annotation. */
function networks({ vmi, podNetworks }: VmiObservation, pod: Pod): readonly VmiAction[] {
  if (podNetworks === undefined || isPodDeleting(pod) || isPodFinal(pod)) return [];
  const wanted = runningPodNetworks(vmi, pod, podNetworks);
  if ((pod.metadata.annotations?.[POD_NETWORKS] ?? '') === wanted) return [];
  return [{ kind: 'setPodNetworks', pod, networks: wanted }];
}

/** Every Pod that runs the guest, or will, has devices of its own. */
function networkInfos(vmi: VirtualMachineInstance, pods: readonly Pod[]): readonly VmiAction[] {
  if (isFinal(vmi) || isDeleting(vmi)) return [];
  return pods.flatMap((pod) => {
    const info = isPodDeleting(pod) || isPodFinal(pod) ? undefined : missingNetworkInfo(vmi, pod);
    return info === undefined ? [] : [{ kind: 'setNetworkInfo' as const, pod, info }];
  });
}

function gate(vmi: VirtualMachineInstance, pod: Pod): readonly VmiAction[] {
  if (isPodDeleting(pod) || isPodFinal(pod)) return [];
  const unpaused = !isPaused(vmi);
  return podCondition(pod, unpausedReadinessGate)?.status === (unpaused ? 'True' : 'False')
    ? []
    : [{ kind: 'gatePod', pod, unpaused }];
}

/** Final: corrects Ready once, and lets the object go when it is being deleted and its Pods are gone. */
function planFinal(observed: VmiObservation): VmiPlan {
  const { vmi, pods, nowMs } = observed;
  const patch: JsonPatchOperation[] = [];
  const ready = vmi.status?.conditions?.find((c) => c.type === 'Ready');
  if (ready?.status === 'True') {
    const conditions = setCondition(
      vmi.status?.conditions ?? [],
      readyCondition(vmi, launcherPod(vmi, pods)),
      nowMs,
    );
    patch.push(...guardedPatch(vmi, { conditions }));
  }
  const present = vmi.metadata?.finalizers ?? [];
  const kept = isDeleting(vmi) && pods.length === 0 ? finalizersToKeep(observed) : present;
  if (kept.length !== present.length) {
    patch.push({ op: 'test', path: '/metadata/finalizers', value: present });
    patch.push({ op: 'replace', path: '/metadata/finalizers', value: kept });
  }
  return patch.length === 0 ? NOTHING : { actions: [{ kind: 'patch', patch }] };
}

/** Ours goes; the VM controller's stays for the VM controller, unless there is no VM. */
function finalizersToKeep({ vmi, ownerVmExists }: VmiObservation): readonly string[] {
  const done: readonly string[] = [
    finalizers.vmi,
    finalizers.vmiDeprecated,
    ...(ownerVmExists ? [] : [finalizers.vm]),
  ];
  return (vmi.metadata?.finalizers ?? []).filter((f) => !done.includes(f));
}

function fail({ vmi, nowMs }: VmiObservation, pod: Pod | undefined): VmiPlan {
  const conditions = conditionsBeforeHandOver(vmi, pod, undefined, nowMs);
  const status = { ...enterPhase(vmi.status ?? {}, 'Failed', nowMs), conditions };
  return { actions: [{ kind: 'update', vmi: { ...vmi, status } }] };
}

/** Deleted before it had a Pod: ends and goes in one write. */
function failAndRelease(observed: VmiObservation): VmiPlan {
  const { vmi, nowMs } = observed;
  const metadata = { ...vmi.metadata, finalizers: finalizersToKeep(observed) };
  const status = enterPhase(vmi.status ?? {}, 'Failed', nowMs);
  return { actions: [{ kind: 'update', vmi: { ...vmi, metadata, status } }] };
}

function failHandedOver({ vmi, nowMs }: VmiObservation, reason: string | undefined): VmiPlan {
  const { phase, phaseTransitionTimestamps } = enterPhase(vmi.status ?? {}, 'Failed', nowMs);
  const conditions = setCondition(vmi.status?.conditions ?? [], readyCondition(vmi, undefined), nowMs);
  const changes = {
    phase,
    phaseTransitionTimestamps,
    conditions,
    ...(reason === undefined ? {} : { reason }),
  };
  const event: readonly VmiAction[] =
    reason === undefined
      ? []
      : [{ kind: 'event', event: vmiEvents.nodeUnresponsive(vmi.status?.nodeName ?? '') }];
  return { actions: [{ kind: 'patch', patch: guardedPatch(vmi, changes) }, ...event] };
}

/** Ride-along fields alone are not worth a write: they go with the next one. */
function writeIfChanged(vmi: VirtualMachineInstance, next: VirtualMachineInstance): VmiPlan {
  return deepEqual(vmi.status, next.status) ? NOTHING : { actions: [{ kind: 'update', vmi: next }] };
}

/** Events tell of changes: the same trouble is told once. */
function withEventOnChange(vmi: VirtualMachineInstance, next: VirtualMachineInstance, event: Event): VmiPlan {
  const plan = writeIfChanged(vmi, next);
  return plan.actions.length === 0 ? plan : { actions: [...plan.actions, { kind: 'event', event }] };
}
