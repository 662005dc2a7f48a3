/** The source's side: at most one migration at a time, what is known of it, and how it is stopped. */
import type {
  MigrationOptions,
  MigrationProgress,
  MigrationWork,
  SourceMigration,
  VirtualMachineInstance,
  Volume,
} from '@podvisor/api';
import { MIGRATION_CHANNELS, migrationSocketName } from '@podvisor/api';
import { type Clock, messageOf, rfc3339 } from '@podvisor/base';
import {
  DOMAIN_STATE,
  type DomainRef,
  ERROR_CODE,
  isLibvirtError,
  LibvirtConnection,
  XML_FLAG,
} from '@podvisor/libvirt';
import { type Domain, type DomainHostDevice, domainFromXml, sriovInterfaces } from '@podvisor/translate';
import type { Notice } from '../command-server/watch-domain.ts';
import { claimDiskBytes } from '../disks/disk-bytes.ts';
import type { DiskLeases } from '../disks/disk-leases.ts';
import { LauncherError } from '../launcher-error.ts';
import type { LibvirtSession } from '../domain/libvirt-session.ts';
import type { Log } from '../log.ts';
import { announcement, diskUse, unusedSettings } from './figures/announce.ts';
import { endStuck } from './outcome/end-stuck.ts';
import { finalFigures } from './figures/figures.ts';
import { Follower } from './figures/follow.ts';
import { limitsOf } from './figures/judge.ts';
import { bandwidth, move, type MigrationSockets, type Outcome, uris } from './move.ts';
import { type MigrationPlan, planMigration } from './plan.ts';
import { giveDevices, networkDevicesOf, type ReleaseOptions, releaseDevices } from './network-devices.ts';
import { progressOf, reportOf } from './figures/progress.ts';
import { type DiskPlace, redirectDisks } from './definition/redirect-disks.ts';
import { retarget } from './definition/retarget.ts';
import { recoverPostCopy } from './post-copy/recover-post-copy.ts';
import { applyOutcome } from './outcome/apply-outcome.ts';
import { locateGuest } from './outcome/locate-guest.ts';

export interface OutgoingOptions {
  /** Asked before the guest goes on here. */
  readonly leases: Pick<DiskLeases, 'verify' | 'giveUp'>;
  /** Where the disk of a volume is in any launcher Pod. */
  readonly diskPath: (volume: Volume, block: boolean) => string;
  readonly domainName: string;
  readonly session: LibvirtSession;
  /** Directory of the launcher's sockets, where virt-handler puts its ends. */
  readonly socketsDirectory: string;
  /** Ends libvirtd, which is started anew at once; QEMU runs on. */
  readonly restartLibvirtd: () => void;
  /** The state has changed. */
  readonly onChange: () => void;
  /** Something that the VMI's event list should tell. */
  readonly notify: (notice: Notice) => void;
  /** Resolves when the domain has lost a device of this alias. */
  readonly deviceRemoved: ReleaseOptions['removed'];
  readonly clock: Clock;
  readonly log: Log;
  /** Ends with the launcher. */
  readonly signal: AbortSignal;
}

/** What clients of KubeVirt look for. */
const ABORTED = 'Live migration has been aborted';

class NotWanted extends Error {}

export class OutgoingMigration {
  readonly #options: OutgoingOptions;
  #state: SourceMigration | undefined;
  #follower: Follower | undefined;
  #stage: 'idle' | 'preparing' | 'moving' | 'handing-over' = 'idle';
  #cancelled: string | undefined;
  /** Milliseconds that each step took. */
  #steps: Record<string, number> = {};
  #targetGone = Promise.withResolvers<void>();
  #work: MigrationWork | undefined;
  /** Disks that are on other claims after the move: where they were. */
  #left: readonly string[] = [];

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
    const sample = this.#follower?.course.last;
    if (state === undefined || state.completed === true) return undefined;
    const planned = this.#work === undefined ? {} : { planned: this.#work };
    if (sample !== undefined) return { ...progressOf(state.uid, state.mode, sample), ...planned };
    const elapsedMs = this.#options.clock.now() - Date.parse(state.startTimestamp);
    return { uid: state.uid, mode: state.mode, elapsedMs, ...planned };
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
    this.#follower = undefined;
    this.#work = undefined;
    this.#cancelled = undefined;
    this.#steps = {};
    this.#targetGone = Promise.withResolvers();
    this.#stage = 'preparing';
    this.#options.onChange();
    void this.#run(vmi, options);
  }

  /** Stops it as far as that is possible. Nothing to stop is success. */
  async cancel(why = ABORTED): Promise<void> {
    if (!this.isActive || this.#state?.abortStatus !== undefined || this.#state?.completed === true) return;
    if (this.#stage === 'handing-over' || this.#state?.mode === 'PostCopy') {
      this.#change({ abortStatus: 'Failed' });
      return;
    }
    this.#cancelled = why;
    this.#change({ abortStatus: 'Aborting' });
    if (this.#stage === 'moving') await this.#abortJob();
  }

  /** libvirt says that a new pass over the memory begins. */
  passed(iteration: number): void {
    if (this.#stage === 'moving') this.#follower?.passed(iteration);
  }

  /** Proof that the Pod of the target has ended. */
  targetIsGone(): void {
    this.#targetGone.resolve();
  }

  async #run(vmi: VirtualMachineInstance, options: MigrationOptions): Promise<void> {
    const { clock, log } = this.#options;
    const startedMs = clock.elapsed();
    log.info({ migration: options.migrationUid }, 'migration begins');
    let wasPaused = false;
    let outcome: Outcome;
    let held: readonly DomainHostDevice[] = [];
    try {
      const { connection } = this.#options.session;
      const domain = await connection.lookupByName(this.#options.domainName);
      if (domain === undefined) throw new LauncherError('there is no virtual machine to migrate');
      wasPaused = (await connection.state(domain)).state === DOMAIN_STATE.paused;
      const { deviceRemoved: removed, signal } = this.#options;
      if (sriovInterfaces(vmi).length > 0) {
        held = networkDevicesOf(domainFromXml(await connection.getXml(domain)));
        await releaseDevices(connection, domain, { removed, clock, signal });
      }
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
    const applied = (): Promise<void> =>
      applyOutcome(this.#options, outcome.kind, wasPaused, this.#options.signal).finally(() => {
        this.#stage = 'idle';
      });
    if (outcome.kind !== 'handed-over') {
      await applied();
      if (outcome.kind === 'stayed') await this.#giveBack(held);
      this.#end(outcome, startedMs);
      return;
    }
    // The guest runs on its new node: that is told before libvirt has ended the QEMU that it left behind.
    this.#end(outcome, startedMs);
    await outcome.confirm();
    await applied();
    this.#options.leases.giveUp(this.#left);
    log.info({ steps: this.#steps }, 'what the guest left behind is gone');
  }

  /** The guest stayed: what it let go of for the move is given to it again. */
  async #giveBack(held: readonly DomainHostDevice[]): Promise<void> {
    if (held.length === 0) return;
    const { session, domainName, log } = this.#options;
    try {
      const domain = await session.connection.lookupByName(domainName);
      if (domain !== undefined) await giveDevices(session.connection, domain, held);
    } catch (error) {
      log.error({ error }, 'the guest did not get its SR-IOV devices back');
    }
  }

  async #move(
    source: LibvirtConnection,
    domain: DomainRef,
    vmi: VirtualMachineInstance,
    options: MigrationOptions,
    isPaused: boolean,
  ): Promise<Outcome> {
    const { configuration, migrationUid: uid } = options;
    const { socketsDirectory, signal, clock, log } = this.#options;
    const dial = (): Promise<LibvirtConnection> =>
      LibvirtConnection.open({ socketPath: path('libvirt', 'source'), signal });
    const path = (channel: keyof typeof MIGRATION_CHANNELS, role: 'source' | 'target'): string =>
      `${role === 'source' ? socketsDirectory : (options.targetSocketsDirectory ?? socketsDirectory)}/${migrationSocketName(uid, MIGRATION_CHANNELS[channel], role)}`;
    // Beside the questions to our own libvirtd.
    const dialled = dial();
    await using open = new AsyncDisposableStack();
    open.defer(async () => (await dialled.catch(() => undefined))?.close());
    const live = domainFromXml(await source.getXml(domain));
    const plan = planMigration(vmi, live, configuration, isPaused);
    this.#left = plan.moved.map(({ path: image }) => image);
    const sockets = (role: 'source' | 'target'): MigrationSockets => ({
      memory: path('memory', role),
      disks: path('disks', role),
    });
    const { maxMemKiB } = await source.inspect.info(domain);
    const target = await dialled;
    const { volumes } = plan;
    this.#work = { memoryBytes: maxMemKiB * 1024, diskBytes: diskUse(plan.paths), volumes };
    this.#options.notify(announcement(this.#work, unusedSettings(configuration)));
    const { targetCpuSet = [] } = options;
    const targetXml =
      targetCpuSet.length === 0 && plan.moved.length === 0
        ? undefined
        : targetDefinition(
            await source.getXml(domain, XML_FLAG.migratable),
            targetCpuSet,
            this.#newPlaces(plan, live, vmi),
          );
    const hasHostDevices = (live.devices?.hostDevices ?? []).length > 0;
    const follower = new Follower({
      source,
      domain,
      limits: (diskBytes) => limitsOf(configuration, maxMemKiB * 1024 + diskBytes, hasHostDevices),
      maxDowntimeMs: configuration.maxDowntimeMs,
      isCancelled: () => this.#cancelled !== undefined,
      entered: (mode) => this.#change({ mode }),
      giveUp: async (why) => {
        this.#cancelled = `${ABORTED}: ${why}`;
        this.#change({ abortStatus: 'Aborting' });
        await this.#abortJob();
      },
      clock,
      log,
    });
    this.#follower = follower;
    const outcome = await move({
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
      beforeMoving: () => follower.allowFirstDowntime(),
      whileMoving: (moved) => {
        this.#stage = 'moving';
        void follower.follow(moved);
        const stuck = {
          broken: new Promise<void>((resolve) => target.onClose(() => resolve())),
          askAboutTarget: () => this.#change({ isUndecided: true }),
          targetGone: this.#targetGone.promise,
          standsStill: async () => (await source.state(domain)).state === DOMAIN_STATE.paused,
          abort: () => this.#abortJob(),
          restartLibvirtd: this.#options.restartLibvirtd,
          destroy: () => source.destroy(domain),
          clock,
          log,
        };
        void endStuck(stuck, moved, signal);
      },
      onMoved: () => {
        this.#stage = 'handing-over';
        log.info({ migration: uid }, 'all of the guest is on the target, which is asked to let it run');
      },
      decide: () => {
        log.warn(
          {},
          'the answer of the target was lost; the guest stands still until it is known where it runs',
        );
        this.#change({ isUndecided: true });
        const targetGone = this.#targetGone.promise;
        return locateGuest({ domainName: domain.name, dial, targetGone, clock, log }, signal);
      },
      recoverPostCopy: (error, isFinishAsked) => {
        this.#change({ isUndecided: true });
        const parts = {
          source: () => this.#options.session.connection,
          dial,
          domain,
          ...plan,
          sourceParams: [...uris(sockets('source'), plan), ...bandwidth(plan)],
          targetParams: uris(sockets('target'), plan),
          targetGone: this.#targetGone.promise,
          clock,
          log,
        };
        return recoverPostCopy(parts, error, isFinishAsked, signal);
      },
      took: (step, ms) => {
        this.#steps[step] = Math.round(ms);
      },
    });
    if (outcome.kind === 'handed-over')
      follower.conclude(await finalFigures(target, domain, follower.course.last, clock.elapsed()));
    return outcome;
  }

  /** Where the disks that go to other claims are on the target. */
  #newPlaces({ moved }: MigrationPlan, live: Domain, { spec }: VirtualMachineInstance): readonly DiskPlace[] {
    const sizes = claimDiskBytes(live);
    return moved.map(({ volume, toBlock }) => {
      const bytes = sizes[volume];
      const declared = spec.volumes?.find(({ name }) => name === volume);
      if (bytes === undefined || declared === undefined)
        throw new LauncherError(`the size of volume ${volume} is not known`);
      return { volume, path: this.#options.diskPath(declared, toBlock), block: toBlock, bytes };
    });
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

  #end(outcome: Outcome, startedMs: number): void {
    const { clock, log } = this.#options;
    const mode = this.#state?.mode ?? 'PreCopy';
    const report = reportOf(
      this.#state?.uid ?? '',
      mode,
      clock.elapsed() - startedMs,
      this.#follower?.course.last,
    );
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

/** The domain as the target is to define it; undefined: as it is. */
function targetDefinition(
  xml: string,
  cpus: readonly number[],
  disks: readonly DiskPlace[],
): string | undefined {
  const pinned = retarget(xml, cpus);
  return disks.length === 0 ? pinned : redirectDisks(pinned ?? xml, disks);
}

/** QEMU on the target refused because its node does not let it handle page faults. */
function isWithoutPostCopy(outcome: Outcome, { configuration }: MigrationOptions): boolean {
  return (
    configuration.allowPostCopy === true &&
    outcome.kind === 'stayed' &&
    /postcopy is not supported/i.test(messageOf(outcome.error))
  );
}
