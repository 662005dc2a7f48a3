/** The migrations that have not ended, as `turn.ts` wants to see them, and what this process has let through. */
import type { MigrationDefaults, VirtualMachineInstanceMigration } from '@podvisor/api';
import { migrationEvents } from './events.ts';
import type { Turn } from './plan.ts';
import { placeOf } from './status.ts';
import { type Candidate, mayStart, pauseMs } from './turn.ts';

type Migration = VirtualMachineInstanceMigration;

export interface QueueSources {
  /** Migrations of the cache that have not ended. */
  open(): readonly Migration[];
  /** All migrations of the same VMI, this one included. */
  siblings(migration: Migration): readonly Migration[];
  /** Where the guest of a migration runs. */
  sourceNode(migration: Migration): string | undefined;
  /** A target Pod of this migration is in the cache. */
  hasTarget(migration: Migration): boolean;
  limits(): MigrationDefaults;
}

export class MigrationQueue {
  readonly #sources: QueueSources;
  /** UIDs whose target Pod was asked for and may not be in the cache yet. */
  readonly #letThrough = new Set<string>();

  constructor(sources: QueueSources) {
    this.#sources = sources;
  }

  /** Whether this migration may have its target Pod now. It counts as active from then on. */
  turn(migration: Migration, nowMs: number): Turn {
    const { open, siblings, limits } = this.#sources;
    const pause = pauseMs(migration, siblings(migration), nowMs);
    if (pause > 0) {
      const event = migrationEvents.backOff(migration.spec.vmiName ?? '', Math.ceil(pause / 1000));
      return { kind: 'wait', requeueAfterMs: pause, event };
    }
    const candidates = open().map((one) => this.#candidate(one, nowMs));
    const uid = migration.metadata?.uid ?? '';
    // Who has to wait is woken when another one ends.
    return mayStart(candidates, limits()).has(uid) || this.#letThrough.has(uid)
      ? { kind: 'go' }
      : { kind: 'wait' };
  }

  /** Its target Pod is being made. */
  letThrough({ metadata }: Migration): void {
    this.#letThrough.add(metadata?.uid ?? '');
  }

  /** It has ended, is gone, or its target Pod could not be made. */
  forget({ metadata }: Migration): void {
    this.#letThrough.delete(metadata?.uid ?? '');
  }

  /** It has a target Pod, or one is being made. */
  isActive(migration: Migration): boolean {
    return (
      placeOf(migration.status?.phase) > placeOf('Pending') ||
      this.#letThrough.has(migration.metadata?.uid ?? '') ||
      this.#sources.hasTarget(migration)
    );
  }

  #candidate(migration: Migration, nowMs: number): Candidate {
    const { siblings, sourceNode } = this.#sources;
    return {
      migration,
      sourceNode: migration.status?.migrationState?.sourceNode ?? sourceNode(migration),
      active: this.isActive(migration),
      held:
        migration.metadata?.deletionTimestamp !== undefined ||
        pauseMs(migration, siblings(migration), nowMs) > 0,
    };
  }
}
