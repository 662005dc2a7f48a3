/** Up to `Scheduled`: volumes, the launcher Pod, and the hand-over to the node when it runs. Pure. */
import type { Pod, VirtualMachineInstance } from '@podvisor/api';
import { setCondition } from '../conditions.ts';
import { isDeleting, isUnprocessed } from '../vmi-phase.ts';
import { disabledPaths, missingServers, type PathProblem } from './container-paths.ts';
import { vmiEvents } from './events.ts';
import { finalizersToKeep } from './final.ts';
import {
  gate,
  PROOF,
  RECHECK_MS,
  type VmiObservation,
  type VmiPlan,
  withEventOnChange,
  writeIfChanged,
} from './plan.ts';
import {
  imagePullTrouble,
  isPodDeleting,
  isPodFinal,
  isPodHeldByStrangers,
  isPodReadyForHandOver,
  podCondition,
} from './pod-state.ts';
import { conditionsBeforeHandOver, enterPhase, handedOver, podCreatedMs } from './status.ts';
import { volumeReadiness } from './volumes.ts';

/**
 * A Pod that runs within this time costs no write of its own for the phase Scheduling: the hand-over tells
 * it too, with the time of the Pod's creation. Whatever goes wrong is told at once.
 */
const SCHEDULING_GRACE_MS = 2_000;

export function planWithoutPod(observed: VmiObservation, provisioners: readonly Pod[]): VmiPlan {
  const plan = planVolumes(observed, provisioners);
  const makesPod = plan.actions.some(({ kind }) => kind === 'createPod' || kind === 'createProvisioningPod');
  const disabled = makesPod && !observed.containerPathsAllowed ? disabledPaths(observed.vmi) : undefined;
  return disabled === undefined ? plan : refused(observed, disabled);
}

function planVolumes(observed: VmiObservation, provisioners: readonly Pod[]): VmiPlan {
  const { vmi, podsProven, volumes, nowMs } = observed;
  if (isDeleting(vmi)) return podsProven ? failAndRelease(observed) : PROOF;
  const readiness = volumeReadiness(vmi, volumes);
  switch (readiness.kind) {
    case 'ready':
      // It has done its part; the launcher comes when it is gone, or both would want the same room.
      if (provisioners.some((pod) => !isPodHeldByStrangers(pod)))
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

/** Pending until the feature gate is opened; no event tells of that. */
function refused({ nowMs, vmi }: VmiObservation, problem: PathProblem): VmiPlan {
  const conditions = conditionsBeforeHandOver(vmi, undefined, problem, nowMs);
  const next = { ...vmi, status: { ...enterPhase(vmi.status ?? {}, 'Pending', nowMs), conditions } };
  const plan = withEventOnChange(vmi, next, vmiEvents.pathsDisabled(problem));
  return { ...plan, requeueAfterMs: RECHECK_MS };
}

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

export function planScheduling(observed: VmiObservation, pod: Pod | undefined): VmiPlan {
  const { vmi, pods, podsProven, volumes, nowMs } = observed;
  if (pod === undefined) {
    if (!podsProven) return PROOF;
    return isDeleting(vmi) ? failAndRelease(observed) : fail(observed, undefined);
  }
  if (isPodFinal(pod) || isPodDeleting(pod)) return fail(observed, pod);
  const notServed = missingServers(vmi, pod);
  if (notServed !== undefined && !isDeleting(vmi)) {
    const conditions = conditionsBeforeHandOver(vmi, pod, notServed, nowMs);
    const status = { ...enterPhase(vmi.status ?? {}, 'Scheduling', podCreatedMs(pod, nowMs)), conditions };
    return withEventOnChange(vmi, { ...vmi, status }, vmiEvents.pathsNotServed(notServed));
  }
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

function fail(observed: VmiObservation, pod: Pod | undefined): VmiPlan {
  return { actions: [{ kind: 'update', vmi: failed(observed, pod) }] };
}

function failed({ vmi, nowMs }: VmiObservation, pod: Pod | undefined): VirtualMachineInstance {
  const conditions = conditionsBeforeHandOver(vmi, pod, undefined, nowMs);
  return { ...vmi, status: { ...enterPhase(vmi.status ?? {}, 'Failed', nowMs), conditions } };
}

/**
 * Deleted before a node had it, and no Pod is left: it ends and goes in one write. Nobody waits for the outcome of
 * a guest that never ran.
 */
function failAndRelease(observed: VmiObservation): VmiPlan {
  const vmi = failed(observed, undefined);
  const metadata = { ...vmi.metadata, finalizers: finalizersToKeep(observed) };
  return { actions: [{ kind: 'update', vmi: { ...vmi, metadata } }] };
}
