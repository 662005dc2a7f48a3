/** The end of a VMI: its object goes when nothing of it is left. Pure. */
import { finalizers, type Pod } from '@podvisor/api';
import { type JsonPatchOperation, guardedChange } from '@podvisor/kube';
import { setCondition } from '../conditions.ts';
import { isDeleting } from '../vmi-phase.ts';
import { readyCondition } from './conditions.ts';
import { NOTHING, type VmiObservation, type VmiPlan } from './plan.ts';
import { isPodHeldByStrangers } from './pod-state.ts';
import { guardedPatch } from './status.ts';

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
  const kept = isOver ? finalizersToKeep(observed) : present;
  if (kept.length !== present.length) {
    patch.push(...guardedChange('/metadata/finalizers', present, kept));
  }
  return patch.length === 0 ? NOTHING : { actions: [{ kind: 'patch', patch }] };
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
