/** What the VMI controller looks at, and what it can decide to do. Pure. */
import { type Pod, unpausedReadinessGate, type VirtualMachineInstance } from '@podvisor/api';
import { deepEqual } from '@podvisor/base';
import type { JsonPatchOperation } from '@podvisor/kube';
import type { AttachedClaim } from '@podvisor/translate';
import type { Event } from '../recorder.ts';
import { isPaused } from '../vmi-phase.ts';
import { isPodDeleting, isPodFinal, podCondition } from './pod-state.ts';
import type { VolumeView } from './volumes.ts';

export interface VmiObservation {
  readonly vmi: VirtualMachineInstance;
  /** Pods that this VMI manages, by UID. */
  readonly pods: readonly Pod[];
  /** `pods` comes from a consistent read, not from the cache. */
  readonly podsProven: boolean;
  /** False while the cache does not show what the last pass did. */
  readonly cacheCaughtUp: boolean;
  readonly volumes: VolumeView;
  /** The guest may see paths of its launcher: the feature gate is on. */
  readonly containerPathsAllowed: boolean;
  /** The VM that owns this VMI exists. */
  readonly ownerVmExists: boolean;
  /** virt-handler of the VMI's node has been silent for longer than the node timeout. */
  readonly handlerSilent: boolean;
  /** Attachment Pods that the launcher Pods own. */
  readonly attachmentPods: readonly Pod[];
  /** Further networks that a new launcher Pod would name; empty: none. */
  readonly podNetworks?: string;
  /** For how long its last phase could be seen; 0 before it has one. */
  readonly overForMs: number;
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

/** An event that never comes must not stop a VMI for ever. */
export const RECHECK_MS = 60_000;

export const NOTHING: VmiPlan = { actions: [] };
export const PROOF: VmiPlan = { actions: [], needsProof: true };

/** Ride-along fields alone are not worth a write: they go with the next one. */
export function writeIfChanged(vmi: VirtualMachineInstance, next: VirtualMachineInstance): VmiPlan {
  return deepEqual(vmi.status, next.status) ? NOTHING : { actions: [{ kind: 'update', vmi: next }] };
}

/** Events tell of changes: the same trouble is told once. */
export function withEventOnChange(
  vmi: VirtualMachineInstance,
  next: VirtualMachineInstance,
  event: Event,
): VmiPlan {
  const plan = writeIfChanged(vmi, next);
  return plan.actions.length === 0 ? plan : { actions: [...plan.actions, { kind: 'event', event }] };
}

/** The Pod is ready only while the guest is not paused. */
export function gate(vmi: VirtualMachineInstance, pod: Pod): readonly VmiAction[] {
  if (isPodDeleting(pod) || isPodFinal(pod)) return [];
  const unpaused = !isPaused(vmi);
  return podCondition(pod, unpausedReadinessGate)?.status === (unpaused ? 'True' : 'False')
    ? []
    : [{ kind: 'gatePod', pod, unpaused }];
}
