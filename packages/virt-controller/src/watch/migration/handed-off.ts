/**
 * A migration that both nodes work at: the VMI's record says how far they are, and how it ended. Pure.
 */
import { annotations, type Pod, type VirtualMachineInstance } from '@podvisor/api';
import { isPodDeleting, isPodFinal } from '../vmi/pod-state.ts';
import { migrationEvents } from './events.ts';
import { hasStarted, isDeleting, recordOf, waitsForMigration, podProblem } from './facts.ts';
import {
  type MigrationAction,
  type MigrationObservation,
  type MigrationPlan,
  PROOF,
  RECHECK_MS,
} from './plan.ts';
import { fail, withoutObstacles, writeIfChanged } from './planned-status.ts';
import { endStateClaims } from './state-claims.ts';
import { inPhase } from './status.ts';
import { prepareWait } from './timeouts.ts';
import { ABORTED, abortPatch, failPatch } from './vmi-patches.ts';

/** Both nodes work; the VMI's record says how far they are. */
export function planHandedOff(observed: MigrationObservation, vmi: VirtualMachineInstance): MigrationPlan {
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

export function planCompleted(observed: MigrationObservation, vmi: VirtualMachineInstance): MigrationPlan {
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
