/** From `Scheduled` on: virt-handler owns the status; what the control plane knows better is patched into it. Pure. */
import { annotations, type Pod, type VirtualMachineInstance } from '@podvisor/api';
import { deepEqual } from '@podvisor/base';
import { setCondition } from '../conditions.ts';
import { isControlledBy, ownerKinds } from '../ownership.ts';
import { isDeleting } from '../vmi-phase.ts';
import { newTroubles, planVolumes, type VolumesPlan } from '../volumes/plan.ts';
import { readyCondition } from './conditions.ts';
import { vmiEvents } from './events.ts';
import { withNetworkMigration } from './network-migration.ts';
import { gate, PROOF, RECHECK_MS, type VmiAction, type VmiObservation, type VmiPlan } from './plan.ts';
import { POD_NETWORKS } from './pod-networks.ts';
import { isPodDeleting, isPodFinal } from './pod-state.ts';
import { runningPodNetworks } from './replaced-networks.ts';
import { activePods, enterPhase, guardedPatch } from './status.ts';

/** virt-handler owns the status: only guarded patches, and only of what it cannot know. */
export function planHandedOver(observed: VmiObservation, pod: Pod | undefined): VmiPlan {
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
  const mine = observed.attachmentPods.filter((other) => isControlledBy(other, pod, ownerKinds.pod));
  return planVolumes({ ...observed, attachmentPods: mine });
}

function attachments(
  { vmi, attachmentPods }: VmiObservation,
  launcher: Pod,
  plan: VolumesPlan | undefined,
): readonly VmiAction[] {
  if (plan === undefined) return [];
  const others = attachmentPods.filter((other) => isControlledBy(other, launcher, ownerKinds.pod));
  return [
    ...newTroubles(plan.statuses, vmi.status?.volumeStatus ?? []).map((message) => ({
      kind: 'event' as const,
      event: vmiEvents.attachmentPodEnded(message),
    })),
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
