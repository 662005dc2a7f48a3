/** The end of a VMI: its object goes when nothing of it is left. Pure. */
import { saidOwners } from '../ownership.ts';
import { finalizers, type Pod } from '@podvisor/api';
import { type JsonPatchOperation, guardedChange } from '@podvisor/kube';
import { setCondition } from '../conditions.ts';
import { isDeleting } from '../vmi-phase.ts';
import { readyCondition } from './conditions.ts';
import { NOTHING, type VmiObservation, type VmiPlan } from './plan.ts';
import { isPodHeldByStrangers } from './pod-state.ts';
import { guardedPatch } from './status.ts';

/**
 * How long the last phase of a VMI that is deleted can be seen. Clients ask once a second whether it succeeded, and
 * would find nothing; the time of the phase is told in whole seconds, so it is one second to two.
 */
const LAST_PHASE_SEEN_MS = 2_000;

/** Final: corrects Ready once, and lets the object go when it is being deleted and its Pods are gone. */
export function planFinal(observed: VmiObservation, launcherPod: Pod | undefined): VmiPlan {
  const { vmi, pods, nowMs } = observed;
  const patch: JsonPatchOperation[] = [];
  const ready = vmi.status?.conditions?.find((c) => c.type === 'Ready');
  if (ready?.status === 'True') {
    const conditions = setCondition(vmi.status?.conditions ?? [], readyCondition(vmi, launcherPod), nowMs);
    patch.push(...guardedPatch(vmi, { conditions }));
  }
  const present = vmi.metadata?.finalizers ?? [];
  const isOver = isDeleting(vmi) && pods.every(isPodHeldByStrangers);
  const waitMs = isOver ? lastPhaseWaitMs(observed) : 0;
  const kept = isOver && waitMs === 0 ? finalizersToKeep(observed) : present;
  if (kept.length !== present.length) {
    patch.push(...guardedChange('/metadata/finalizers', present, kept));
  }
  const actions: VmiPlan['actions'] = patch.length === 0 ? [] : [{ kind: 'patch', patch }];
  if (waitMs > 0) return { actions, requeueAfterMs: waitMs };
  return actions.length === 0 ? NOTHING : { actions };
}

/** A VMI with an owner goes at once: its VM, or its replica set, waits for the name to be free. */
function lastPhaseWaitMs({ vmi, nowMs }: VmiObservation): number {
  if (saidOwners(vmi).length > 0) return 0;
  const since = vmi.status?.phaseTransitionTimestamps?.findLast(({ phase }) => phase === vmi.status?.phase);
  const sinceMs = Date.parse(since?.phaseTransitionTimestamp ?? '');
  if (!Number.isFinite(sinceMs)) return 0;
  // A clock that was set back must not keep the object: no wait is longer than the rule.
  const waitMs = sinceMs + LAST_PHASE_SEEN_MS - nowMs;
  return Math.min(Math.max(waitMs, 0), LAST_PHASE_SEEN_MS);
}

/** Ours goes; the VM controller's stays for the VM controller, unless there is no VM. */
export function finalizersToKeep({ vmi, ownerVmExists }: VmiObservation): readonly string[] {
  const done: readonly string[] = [
    finalizers.vmi,
    finalizers.vmiDeprecated,
    ...(ownerVmExists ? [] : [finalizers.vm]),
  ];
  return (vmi.metadata?.finalizers ?? []).filter((f) => !done.includes(f));
}
