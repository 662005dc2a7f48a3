/**
 * The decisions of the replica set controller: how many VMIs are missing or too many, and which go. Pure.
 */
import {
  templateSpec,
  type VirtualMachineInstance,
  type VirtualMachineInstanceReplicaSet,
} from '@podvisor/api';
import { hasCondition } from '../conditions.ts';
import { controllerReference, ownerKinds } from '../ownership.ts';
import { templateAnnotations, templateLabels } from '../template-metadata.ts';
import { claim } from '../replicas/claims.ts';
import { isDeleting, isFinal } from '../vmi-phase.ts';

/** VMIs that are made or deleted in one pass. */
export const BURST = 250;

export interface ReplicaSetObservation {
  readonly replicaSet: VirtualMachineInstanceReplicaSet;
  /** VMIs of the namespace that the set owns, and those that nobody manages. */
  readonly candidates: readonly VirtualMachineInstance[];
  /** False while the cache does not show what the last pass did. */
  readonly cacheCaughtUp: boolean;
}

export interface ReplicaSetPlan {
  readonly adopt: readonly VirtualMachineInstance[];
  readonly release: readonly VirtualMachineInstance[];
  readonly create: number;
  readonly delete: readonly VirtualMachineInstance[];
  /** What the status tells: VMIs that live. */
  readonly active: readonly VirtualMachineInstance[];
}

export function reconcileReplicaSet({
  cacheCaughtUp,
  candidates,
  replicaSet,
}: ReplicaSetObservation): ReplicaSetPlan {
  const { adopt, owned, release } = claim(replicaSet, ownerKinds.replicaSet, candidates);
  const active = owned.filter((vmi) => !isFinal(vmi) && !isDeleting(vmi));
  const nothing = { adopt: [], release: [], create: 0, delete: [], active };
  if (!cacheCaughtUp || replicaSet.metadata?.deletionTimestamp !== undefined) return nothing;
  if (replicaSet.spec.paused === true) return nothing;
  // Whoever is adopted counts from the next pass on, when the cache shows it.
  if (adopt.length > 0 || release.length > 0) return { ...nothing, adopt, release };
  const finished = owned.filter(
    (vmi) => !isDeleting(vmi) && (isFinal(vmi) || vmi.status?.phase === 'Unknown'),
  );
  const missing = (replicaSet.spec.replicas ?? 1) - active.length;
  const surplus = active.toSorted(byWorth).slice(0, Math.max(0, -missing));
  return {
    ...nothing,
    create: Math.min(BURST, Math.max(0, missing)),
    delete: [...new Set([...finished, ...surplus])].slice(0, BURST),
  };
}

/** The least loss first: what does not run yet, then what is not ready, then the newest. */
function byWorth(a: VirtualMachineInstance, b: VirtualMachineInstance): number {
  return worth(a) - worth(b) || createdOf(b).localeCompare(createdOf(a));
}

function worth(vmi: VirtualMachineInstance): number {
  if (isReady(vmi)) return 2;
  return vmi.status?.phase === 'Running' ? 1 : 0;
}

function createdOf(vmi: VirtualMachineInstance): string {
  return vmi.metadata?.creationTimestamp ?? '';
}

export function isReady(vmi: VirtualMachineInstance): boolean {
  return hasCondition(vmi.status?.conditions, 'Ready', 'True');
}

/** A VMI of the set. Its name begins with the template's name, or the set's. */
export function buildReplica(replicaSet: VirtualMachineInstanceReplicaSet): VirtualMachineInstance {
  const { metadata } = replicaSet.spec.template;
  const template: { readonly name?: string; readonly generateName?: string } = metadata ?? {};
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: {
      generateName: template.name || template.generateName || replicaSet.metadata?.name,
      namespace: replicaSet.metadata?.namespace,
      labels: templateLabels(metadata?.labels),
      annotations: templateAnnotations(metadata?.annotations),
      ownerReferences: [
        controllerReference(replicaSet, 'kubevirt.io/v1', 'VirtualMachineInstanceReplicaSet'),
      ],
    },
    spec: templateSpec(replicaSet.spec.template),
  };
}
