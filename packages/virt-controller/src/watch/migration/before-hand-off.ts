/**
 * A migration that the nodes do not know of yet: it waits for its turn, its target Pod is made and scheduled, plugged
 * volumes are brought there, and then the VMI is handed over to both nodes. Pure.
 */
import { isHotpluggable, migrationConditions, type Pod, type VirtualMachineInstance } from '@podvisor/api';
import { deepEqual } from '@podvisor/base';
import { stateClaimsOf } from '../backend-storage/hand-over.ts';
import { findCondition } from '../conditions.ts';
import { isPodFinal, isPodReadyForHandOver } from '../vmi/pod-state.ts';
import { migrationEvents } from './events.ts';
import { isBeingBackedUp, isDecentralized, isDeleting, type Migration, podProblem } from './facts.ts';
import { addressChange } from './kept-addresses.ts';
import {
  type MigrationAction,
  type MigrationObservation,
  type MigrationPlan,
  PROOF,
  RECHECK_MS,
} from './plan.ts';
import { fail, withoutObstacles, writeIfChanged } from './planned-status.ts';
import { inPhase, placeOf, withCondition } from './status.ts';
import { targetVolumes } from './target-volumes.ts';
import { podWait, unschedulable } from './timeouts.ts';
import { ABORTED, handOffPatch, handOffState } from './vmi-patches.ts';

/** The queue, the target Pod, and the hand-off when it runs. */
export function planBeforeHandOff(
  observed: MigrationObservation,
  vmi: VirtualMachineInstance,
): MigrationPlan {
  const { migration, targetPod, proven, busyWith } = observed;
  const place = placeOf(migration.status?.phase);
  if (place >= placeOf('PreparingTarget'))
    return proven ? fail(observed, 'the VMI is not the one that the migration was started for') : PROOF;
  if (isDeleting(migration)) return fail(observed, ABORTED);
  if (isDeleting(vmi)) return fail(observed, 'the VMI is being deleted');
  if (isDecentralized(migration)) return fail(observed, notHere(migration));
  if (targetPod === undefined) {
    if (place >= placeOf('Scheduling')) return proven ? fail(observed, 'the target pod is gone') : PROOF;
    if (busyWith !== undefined)
      return fail(observed, `another migration of the VMI is in progress: ${busyWith.metadata?.name}`);
    return planPending(observed, vmi);
  }
  const ended = podProblem(targetPod) ?? otherClaims(vmi, targetPod) ?? otherRecord(vmi, busyWith);
  if (ended !== undefined) return fail(observed, ended);
  if (!isPodReadyForHandOver(targetPod)) return planScheduling(observed, targetPod);
  return planVolumes(observed, vmi, targetPod);
}

/** What is plugged into the guest has to be at the target before the guest is. */
function planVolumes(
  observed: MigrationObservation,
  vmi: VirtualMachineInstance,
  target: Pod,
): MigrationPlan {
  const { migration, targetAttachments, volumes, nowMs } = observed;
  const plugged = targetVolumes(vmi, targetAttachments, volumes, nowMs);
  if (plugged.kind === 'ready') return planHandOff(observed, vmi, target, plugged.podUid);
  const wait = podWait(migration, target, nowMs);
  const why = plugged.kind === 'wait' ? plugged.why : 'the attachment Pod of the target could not be made';
  if (wait.kind === 'over') return fail(observed, why);
  const { leftMs } = wait;
  const create: readonly MigrationAction[] =
    plugged.kind === 'create' ? [{ kind: 'createAttachment', target, claims: plugged.claims }] : [];
  return {
    actions: [...writeIfChanged(observed, 'Scheduling'), ...create],
    requeueAfterMs: plugged.kind === 'wait' ? Math.min(leftMs, plugged.requeueAfterMs ?? leftMs) : leftMs,
  };
}

/** The volumes of the VMI were moved, or put back, after the Pod was made: the guest would meet other disks there. */
function otherClaims({ spec }: VirtualMachineInstance, pod: Pod): string | undefined {
  const held = new Set((pod.spec.volumes ?? []).map((volume) => volume.persistentVolumeClaim?.claimName));
  const missing = (spec.volumes ?? []).find((volume) => {
    const claim = volume.persistentVolumeClaim?.claimName ?? volume.dataVolume?.name;
    return claim !== undefined && !isHotpluggable(volume) && !held.has(claim);
  });
  return missing === undefined
    ? undefined
    : `the target pod was made before volume ${missing.name} changed its claim`;
}

/** The VMI was handed over to another migration, which goes on: its record must not be lost. */
function otherRecord(
  { status }: VirtualMachineInstance,
  busyWith: Migration | undefined,
): string | undefined {
  const { completed, migrationUid } = status?.migrationState ?? {};
  if (busyWith === undefined || migrationUid !== busyWith.metadata?.uid || completed === true)
    return undefined;
  return `another migration of the VMI is in progress: ${busyWith.metadata?.name}`;
}

/** Names the field that asks for it. */
function notHere({ spec }: Migration): string {
  const field = spec.sendTo === undefined ? 'spec.receive' : 'spec.sendTo';
  return `${field}: migration between clusters is not available in this version`;
}

function planPending(observed: MigrationObservation, vmi: VirtualMachineInstance): MigrationPlan {
  const { migration, turn } = observed;
  const blocked = findCondition(vmi.status?.conditions, 'LiveMigratable');
  if (blocked?.status === 'False')
    return fail(observed, `the VMI cannot be migrated: ${blocked.message ?? blocked.reason ?? ''}`);
  if (isBeingBackedUp(vmi)) return planBlocked(observed, vmi);
  if (turn.kind === 'go' && vmi.status?.phase === 'Running') {
    // The status follows with the next look, when the Pod is there: one write less.
    return { actions: [{ kind: 'createTarget' }] };
  }
  const isNew = placeOf(migration.status?.phase) < 0;
  const waiting = writeIfChanged(observed, 'Pending');
  const told: readonly MigrationAction[] =
    isNew && turn.kind === 'wait' && turn.event !== undefined ? [{ kind: 'event', event: turn.event }] : [];
  const requeueAfterMs = turn.kind === 'wait' ? turn.requeueAfterMs : undefined;
  return {
    actions: [...waiting, ...told],
    ...(requeueAfterMs === undefined ? {} : { requeueAfterMs }),
  };
}

/** A copy of the disks would not survive the move: it ends first, and the VMI's change then wakes us. */
function planBlocked(
  { migration, nowMs }: MigrationObservation,
  { status }: VirtualMachineInstance,
): MigrationPlan {
  const backup = status?.changedBlockTracking?.backupStatus?.backupName ?? '';
  const pending =
    placeOf(migration.status?.phase) < 0 ? inPhase(migration, 'Pending', nowMs) : migration.status;
  const blocked = withCondition(
    pending ?? {},
    migrationConditions.blockedByBackup,
    'BackupInProgress',
    `backup ${backup} of the VMI is in progress`,
    nowMs,
  );
  return deepEqual(blocked, migration.status ?? {})
    ? { actions: [] }
    : { actions: [{ kind: 'status', status: blocked }] };
}

function planScheduling(observed: MigrationObservation, pod: Pod): MigrationPlan {
  const { migration, nowMs } = observed;
  const wait = podWait(migration, pod, nowMs);
  if (wait.kind === 'over') return fail(observed, wait.why);
  const cause = unschedulable(pod);
  const change = writeIfChanged(observed, 'Scheduling');
  const told: readonly MigrationAction[] =
    cause === undefined ? [] : [{ kind: 'event', event: migrationEvents.podUnschedulable(cause) }];
  return { actions: [...change, ...told], requeueAfterMs: wait.leftMs };
}

function planHandOff(
  observed: MigrationObservation,
  vmi: VirtualMachineInstance,
  target: Pod,
  attachmentUid: string | undefined,
): MigrationPlan {
  const { migration, pods, handOff, volumes, nowMs } = observed;
  const source = pods.find((pod) => pod.spec.nodeName === vmi.status?.nodeName && !isPodFinal(pod));
  const claims = stateClaimsOf(vmi, target, volumes);
  const state = handOffState(migration, vmi, { source, target, attachmentUid }, handOff, claims);
  const status = { ...inPhase(migration, 'PreparingTarget', nowMs), migrationState: state };
  const change = addressChange(vmi, source, target);
  const warning: readonly MigrationAction[] =
    change === undefined ? [] : [{ kind: 'event', event: migrationEvents.addressChanges(change) }];
  return {
    actions: [
      ...warning,
      { kind: 'patchVmi', patch: handOffPatch(vmi, state) },
      { kind: 'status', status: withoutObstacles(status) },
      { kind: 'event', event: migrationEvents.handedOver(target.spec.nodeName ?? '') },
    ],
    requeueAfterMs: RECHECK_MS,
  };
}
