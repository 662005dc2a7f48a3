/** The migration's own status as a plan writes it: the next phase, or the failure with its reason. Pure. */
import { migrationConditions, type VMIMigrationStatus } from '@podvisor/api';
import { deepEqual } from '@podvisor/base';
import { removeCondition } from '../conditions.ts';
import { migrationEvents } from './events.ts';
import { isDeleting, recordOf, type Migration } from './facts.ts';
import type { MigrationAction, MigrationObservation, MigrationPlan } from './plan.ts';
import { endStateClaims } from './state-claims.ts';
import { failedState, inPhase, type Phase, placeOf, withCondition } from './status.ts';

export function fail(observed: MigrationObservation, reason: string): MigrationPlan {
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
export function writeIfChanged(observed: MigrationObservation, phase: Phase): readonly MigrationAction[] {
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

export function withoutObstacles(status: VMIMigrationStatus): VMIMigrationStatus {
  if (status.conditions === undefined) return status;
  const conditions = [
    migrationConditions.rejectedByResourceQuota,
    migrationConditions.blockedByBackup,
  ].reduce(removeCondition, status.conditions);
  return conditions === status.conditions ? status : { ...status, conditions };
}
