/**
 * One try to move the guest: connects to the target, says what will be copied, and joins the steps (`move.ts`) with
 * those who follow the figures, end what is stuck, and find out how it ended when an answer is lost.
 */
import type { MigrationOptions, VirtualMachineInstance, Volume } from '@podvisor/api';
import { MIGRATION_CHANNELS, migrationSocketName } from '@podvisor/api';
import type { Clock } from '@podvisor/base';
import { DOMAIN_STATE, type DomainRef, LibvirtConnection, XML_FLAG } from '@podvisor/libvirt';
import { domainFromXml } from '@podvisor/translate';
import type { Notice } from '../command-server/watch-domain.ts';
import type { LibvirtSession } from '../domain/libvirt-session.ts';
import type { Log } from '../log.ts';
import { newPlaces, targetDefinition } from './definition/target-definition.ts';
import { announcement, diskUse, unusedSettings } from './figures/announce.ts';
import { finalFigures } from './figures/figures.ts';
import { Follower } from './figures/follow.ts';
import { limitsOf } from './figures/judge.ts';
import { bandwidth, type MigrationSockets, move, type MoveIo, type Outcome, uris } from './move.ts';
import { endStuck } from './outcome/end-stuck.ts';
import { locateGuest } from './outcome/locate-guest.ts';
import { planMigration } from './plan.ts';
import { recoverPostCopy } from './post-copy/recover-post-copy.ts';
import type { MigrationRecord } from './record.ts';

export interface MoveGuestOptions {
  /** Where the disk of a volume is in any launcher Pod. */
  readonly diskPath: (volume: Volume, block: boolean) => string;
  readonly session: LibvirtSession;
  /** Directory of the launcher's sockets, where virt-handler puts its ends. */
  readonly socketsDirectory: string;
  /** Ends libvirtd, which is started anew at once; QEMU runs on. */
  readonly restartLibvirtd: () => void;
  /** Something that the VMI's event list should tell. */
  readonly notify: (notice: Notice) => void;
  readonly clock: Clock;
  readonly log: Log;
  /** Ends with the launcher. */
  readonly signal: AbortSignal;
}

/** The guest as it is when the try begins. */
export interface MovedGuest {
  readonly source: LibvirtConnection;
  readonly domain: DomainRef;
  readonly vmi: VirtualMachineInstance;
  readonly isPaused: boolean;
}

/** Who may stop it. */
export interface MoveControl {
  /** Asks libvirt to give it up. Nothing to give up is success. */
  abortJob(): Promise<void>;
  /** It takes too long. */
  giveUp(why: string): Promise<void>;
}

class NotWanted extends Error {}

type Role = 'source' | 'target';

export async function moveGuest(
  options: MoveGuestOptions,
  record: MigrationRecord,
  guest: MovedGuest,
  asked: MigrationOptions,
  control: MoveControl,
): Promise<Outcome> {
  const { source, domain, vmi, isPaused } = guest;
  const { configuration, migrationUid: uid, targetCpuSet = [] } = asked;
  const { socketsDirectory, signal, clock, log } = options;
  const thereSockets = asked.targetSocketsDirectory ?? socketsDirectory;
  const path = (channel: keyof typeof MIGRATION_CHANNELS, role: Role): string =>
    `${role === 'source' ? socketsDirectory : thereSockets}/${migrationSocketName(uid, MIGRATION_CHANNELS[channel], role)}`;
  const sockets = (role: Role): MigrationSockets => ({
    memory: path('memory', role),
    disks: path('disks', role),
  });
  const dial = (): Promise<LibvirtConnection> =>
    LibvirtConnection.open({ socketPath: path('libvirt', 'source'), signal });
  // Beside the questions to our own libvirtd.
  const dialled = dial();
  await using open = new AsyncDisposableStack();
  open.defer(async () => (await dialled.catch(() => undefined))?.close());
  const live = domainFromXml(await source.getXml(domain));
  const plan = planMigration(vmi, live, configuration, isPaused);
  record.left = plan.moved.map(({ path: image }) => image);
  const { maxMemKiB } = await source.inspect.info(domain);
  const target = await dialled;
  const { volumes } = plan;
  record.work = { memoryBytes: maxMemKiB * 1024, diskBytes: diskUse(plan.paths), volumes };
  options.notify(announcement(record.work, unusedSettings(configuration)));
  const targetXml =
    targetCpuSet.length === 0 && plan.moved.length === 0 && thereSockets === socketsDirectory
      ? undefined
      : targetDefinition(
          await source.getXml(domain, XML_FLAG.migratable),
          targetCpuSet,
          newPlaces(plan, live, vmi, options.diskPath),
          { here: socketsDirectory, there: thereSockets },
        );
  const hasHostDevices = (live.devices?.hostDevices ?? []).length > 0;
  const follower = new Follower({
    source,
    domain,
    limits: (diskBytes) => limitsOf(configuration, maxMemKiB * 1024 + diskBytes, hasHostDevices),
    maxDowntimeMs: configuration.maxDowntimeMs,
    isCancelled: () => record.cancelled !== undefined,
    entered: (mode) => record.change({ mode }),
    giveUp: (why) => control.giveUp(why),
    clock,
    log,
  });
  record.follower = follower;
  const outcome = await move({
    source,
    target,
    domain,
    plan,
    ...(targetXml === undefined ? {} : { targetXml }),
    sourceSockets: sockets('source'),
    targetSockets: sockets('target'),
    checkWanted: () => {
      if (record.cancelled !== undefined) throw new NotWanted(record.cancelled);
      signal.throwIfAborted();
    },
    isPostCopy: () => record.state?.mode === 'PostCopy',
    beforeMoving: () => follower.allowFirstDowntime(),
    whileMoving: (moved) => {
      record.stage = 'moving';
      void follower.follow(moved);
      void endStuck(stuckIo(options, record, guest, target, control), moved, signal);
    },
    onMoved: () => {
      record.stage = 'handing-over';
      log.info({ migration: uid }, 'all of the guest is on the target, which is asked to let it run');
    },
    decide: () => {
      log.warn(
        {},
        'the answer of the target was lost; the guest stands still until it is known where it runs',
      );
      record.change({ isUndecided: true });
      const io = { domainName: domain.name, dial, targetGone: record.targetGone, clock, log };
      return locateGuest(io, signal);
    },
    recoverPostCopy: (error, isFinishAsked) => {
      record.change({ isUndecided: true });
      const parts = {
        source: () => options.session.connection,
        dial,
        domain,
        ...plan,
        sourceParams: [...uris(sockets('source'), plan), ...bandwidth(plan)],
        targetParams: uris(sockets('target'), plan),
        targetGone: record.targetGone,
        clock,
        log,
      };
      return recoverPostCopy(parts, error, isFinishAsked, signal);
    },
    took: (step, ms) => {
      record.steps[step] = Math.round(ms);
    },
  } satisfies MoveIo);
  if (outcome.kind === 'handed-over')
    follower.conclude(await finalFigures(target, domain, follower.course.last, clock.elapsed()));
  return outcome;
}

/** What it takes to end a move that libvirt does not end. */
function stuckIo(
  { restartLibvirtd, clock, log }: MoveGuestOptions,
  record: MigrationRecord,
  { source, domain }: MovedGuest,
  target: LibvirtConnection,
  control: MoveControl,
): Parameters<typeof endStuck>[0] {
  return {
    broken: new Promise<void>((resolve) => target.onClose(() => resolve())),
    askAboutTarget: () => record.change({ isUndecided: true }),
    targetGone: record.targetGone,
    standsStill: async () => (await source.state(domain)).state === DOMAIN_STATE.paused,
    abort: () => control.abortJob(),
    restartLibvirtd,
    destroy: () => source.destroy(domain),
    clock,
    log,
  };
}
