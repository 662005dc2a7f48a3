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
 * For how long the last phase of a VMI that is deleted can be seen at least: clients ask once a second whether it
 * succeeded, and their answers may be slow.
 */
const LAST_PHASE_SEEN_MS = 2_500;

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
function lastPhaseWaitMs({ vmi, overForMs }: VmiObservation): number {
  if (saidOwners(vmi).length > 0) return 0;
  return Math.max(0, Math.ceil(LAST_PHASE_SEEN_MS - overForMs));
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
