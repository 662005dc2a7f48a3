/** Ended migrations that have been kept long enough. Pure. */
import { isFinalMigrationPhase, type VirtualMachineInstanceMigration } from '@podvisor/api';
import { endedMs } from './turn.ts';

/** How many ended migrations a VMI keeps. */
const KEPT = 5;

/** Of all migrations of one VMI: those to delete, oldest first. */
export function outdatedMigrations(
  migrations: readonly VirtualMachineInstanceMigration[],
): readonly VirtualMachineInstanceMigration[] {
  const ended = migrations.filter(
    ({ metadata, status }) =>
      isFinalMigrationPhase(status?.phase) && metadata?.deletionTimestamp === undefined,
  );
  return ended.toSorted((a, b) => endedMs(a) - endedMs(b)).slice(0, Math.max(0, ended.length - KEPT));
}
