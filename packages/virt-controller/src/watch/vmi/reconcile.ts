/**
 * The VMI controller's decisions: the launcher Pod and the phases up to `Scheduled`, and afterwards only
 * what the control plane knows better than the node. Pure.
 *
 * Unknown is not gone: a Pod that the cache does not show is `Absent` only after a consistent read. Until
 * then the plan asks for one (`needsProof`) and does nothing.
 */
import { type Pod, type VirtualMachineInstance, isPodEnded } from '@podvisor/api';
import { STATE_VOLUME } from '@podvisor/translate';
import { isControlledBy, ownerKinds } from '../ownership.ts';
import { isDeleting, isFinal, isUnprocessed } from '../vmi-phase.ts';
import { planScheduling, planWithoutPod } from './before-hand-over.ts';
import { planFinal } from './final.ts';
import { planHandedOver } from './handed-over.ts';
import { RECHECK_MS, type VmiAction, type VmiObservation, type VmiPlan } from './plan.ts';
import { missingNetworkInfo } from './pod-networks.ts';
import { isPodDeleting, isPodFinal } from './pod-state.ts';
import { isProvisioningPod } from './provisioning-pod.ts';
import type { VolumeView } from './volumes.ts';

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
    ...holders(observed),
    ...networkInfos(vmi, observed.pods),
  ];
  return { ...phases, actions: [...early, ...phases.actions] };
}

function planPhase(observed: VmiObservation, allPods: readonly Pod[]): VmiPlan {
  const { vmi, pods } = observed;
  const pod = launcherPod(vmi, pods);
  if (isFinal(vmi)) return planFinal(observed, pod);
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
    .filter(
      (pod) => !isPodDeleting(pod) && ended.some((launcher) => isControlledBy(pod, launcher, ownerKinds.pod)),
    )
    .map((pod) => ({ kind: 'deletePod', pod }));
}

/**
 * Launcher Pods that have ended and hold the state of firmware and TPM that the guest has left behind: Kubernetes
 * keeps a deleted claim, and its volume, as long as there is a Pod that names it, also one that has ended. Each move of
 * a guest would leave one until it stops.
 */
function holders({ pods, volumes }: VmiObservation): readonly VmiAction[] {
  return pods
    .filter((pod) => isPodEnded(pod) && !isPodDeleting(pod) && isStateLeft(pod, volumes))
    .map((pod) => ({ kind: 'deletePod', pod }));
}

function isStateLeft({ spec }: Pod, volumes: VolumeView): boolean {
  const name = spec.volumes?.find((volume) => volume.name === STATE_VOLUME)?.persistentVolumeClaim?.claimName;
  return name !== undefined && volumes.claim(name)?.metadata.deletionTimestamp !== undefined;
}

/** Every Pod that runs the guest, or will, has devices of its own. */
function networkInfos(vmi: VirtualMachineInstance, pods: readonly Pod[]): readonly VmiAction[] {
  if (isFinal(vmi) || isDeleting(vmi)) return [];
  return pods.flatMap((pod) => {
    const info = isPodDeleting(pod) || isPodFinal(pod) ? undefined : missingNetworkInfo(vmi, pod);
    return info === undefined ? [] : [{ kind: 'setNetworkInfo' as const, pod, info }];
  });
}
