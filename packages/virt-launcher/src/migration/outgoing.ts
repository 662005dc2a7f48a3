/** The source's side: at most one migration at a time, what is known of it, and how it is stopped. */
import type {
  MigrationMode,
  MigrationOptions,
  MigrationProgress,
  SourceMigration,
  VirtualMachineInstance,
} from '@podvisor/api';
import { MIGRATION_CHANNELS, migrationSocketName } from '@podvisor/api';
import { type Clock, messageOf, rfc3339, sleep } from '@podvisor/base';
import {
  DOMAIN_STATE,
  type DomainRef,
  ERROR_CODE,
  isLibvirtError,
  LibvirtConnection,
  XML_FLAG,
} from '@podvisor/libvirt';
import { domainFromXml } from '@podvisor/translate';
import type { Notice } from '../command-server/watch-domain.ts';
import { isActive, lifeState } from '../domain-state.ts';
import type { DiskLeases } from '../disk-leases.ts';
import { LauncherError } from '../launcher-error.ts';
import type { LibvirtSession } from '../libvirt-session.ts';
import { LibvirtUnavailable } from '../libvirt-session.ts';
import type { Log } from '../log.ts';
import {
  advance,
  begin,
  type Course,
  downtimeLimitMs,
  FIRST_DOWNTIME_MS,
  judge,
  limitsOf,
  type Limits,
} from './judge.ts';
import { move, type MigrationSockets, type Outcome } from './move.ts';
import { planMigration } from './plan.ts';
import { progressOf, reportOf, sampleOf } from './progress.ts';
import { announcement, diskUse } from './announce.ts';
import { incomingState } from './incoming.ts';
import { retarget } from './retarget.ts';

export interface OutgoingOptions {
  /** Asked before the guest goes on here. */
  readonly leases: Pick<DiskLeases, 'verify'>;
  readonly domainName: string;
  readonly session: LibvirtSession;
  /** Directory of the launcher's sockets, where virt-handler puts its ends. */
  readonly socketsDirectory: string;
  /** The state has changed. */
  readonly onChange: () => void;
  /** Something that the VMI's event list should tell. */
  readonly notify: (notice: Notice) => void;
  readonly clock: Clock;
  readonly log: Log;
  /** Ends with the launcher. */
  readonly signal: AbortSignal;
}

/** Between two looks at the job; libvirt tells of passes, but not of bytes. */
const LOOK_MS = 400;
/** Between two tries to learn where the guest runs, or to reach our own libvirtd again. */
const RETRY_MS = 500;
/** What clients of KubeVirt look for. */
const ABORTED = 'Live migration has been aborted';

class NotWanted extends Error {}

export class OutgoingMigration {
  readonly #options: OutgoingOptions;
  #state: SourceMigration | undefined;
  #course: Course | undefined;
  #stage: 'idle' | 'preparing' | 'moving' | 'handing-over' = 'idle';
  #cancelled: string | undefined;
  /** Milliseconds that each step took. */
  #steps: Record<string, number> = {};
  #targetGone = Promise.withResolvers<void>();

  constructor(options: OutgoingOptions) {
    this.#options = options;
  }

  get state(): SourceMigration | undefined {
    return this.#state;
  }

  /** The domain belongs to the migration now: nobody else changes it. */
  get isActive(): boolean {
    return this.#stage !== 'idle';
  }

  get progress(): MigrationProgress | undefined {
    const state = this.#state;
    const sample = this.#course?.last;
    if (state === undefined || state.completed === true) return undefined;
    if (sample !== undefined) return progressOf(state.uid, state.mode, sample);
    const elapsedMs = this.#options.clock.now() - Date.parse(state.startTimestamp);
    return { uid: state.uid, mode: state.mode, elapsedMs };
  }

  /** Begins; how it goes is in `state`. The same migration again changes nothing. */
  start(vmi: VirtualMachineInstance, options: MigrationOptions): void {
    if (this.#state?.uid === options.migrationUid) return;
    if (this.isActive) throw new LauncherError(`migration ${this.#state?.uid} is still under way`);
    this.#state = {
      role: 'source',
      uid: options.migrationUid,
      startTimestamp: rfc3339(this.#options.clock.now()),
      mode: 'PreCopy',
    };
    this.#course = undefined;
    this.#cancelled = undefined;
    this.#steps = {};
    this.#targetGone = Promise.withResolvers();
    this.#stage = 'preparing';
    this.#options.onChange();
    void this.#run(vmi, options);
  }

  /** Stops it as far as that is possible. Nothing to stop is success. */
  async cancel(why = ABORTED): Promise<void> {
    if (!this.isActive || this.#state?.abortStatus !== undefined) return;
    if (this.#stage === 'handing-over' || this.#state?.mode === 'PostCopy') {
      this.#change({ abortStatus: 'Failed' });
      return;
    }
    this.#cancelled = why;
    this.#change({ abortStatus: 'Aborting' });
    if (this.#stage === 'moving') await this.#abortJob();
  }

  /** Proof that the Pod of the target has ended. */
  targetIsGone(): void {
    this.#targetGone.resolve();
  }

  async #run(vmi: VirtualMachineInstance, options: MigrationOptions): Promise<void> {
    const { clock, log } = this.#options;
    const startedMs = clock.now();
    log.info({ migration: options.migrationUid }, 'migration begins');
    let wasPaused = false;
    let outcome: Outcome;
    try {
      const { connection } = this.#options.session;
      const domain = await connection.lookupByName(this.#options.domainName);
      if (domain === undefined) throw new LauncherError('there is no virtual machine to migrate');
      wasPaused = (await connection.state(domain)).state === DOMAIN_STATE.paused;
      outcome = await this.#move(connection, domain, vmi, options, wasPaused);
      if (isWithoutPostCopy(outcome, options)) {
        log.warn({}, 'the target cannot do post-copy; the migration does without');
        const { allowWorkloadDisruption = true } = options.configuration;
        const configuration = { ...options.configuration, allowPostCopy: false, allowWorkloadDisruption };
        outcome = await this.#move(connection, domain, vmi, { ...options, configuration }, wasPaused);
      }
    } catch (error) {
      outcome = { kind: 'stayed', error };
    }
    await this.#settle(outcome, wasPaused);
    if (outcome.kind === 'handed-over') await this.#readFinalFigures();
    this.#stage = 'idle';
    this.#end(outcome, startedMs);
  }

  async #move(
    source: LibvirtConnection,
    domain: DomainRef,
    vmi: VirtualMachineInstance,
    options: MigrationOptions,
    isPaused: boolean,
  ): Promise<Outcome> {
    const { configuration, migrationUid: uid } = options;
    const { socketsDirectory, signal, log } = this.#options;
    const live = domainFromXml(await source.getXml(domain));
    const plan = planMigration(vmi, live, configuration, isPaused);
    const path = (channel: keyof typeof MIGRATION_CHANNELS, role: 'source' | 'target'): string =>
      `${role === 'source' ? socketsDirectory : (options.targetSocketsDirectory ?? socketsDirectory)}/${migrationSocketName(uid, MIGRATION_CHANNELS[channel], role)}`;
    const sockets = (role: 'source' | 'target'): MigrationSockets => ({
      memory: path('memory', role),
      disks: path('disks', role),
    });
    const dial = (): Promise<LibvirtConnection> =>
      LibvirtConnection.open({ socketPath: path('libvirt', 'source'), signal });
    const { maxMemKiB } = await source.inspect.info(domain);
    await using target = await dial();
    this.#options.notify(announcement(maxMemKiB * 1024, plan.volumes, await diskUse(plan.paths)));
    const { targetCpuSet = [] } = options;
    const targetXml =
      targetCpuSet.length === 0
        ? undefined
        : retarget(await source.getXml(domain, XML_FLAG.migratable), targetCpuSet);
    return await move({
      source,
      target,
      domain,
      plan,
      ...(targetXml === undefined ? {} : { targetXml }),
      sourceSockets: sockets('source'),
      targetSockets: sockets('target'),
      checkWanted: () => {
        if (this.#cancelled !== undefined) throw new NotWanted(this.#cancelled);
        signal.throwIfAborted();
      },
      isPostCopy: () => this.#state?.mode === 'PostCopy',
      whileMoving: (moved) => {
        this.#stage = 'moving';
        const hasHostDevices = (live.devices?.hostDevices ?? []).length > 0;
        const limits = (diskBytes: number): Limits =>
          limitsOf(configuration, maxMemKiB * 1024 + diskBytes, hasHostDevices);
        void this.#watch(source, domain, limits, configuration.maxDowntimeMs, moved);
      },
      onMoved: () => {
        this.#stage = 'handing-over';
        log.info({ migration: uid }, 'all of the guest is on the target, which is asked to let it run');
      },
      decide: () => this.#decide(dial),
      took: (step, ms) => {
        this.#steps[step] = Math.round(ms);
      },
    });
  }

  /** Follows the figures until the data has moved, and acts on them. */
  async #watch(
    source: LibvirtConnection,
    domain: DomainRef,
    limits: (diskBytes: number) => Limits,
    maxDowntimeMs: number | undefined,
    moved: Promise<unknown>,
  ): Promise<void> {
    const { clock, log } = this.#options;
    const done = new AbortController();
    const stop = (): void => done.abort();
    moved.then(stop, stop);
    this.#course = begin(clock.now());
    let allowedMs = FIRST_DOWNTIME_MS;
    while (!done.signal.aborted) {
      try {
        const sample = sampleOf(await source.migration.jobStats(domain), clock.now());
        if (sample !== undefined) this.#course = advance(this.#course, sample);
        const memoryMoves = (sample?.iteration ?? 0) >= 1;
        const wantedMs =
          maxDowntimeMs === undefined ? allowedMs : downtimeLimitMs(this.#course, maxDowntimeMs, clock.now());
        if (memoryMoves && wantedMs !== allowedMs) {
          allowedMs = wantedMs;
          await source.migration.setMaxDowntime(domain, wantedMs);
        }
        await this.#act(source, domain, limits(sample?.diskTotalBytes ?? 0));
      } catch (error) {
        // The job may have ended between two looks, or libvirtd is away: `moved` tells.
        if (!done.signal.aborted) log.info({ error }, 'the migration could not be looked at');
      }
      await sleep(clock, LOOK_MS, done.signal).catch(() => {});
    }
  }

  async #act(source: LibvirtConnection, domain: DomainRef, limits: Limits): Promise<void> {
    const { clock, log } = this.#options;
    if (this.#course === undefined || this.#cancelled !== undefined) return;
    const verdict = judge(this.#course, limits, clock.now());
    if (verdict.kind === 'go-on') return;
    log.warn({ verdict, figures: this.#course.last }, 'the migration needs help');
    const enter = (mode: MigrationMode): void => {
      if (this.#course !== undefined) this.#course = { ...this.#course, mode, progressMs: clock.now() };
      this.#change({ mode });
    };
    switch (verdict.kind) {
      case 'post-copy':
        enter('PostCopy'); // first: once asked, there is no way back, whatever the answer
        await source.migration.startPostCopy(domain);
        return;
      case 'pause':
        await source.suspend(domain);
        enter('Paused');
        return;
      case 'abort':
        this.#cancelled = `${ABORTED}: ${verdict.why}`;
        this.#change({ abortStatus: 'Aborting' });
        await this.#abortJob();
        return;
    }
  }

  async #abortJob(): Promise<void> {
    const { connection } = this.#options.session;
    const domain = await connection.lookupByName(this.#options.domainName);
    if (domain === undefined) return;
    await connection.migration.abortJob(domain).catch((error: unknown) => {
      // Nothing to abort any more: how it ended is told by the end.
      if (!isLibvirtError(error, ERROR_CODE.operationInvalid)) throw error;
    });
  }

  /** Asks the target until it answers, or until somebody proves that it is gone. */
  async #decide(dial: () => Promise<LibvirtConnection>): Promise<'runs' | 'gone'> {
    const { clock, log, signal, domainName } = this.#options;
    log.warn({}, 'the answer of the target was lost; the guest stands still until it is known where it runs');
    this.#change({ isUndecided: true });
    let proven = false;
    void this.#targetGone.promise.then(() => {
      proven = true;
    });
    for (;;) {
      if (proven) return 'gone';
      try {
        await using target = await dial();
        const domain = await target.lookupByName(domainName);
        if (domain === undefined) return 'gone';
        const state = await target.state(domain);
        if (!isActive(lifeState(state))) return 'gone';
        if (incomingState('', state).stage === 'arrived') return 'runs';
      } catch (error) {
        log.info({ error: messageOf(error) }, 'the target does not answer');
      }
      await sleep(clock, RETRY_MS, signal);
    }
  }

  /** Makes true on this end what the outcome says: no QEMU after a hand-over, a running guest otherwise. */
  async #settle(outcome: Outcome, wasPaused: boolean): Promise<void> {
    const { session, domainName, clock, log, signal } = this.#options;
    while (outcome.kind !== 'lost' && !signal.aborted) {
      try {
        const { connection } = session;
        const domain = await connection.lookupByName(domainName);
        if (domain === undefined) return;
        const { state } = await connection.state(domain);
        if (outcome.kind === 'handed-over') {
          if (isActive(lifeState({ state, reason: 0 }))) await connection.destroy(domain);
          return;
        }
        if (state === DOMAIN_STATE.paused && !wasPaused) {
          this.#options.leases.verify();
          await connection.resume(domain);
        }
        return;
      } catch (error) {
        if (isLibvirtError(error, ERROR_CODE.operationInvalid)) return; // it is as it should be already
        if (!(error instanceof LibvirtUnavailable)) log.warn({ error }, 'the migration is not settled yet');
        await sleep(clock, RETRY_MS, signal).catch(() => {});
      }
    }
  }

  /** Only at the end is it known how long the guest stood still. */
  async #readFinalFigures(): Promise<void> {
    try {
      const { connection } = this.#options.session;
      const domain = await connection.lookupByName(this.#options.domainName);
      if (domain === undefined || this.#course === undefined) return;
      const sample = sampleOf(
        await connection.migration.jobStats(domain, { completed: true }),
        this.#options.clock.now(),
      );
      if (sample !== undefined) this.#course = { ...this.#course, last: sample };
    } catch (error) {
      this.#options.log.info({ error }, 'the final figures of the migration are not known');
    }
  }

  #end(outcome: Outcome, startedMs: number): void {
    const { clock, log } = this.#options;
    const mode = this.#state?.mode ?? 'PreCopy';
    const report = reportOf(this.#state?.uid ?? '', mode, clock.now() - startedMs, this.#course?.last);
    const end = { completed: true, endTimestamp: rfc3339(clock.now()), isUndecided: undefined, report };
    if (outcome.kind === 'handed-over') {
      log.info({ report, steps: this.#steps }, 'the guest has moved');
      // Whoever wanted to stop it came too late.
      this.#change(this.#cancelled === undefined ? end : { ...end, abortStatus: 'Failed' });
      return;
    }
    const why = messageOf(outcome.error);
    log.warn({ error: outcome.error, outcome: outcome.kind }, 'the migration failed');
    this.#change({
      ...end,
      failed: true,
      failureReason: this.#cancelled ?? (outcome.kind === 'lost' ? `post-copy broke: ${why}` : why),
      ...(this.#cancelled === undefined ? {} : { abortStatus: 'Succeeded' as const }),
    });
  }

  #change(part: Partial<SourceMigration>): void {
    if (this.#state === undefined) return;
    const merged = { ...this.#state, ...part };
    if (merged.isUndecided !== true) delete (merged as { isUndecided?: boolean }).isUndecided;
    this.#state = merged;
    this.#options.onChange();
  }
}

/** QEMU on the target refused because its node does not let it handle page faults. */
function isWithoutPostCopy(outcome: Outcome, { configuration }: MigrationOptions): boolean {
  return (
    configuration.allowPostCopy === true &&
    outcome.kind === 'stayed' &&
    /postcopy is not supported/i.test(messageOf(outcome.error))
  );
}
