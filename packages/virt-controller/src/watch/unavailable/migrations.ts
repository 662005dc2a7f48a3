/**
 * Live migration is not built yet. A migration object that is created must not wait for ever: it fails at
 * once and says why, and its deletion works.
 */
import {
  finalizers,
  isFinalMigrationPhase,
  type VirtualMachineInstanceMigration,
  type VMIMigrationStatus,
} from '@podvisor/api';
import { type Clock, isStatus, rfc3339 } from '@podvisor/base';
import { type KubeClient, type ReconcileResult, resources } from '@podvisor/kube';
import { patchGuarded } from '../guarded-patch.ts';
import type { Recorder } from '../recorder.ts';

export const MIGRATION_UNAVAILABLE =
  'Live migration is not available yet in this version; the virtual machine keeps running where it is.';

/** The status that tells so; undefined when the migration has ended. */
export function unavailableStatus(
  migration: VirtualMachineInstanceMigration,
  nowMs: number,
): VMIMigrationStatus | undefined {
  if (isFinalMigrationPhase(migration.status?.phase)) return undefined;
  const at = rfc3339(nowMs);
  return {
    ...migration.status,
    phase: 'Failed',
    phaseTransitionTimestamps: [
      ...(migration.status?.phaseTransitionTimestamps ?? []),
      { phase: 'Failed', phaseTransitionTimestamp: at },
    ],
    migrationState: {
      ...migration.status?.migrationState,
      migrationUid: migration.metadata?.uid,
      failed: true,
      completed: true,
      failureReason: MIGRATION_UNAVAILABLE,
      endTimestamp: at,
    },
  };
}

export interface MigrationsOptions {
  readonly client: Pick<KubeClient, 'updateStatus' | 'patch'>;
  readonly recorder: Recorder;
  readonly clock: Clock;
  migration(key: string): VirtualMachineInstanceMigration | undefined;
}

export class UnavailableMigrations {
  readonly #options: MigrationsOptions;

  constructor(options: MigrationsOptions) {
    this.#options = options;
  }

  async reconcile(key: string, signal: AbortSignal): Promise<ReconcileResult> {
    const { client, recorder, clock } = this.#options;
    const migration = this.#options.migration(key);
    if (migration === undefined) return;
    const status = unavailableStatus(migration, clock.now());
    if (status !== undefined) {
      await client.updateStatus(
        resources.virtualMachineInstanceMigrations,
        { ...migration, status },
        {},
        signal,
      );
      recorder.event(migration, 'Warning', 'FailedMigration', MIGRATION_UNAVAILABLE);
      return;
    }
    await this.#release(migration, signal);
  }

  async #release(migration: VirtualMachineInstanceMigration, signal: AbortSignal): Promise<void> {
    const { deletionTimestamp, finalizers: present = [], namespace, name = '' } = migration.metadata ?? {};
    if (deletionTimestamp === undefined || !present.includes(finalizers.migration)) return;
    const body = [
      { op: 'test', path: '/metadata/finalizers', value: present },
      {
        op: 'replace',
        path: '/metadata/finalizers',
        value: present.filter((f) => f !== finalizers.migration),
      },
    ] as const;
    try {
      const { client } = this.#options;
      await patchGuarded(
        client,
        resources.virtualMachineInstanceMigrations,
        { namespace, name },
        body,
        signal,
      );
    } catch (error) {
      if (!isStatus(error, 'NotFound')) throw error;
    }
  }
}
