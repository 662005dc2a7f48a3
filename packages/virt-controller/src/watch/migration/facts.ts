/** Questions about a migration and its VMI that several files here ask. Pure. */
import {
  IN_PLACE,
  type MigrationState,
  type Pod,
  takesMemory,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
} from '@podvisor/api';
import { isPodDeleting, isPodFinal } from '../vmi/pod-state.ts';

export type Migration = VirtualMachineInstanceMigration;
type Vmi = VirtualMachineInstance;

/** The VMI's record of this migration; undefined before the hand-off, and when it is about another one. */
export function recordOf(migration: Migration, vmi: Vmi | undefined): MigrationState | undefined {
  const state = vmi?.status?.migrationState;
  return state?.migrationUid !== undefined && state.migrationUid === migration.metadata?.uid
    ? state
    : undefined;
}

/** The source has begun: from here on only it says how the migration ends. */
export function hasStarted(record: MigrationState | undefined): boolean {
  return (record?.startTimestamp ?? undefined) !== undefined;
}

export function isDeleting({ metadata }: Migration | Vmi): boolean {
  return metadata?.deletionTimestamp !== undefined;
}

/** Changes that the guest takes over on its new node, and that must be done before the migration counts. */
const FINISHED_BY_MIGRATION: ReadonlySet<string> = new Set([
  'HotVCPUChange',
  'HotMemoryChange',
  'MigrationRequired',
  'VolumesChange',
]);

/** A change waits for a migration of this VMI. */
export function waitsForMigration({ status }: Vmi): boolean {
  return (status?.conditions ?? []).some(
    (c) => FINISHED_BY_MIGRATION.has(c.type) && c.status === 'True' && c.reason !== IN_PLACE,
  );
}

/** A copy of the guest's disks, or of its memory, is under way or about to begin: its claim is plugged in. */
export function isBeingBackedUp({ spec, status }: Vmi): boolean {
  const backup = status?.changedBlockTracking?.backupStatus ?? undefined;
  return (
    (backup !== undefined && backup.completed !== true) ||
    spec.utilityVolumes?.some((volume) => volume.type === 'Backup' || takesMemory(volume)) === true
  );
}

/** The migration moves its guest between two clusters. */
export function isDecentralized({ spec }: Migration): boolean {
  return spec.sendTo !== undefined || spec.receive !== undefined;
}

/** Why the target Pod cannot take a guest any more. */
export function podProblem(pod: Pod): string | undefined {
  if (isPodFinal(pod)) return 'the target pod ended before the migration began';
  return isPodDeleting(pod) ? 'the target pod is being deleted' : undefined;
}
