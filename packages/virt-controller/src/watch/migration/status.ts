/** The status of a migration as the controller writes it. Pure. */
import type {
  MigrationState,
  VirtualMachineInstanceMigration,
  VMIMigrationStatus,
  VMICondition,
} from '@podvisor/api';
import { rfc3339 } from '@podvisor/base';
import { setCondition } from '../conditions.ts';

type Migration = VirtualMachineInstanceMigration;

/** Phases in their order; a migration never goes back. */
const ORDER = [
  'Pending',
  'Scheduling',
  'Scheduled',
  'PreparingTarget',
  'TargetReady',
  'Running',
  'Succeeded',
] as const;

/** Every phase that a migration may reach. */
export const MIGRATION_PHASES = [...ORDER, 'Failed'] as const;

export type Phase = (typeof MIGRATION_PHASES)[number];

/** Place of a phase in the order; -1 for a new migration. */
export function placeOf(phase: string | undefined): number {
  return ORDER.findIndex((known) => known === phase);
}

/**
 * The status in a new phase. Phases that were passed within one look have their time too: they were reached, only
 * nobody looked in between.
 */
export function inPhase(migration: Migration, phase: Phase, nowMs: number): VMIMigrationStatus {
  const { status, metadata } = migration;
  const known = status?.phaseTransitionTimestamps ?? [];
  const passed = phase === 'Failed' ? [phase] : ORDER.slice(0, placeOf(phase) + 1);
  const added = passed
    .filter((one) => !known.some((stamp) => stamp.phase === one))
    .map((one) => ({
      phase: one,
      phaseTransitionTimestamp:
        one === 'Pending' ? (metadata?.creationTimestamp ?? rfc3339(nowMs)) : rfc3339(nowMs),
    }));
  return { ...status, phase, phaseTransitionTimestamps: [...known, ...added] };
}

/** The end of a migration whose guest never heard of it. */
export function failedState(migration: Migration, reason: string, nowMs: number): MigrationState {
  return {
    ...migration.status?.migrationState,
    migrationUid: migration.metadata?.uid,
    completed: true,
    failed: true,
    failureReason: reason,
    endTimestamp: rfc3339(nowMs),
  };
}

/** The conditions with one more that is True. */
export function withCondition(
  status: VMIMigrationStatus,
  type: string,
  reason: string,
  message: string,
  nowMs: number,
): VMIMigrationStatus {
  const conditions: readonly VMICondition[] = setCondition(
    status.conditions ?? [],
    { type, status: 'True', reason, message },
    nowMs,
  );
  return { ...status, conditions };
}
