/** What is known of a migration on its source: how far it is, what is told of it, and what it has to do. */
import type { MigrationProgress, MigrationWork, SourceMigration } from '@podvisor/api';
import { type Clock, messageOf, rfc3339 } from '@podvisor/base';
import type { Log } from '../log.ts';
import type { Follower } from './figures/follow.ts';
import { progressOf, reportOf } from './figures/progress.ts';
import type { Outcome } from './move.ts';

export interface RecordOptions {
  /** The state has changed. */
  readonly onChange: () => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** At most one migration at a time; the last one stays until the next begins. */
export class MigrationRecord {
  readonly #options: RecordOptions;
  #state: SourceMigration | undefined;
  #startedMs = 0;
  #targetGone = Promise.withResolvers<void>();
  stage: 'idle' | 'preparing' | 'moving' | 'handing-over' = 'idle';
  /** Why it is to stop; undefined: it is wanted. */
  cancelled: string | undefined;
  follower: Follower | undefined;
  work: MigrationWork | undefined;
  /** Milliseconds that each step took. */
  steps: Record<string, number> = {};
  /** Disks that are on other claims after the move: where they were. */
  left: readonly string[] = [];

  constructor(options: RecordOptions) {
    this.#options = options;
  }

  get state(): SourceMigration | undefined {
    return this.#state;
  }

  get isActive(): boolean {
    return this.stage !== 'idle';
  }

  /** Resolves with the proof that the Pod of the target has ended. */
  get targetGone(): Promise<void> {
    return this.#targetGone.promise;
  }

  targetIsGone(): void {
    this.#targetGone.resolve();
  }

  get progress(): MigrationProgress | undefined {
    const state = this.#state;
    const sample = this.follower?.course.last;
    if (state === undefined || state.completed === true) return undefined;
    const planned = this.work === undefined ? {} : { planned: this.work };
    if (sample !== undefined) return { ...progressOf(state.uid, state.mode, sample), ...planned };
    const elapsedMs = this.#options.clock.now() - Date.parse(state.startTimestamp);
    return { uid: state.uid, mode: state.mode, elapsedMs, ...planned };
  }

  begin(uid: string): void {
    const { clock, onChange } = this.#options;
    this.#state = { role: 'source', uid, startTimestamp: rfc3339(clock.now()), mode: 'PreCopy' };
    this.#startedMs = clock.elapsed();
    this.follower = undefined;
    this.work = undefined;
    this.cancelled = undefined;
    this.steps = {};
    this.#targetGone = Promise.withResolvers();
    this.stage = 'preparing';
    onChange();
  }

  change(part: Partial<SourceMigration>): void {
    if (this.#state === undefined) return;
    const merged = { ...this.#state, ...part };
    if (merged.isUndecided !== true) delete (merged as { isUndecided?: boolean }).isUndecided;
    this.#state = merged;
    this.#options.onChange();
  }

  end(outcome: Outcome): void {
    const { clock, log } = this.#options;
    const { uid = '', mode = 'PreCopy' } = this.#state ?? {};
    const report = reportOf(uid, mode, clock.elapsed() - this.#startedMs, this.follower?.course.last);
    const end = { completed: true, endTimestamp: rfc3339(clock.now()), isUndecided: undefined, report };
    if (outcome.kind === 'handed-over') {
      log.info({ report, steps: this.steps }, 'the guest has moved');
      // Whoever wanted to stop it came too late.
      this.change(this.cancelled === undefined ? end : { ...end, abortStatus: 'Failed' });
      return;
    }
    const why = messageOf(outcome.error);
    log.warn({ error: outcome.error, outcome: outcome.kind }, 'the migration failed');
    this.change({
      ...end,
      failed: true,
      failureReason: this.cancelled ?? (outcome.kind === 'lost' ? `post-copy broke: ${why}` : why),
      ...(this.cancelled === undefined ? {} : { abortStatus: 'Succeeded' as const }),
    });
  }
}
