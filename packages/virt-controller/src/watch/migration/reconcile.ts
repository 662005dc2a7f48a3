/**
 * The migration controller's decisions: from the queue to the hand-off, and from the nodes' records to the end. Pure.
 * The phases follow from facts (Pod, the VMI's record), never from which event came first.
 *
 * Unknown is not gone: what the cache does not show is missing only after a consistent read (`needsProof`).
 */
import {
  annotations,
  isFinalMigrationPhase,
  isHotpluggable,
  migrationConditions,
  type Pod,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
  type VMIMigrationStatus,
} from '@podvisor/api';
import { deepEqual } from '@podvisor/base';
import type { AttachedClaim } from '@podvisor/translate';
import { type StateClaimsEnd, stateClaimsOf } from '../backend-storage/hand-over.ts';
import { findCondition, removeCondition } from '../conditions.ts';
import type { Event } from '../recorder.ts';
import { isFinal as isFinalVmi } from '../vmi-phase.ts';
import { isPodDeleting, isPodFinal, isPodReadyForHandOver } from '../vmi/pod-state.ts';
import type { VolumeView } from '../vmi/volumes.ts';
import { migrationEvents } from './events.ts';
import {
  hasStarted,
  isBeingBackedUp,
  isDecentralized,
  isDeleting,
  recordOf,
  waitsForMigration,
} from './facts.ts';
import { addressChange } from './kept-addresses.ts';
import { planEnded } from './ended.ts';
import { endStateClaims } from './state-claims.ts';
import { failedState, inPhase, type Phase, placeOf, withCondition } from './status.ts';
import { targetVolumes } from './target-volumes.ts';
import { podWait, prepareWait, unschedulable } from './timeouts.ts';
import {
  ABORTED,
  abortPatch,
  failPatch,
  type HandOff,
  handOffPatch,
  handOffState,
  type Patch,
} from './vmi-patches.ts';

type Migration = VirtualMachineInstanceMigration;

/** Why a migration that has no target Pod does not get one now. */
export type Turn =
  | { readonly kind: 'go' }
  /** `event`: worth telling, once. */
  | { readonly kind: 'wait'; readonly requeueAfterMs?: number; readonly event?: Event };

export interface MigrationObservation {
  readonly migration: Migration;
  /** The VMI of that name. */
  readonly vmi: VirtualMachineInstance | undefined;
  /** All launcher Pods of the VMI, by owner. */
  readonly pods: readonly Pod[];
  /** Of these, the one made for this migration. */
  readonly targetPod: Pod | undefined;
  /** Attachment Pods that it owns. */
  readonly targetAttachments: readonly Pod[];
  readonly volumes: VolumeView;
  /** VMI and Pods come from a consistent read, not from the cache. */
  readonly proven: boolean;
  /** False while the cache does not show the Pod that the last pass made. */
  readonly cacheCaughtUp: boolean;
  /** Another migration of the same VMI that has not ended and goes first. */
  readonly busyWith: Migration | undefined;
  readonly turn: Turn;
  /** Settings for the hand-off. */
  readonly handOff: HandOff;
  readonly nowMs: number;
}

export type MigrationAction =
  | { readonly kind: 'createTarget' }
  | { readonly kind: 'createAttachment'; readonly target: Pod; readonly claims: readonly AttachedClaim[] }
  | { readonly kind: 'deletePod'; readonly pod: Pod }
  | { readonly kind: 'markTargetReady'; readonly pod: Pod; readonly at: string }
  | { readonly kind: 'endStateClaims'; readonly end: StateClaimsEnd }
  | { readonly kind: 'patchVmi'; readonly patch: Patch }
  | { readonly kind: 'status'; readonly status: VMIMigrationStatus }
  /** Metadata of the migration: lets it go, and keeps the report. */
  | { readonly kind: 'release'; readonly report: string | undefined }
  | { readonly kind: 'event'; readonly event: Event };

export interface MigrationPlan {
  readonly actions: readonly MigrationAction[];
  readonly needsProof?: boolean;
  readonly requeueAfterMs?: number;
}

/** An event that never comes must not stop a migration for ever. */
const RECHECK_MS = 60_000;
const PROOF: MigrationPlan = { actions: [], needsProof: true };

export function reconcileMigration(observed: MigrationObservation): MigrationPlan {
  const { migration, vmi, proven, cacheCaughtUp } = observed;
  if (!cacheCaughtUp && !proven) return { actions: [], requeueAfterMs: RECHECK_MS };
  if (isFinalMigrationPhase(migration.status?.phase)) return planEnded(observed);
  if (vmi === undefined) return proven ? fail(observed, 'the VMI does not exist') : PROOF;
  if (isFinalVmi(vmi)) return fail(observed, 'the VMI shut down during the migration');
  const record = recordOf(migration, vmi);
  if (record === undefined) return planBeforeHandOff(observed, vmi);
  if (record.completed === true) return planCompleted(observed, vmi);
  return planHandedOff(observed, vmi);
}

/** The queue, the target Pod, and the hand-off when it runs. */
function planBeforeHandOff(observed: MigrationObservation, vmi: VirtualMachineInstance): MigrationPlan {
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

/** Both nodes work; the VMI's record says how far they are. */
function planHandedOff(observed: MigrationObservation, vmi: VirtualMachineInstance): MigrationPlan {
  const { migration, targetPod, proven, nowMs } = observed;
  const record = recordOf(migration, vmi);
  if (hasStarted(record)) return planRunning(observed, vmi);
  if (isDeleting(migration) || isDeleting(vmi)) return failHandedOff(observed, vmi, ABORTED, true);
  if (targetPod === undefined && !proven) return PROOF;
  const ended = targetPod === undefined ? 'the target pod is gone' : podProblem(targetPod);
  if (ended !== undefined) return failHandedOff(observed, vmi, ended, false);
  const wait = prepareWait(migration, nowMs);
  if (wait.kind === 'over') return failHandedOff(observed, vmi, wait.why, false);
  const phase = record?.targetNodeAddress === undefined ? 'PreparingTarget' : 'TargetReady';
  return { actions: writeIfChanged(observed, phase), requeueAfterMs: wait.leftMs };
}

/** The source alone says how this ends; all that is left here is to ask it to stop. */
function planRunning(observed: MigrationObservation, vmi: VirtualMachineInstance): MigrationPlan {
  const { migration, targetPod } = observed;
  const record = recordOf(migration, vmi);
  const wantsAbort = isDeleting(migration) || isDeleting(vmi);
  const abort: readonly MigrationAction[] =
    wantsAbort && record?.abortRequested !== true
      ? [
          { kind: 'patchVmi', patch: abortPatch(vmi) },
          { kind: 'event', event: migrationEvents.abortRequested() },
        ]
      : [];
  return {
    actions: [
      ...abort,
      ...targetReady(targetPod, vmi),
      ...endStateClaims(observed, false),
      ...writeIfChanged(observed, 'Running'),
    ],
    requeueAfterMs: RECHECK_MS,
  };
}

function planCompleted(observed: MigrationObservation, vmi: VirtualMachineInstance): MigrationPlan {
  const { migration, targetPod, nowMs } = observed;
  const record = recordOf(migration, vmi);
  if (record?.failed === true)
    return fail(observed, record.failureReason ?? 'the source node gave no reason');
  const ready = [...targetReady(targetPod, vmi), ...endStateClaims(observed, true)];
  // The target takes over next; until it has, the guest's status has no owner that could be asked.
  if (vmi.status?.nodeName !== record?.targetNode || waitsForMigration(vmi)) {
    return { actions: [...ready, ...writeIfChanged(observed, 'Running')], requeueAfterMs: RECHECK_MS };
  }
  const status = { ...inPhase(migration, 'Succeeded', nowMs), migrationState: record };
  const event = migrationEvents.succeeded(record?.sourceNode ?? '', record?.targetNode ?? '');
  return {
    actions: [...ready, { kind: 'status', status: withoutObstacles(status) }, { kind: 'event', event }],
  };
}

/** Tells on the Pod when the guest was there, once. */
function targetReady(pod: Pod | undefined, vmi: VirtualMachineInstance): readonly MigrationAction[] {
  const at = vmi.status?.migrationState?.targetNodeDomainReadyTimestamp;
  if (pod === undefined || at === undefined || isPodFinal(pod) || isPodDeleting(pod)) return [];
  if (pod.metadata.annotations?.[annotations.migrationTargetReadyTimestamp] !== undefined) return [];
  return [{ kind: 'markTargetReady', pod, at }];
}

function podProblem(pod: Pod): string | undefined {
  if (isPodFinal(pod)) return 'the target pod ended before the migration began';
  return isPodDeleting(pod) ? 'the target pod is being deleted' : undefined;
}

/** The VMI's record first: only if the source has not begun meanwhile, the migration has failed. */
function failHandedOff(
  observed: MigrationObservation,
  vmi: VirtualMachineInstance,
  reason: string,
  isAbort: boolean,
): MigrationPlan {
  const patch = failPatch(vmi, reason, isAbort, observed.nowMs);
  return { actions: [{ kind: 'patchVmi', patch }, ...fail(observed, reason).actions] };
}

function fail(observed: MigrationObservation, reason: string): MigrationPlan {
  const { migration, vmi, nowMs } = observed;
  const record = recordOf(migration, vmi);
  const migrationState =
    record?.completed === true ? record : { ...record, ...failedState(migration, reason, nowMs) };
  const status = { ...inPhase(migration, 'Failed', nowMs), migrationState };
  return {
    actions: [
      ...endStateClaims(observed, true),
      { kind: 'status', status: abortNoted(migration, status, nowMs) },
      { kind: 'event', event: migrationEvents.failed(reason) },
    ],
  };
}

function abortNoted(migration: Migration, status: VMIMigrationStatus, nowMs: number): VMIMigrationStatus {
  if (!isDeleting(migration)) return status;
  const type = migrationConditions.abortRequested;
  return withCondition(status, type, 'MigrationAborted', 'The migration object was deleted.', nowMs);
}

/** The phase and the record as they are now; nothing when the status says so already. Never back. */
function writeIfChanged(observed: MigrationObservation, phase: Phase): readonly MigrationAction[] {
  const { migration, vmi, nowMs } = observed;
  const record = recordOf(migration, vmi);
  const isBehind = placeOf(phase) <= placeOf(migration.status?.phase);
  const entered = isBehind ? (migration.status ?? {}) : inPhase(migration, phase, nowMs);
  const settled = phase === 'Pending' ? entered : withoutObstacles(entered);
  const noted = abortNoted(migration, settled, nowMs);
  if (deepEqual(noted, migration.status ?? {})) return [];
  const status = record === undefined ? noted : { ...noted, migrationState: record };
  return [{ kind: 'status', status }];
}

function withoutObstacles(status: VMIMigrationStatus): VMIMigrationStatus {
  if (status.conditions === undefined) return status;
  const conditions = [
    migrationConditions.rejectedByResourceQuota,
    migrationConditions.blockedByBackup,
  ].reduce(removeCondition, status.conditions);
  return conditions === status.conditions ? status : { ...status, conditions };
}
