/**
 * Backups of the disks of a running guest, one at a time: libvirt's job copies, we begin it at a moment in which the
 * guest's file systems stand still, and note how it ends. What is known here is told as part of the domain's state.
 */
import { mkdir, realpath, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import type { BackupCheckpoint, BackupOptions, BackupProgress, DomainBackup } from '@podvisor/api';
import { type Clock, messageOf, rfc3339 } from '@podvisor/base';
import {
  type DomainEvent,
  type DomainRef,
  ERROR_CODE,
  isLibvirtError,
  type LibvirtConnection,
  type ParamRecord,
} from '@podvisor/libvirt';
import { explain, LauncherError } from '../launcher-error.ts';
import type { Log } from '../log.ts';
import { Mutex } from '../mutex.ts';
import { type JobEnd, judgeEnd } from './judge-end.ts';
import {
  type BackupDisk,
  backupDirectory,
  type BackupPlan,
  checkpointXml,
  planPull,
  planPush,
} from './plan.ts';

/** virDomainJobOperation and virDomainJobType. */
const OPERATION_BACKUP = 9;
const JOB_NONE = 0;
const JOB_COMPLETED = 3;

export interface BackupsOptions {
  readonly vmName: string;
  readonly hotplugDirectory: string;
  /** The live connection and domain; throws when there is none. */
  readonly domain: () => Promise<{ readonly connection: LibvirtConnection; readonly domain: DomainRef }>;
  readonly disks: () => Promise<readonly BackupDisk[]>;
  /** Since when the changes of a volume's disk are known, in milliseconds; undefined: nobody knows. */
  readonly trackedSinceMs: (volume: string) => number | undefined;
  readonly isMigrating: () => boolean;
  /** Freezes the guest; answers how it is thawed again. Throws when it cannot be frozen. */
  readonly freeze: () => Promise<() => Promise<void>>;
  /** Gives back the room of zeros in a file. */
  readonly dig: (file: string) => Promise<void>;
  readonly onChange: () => void;
  readonly clock: Clock;
  readonly log: Log;
}

interface Running {
  readonly options: BackupOptions;
  readonly plan: BackupPlan;
  readonly directory: string;
}

function jobEnd(isSuccess: boolean, { errmsg }: ParamRecord): JobEnd {
  return typeof errmsg === 'string' ? { isSuccess, message: errmsg } : { isSuccess };
}

export class CheckpointInvalid extends LauncherError {}

export class Backups {
  readonly #options: BackupsOptions;
  #state: DomainBackup | undefined;
  readonly #starts = new Mutex();
  #running: Running | undefined;
  /** Somebody wants it to end: for one that is pulled, that is how it succeeds. */
  #aborting = false;

  constructor(options: BackupsOptions) {
    this.#options = options;
  }

  get state(): DomainBackup | undefined {
    return this.#state;
  }

  get isActive(): boolean {
    return this.#state !== undefined && this.#state.endTimestamp === undefined;
  }

  /** Resolves when the copy has begun. Idempotent by name and time, also for one that is just beginning. */
  start(options: BackupOptions): Promise<void> {
    return this.#starts.run(() => this.#start(options));
  }

  async #start(options: BackupOptions): Promise<void> {
    const now = this.#state;
    if (now?.name === options.backupName && now.startTimestamp === options.backupStartTime) return;
    if (this.isActive) throw new LauncherError(`backup ${now?.name} runs, and there is one at a time`);
    if (this.#options.isMigrating()) throw new LauncherError('the guest is being migrated');
    const disks = await this.#options.disks();
    if (!disks.some(({ tracked }) => tracked))
      throw new LauncherError('no disk of the guest has its changed blocks tracked');
    const target = basename(options.targetPath ?? '');
    const claim = await this.#claim(target);
    const directory = backupDirectory(claim, this.#options.vmName, options);
    const plan =
      options.mode === 'Pull'
        ? planPull(options, disks, claim, directory)
        : planPush(options, disks, directory);
    this.#aborting = false;
    const { backupName: name, backupStartTime: startTimestamp } = options;
    const { volumes } = plan;
    this.#state = { name, startTimestamp, target, volumes, quiesce: 'Skipped' };
    try {
      await this.#begin({ options, plan, directory });
    } catch (error) {
      this.#state = undefined;
      this.#running = undefined;
      await rm(directory, { recursive: true, force: true }).catch(() => undefined); // told below is why
      throw explain(`backup ${name} could not be started`, error);
    }
    this.#options.onChange();
  }

  /** How far the copy is; undefined while nothing is copied. */
  async progress(): Promise<BackupProgress | undefined> {
    const running = this.#running;
    if (running === undefined || !this.isActive || running.options.mode === 'Pull') return undefined;
    const { connection, domain } = await this.#options.domain();
    const { type, stats } = await connection.migration.jobStats(domain);
    const { disk_total: totalBytes, disk_processed: doneBytes } = stats;
    if (type === JOB_NONE || typeof totalBytes !== 'number' || typeof doneBytes !== 'number')
      return undefined;
    return { backupName: running.options.backupName, totalBytes, doneBytes };
  }

  /** Stops the copy; that it has ended is told as usual. One that does not run, or never did, needs nothing. */
  async abort({ backupName, backupStartTime }: BackupOptions): Promise<void> {
    const now = this.#state;
    if (now?.name !== backupName || now.startTimestamp !== backupStartTime || !this.isActive) return;
    this.#aborting = true;
    const { connection, domain } = await this.#options.domain();
    await connection.migration.abortJob(domain);
  }

  /** Makes a checkpoint known to libvirt again, e.g. after a restart. Throws CheckpointInvalid when it is lost. */
  async redefine({ name = '', creationTime, volumes }: BackupCheckpoint): Promise<void> {
    const { connection, domain } = await this.#options.domain();
    const covered = volumes === undefined ? undefined : new Set(volumes.map(({ volumeName }) => volumeName));
    const disks = (await this.#options.disks()).map((disk) => ({
      ...disk,
      tracked: disk.tracked && covered?.has(disk.volume) !== false,
    }));
    if (!disks.some(({ tracked }) => tracked))
      throw new CheckpointInvalid(`no disk has the bitmap of checkpoint ${name}`);
    const creationMs =
      typeof creationTime === 'string' ? Date.parse(creationTime) : this.#options.clock.now();
    // libvirt knows checkpoints by the names of disks, and would look for its bitmap in another disk of that name.
    // Times of objects are whole seconds: a disk of the very second in which the backup was asked for was there first.
    const secondOf = (ms: number): number => Math.floor(ms / 1000);
    const fresh = disks.find(
      ({ tracked, volume }) =>
        tracked && secondOf(this.#options.trackedSinceMs(volume) ?? 0) > secondOf(creationMs),
    );
    if (fresh !== undefined)
      throw new CheckpointInvalid(
        `the bitmaps of volume ${fresh.volume} are younger than checkpoint ${name}`,
      );
    if ((await connection.backup.checkpoints(domain)).includes(name)) return;
    try {
      await connection.backup.redefineCheckpoint(domain, checkpointXml(name, disks, creationMs));
    } catch (error) {
      if (!isLibvirtError(error, ERROR_CODE.checkpointInconsistent)) throw error;
      throw new CheckpointInvalid(`checkpoint ${name} is lost`, { detail: messageOf(error), cause: error });
    }
  }

  event(event: DomainEvent): void {
    if (event.kind !== 'jobCompleted' || event.stats['operation'] !== OPERATION_BACKUP) return;
    void this.#ended(jobEnd(event.stats['success'] === true, event.stats));
  }

  /** libvirtd is back: the job may have ended while nobody was told. */
  async reconnected(): Promise<void> {
    if (this.#running === undefined || !this.isActive) return;
    try {
      const { connection, domain } = await this.#options.domain();
      const now = await connection.migration.jobStats(domain);
      if (now.type !== JOB_NONE) return;
      const last = await connection.migration.jobStats(domain, { completed: true, keep: true });
      const isBackup = last.stats['operation'] === OPERATION_BACKUP;
      await this.#ended(isBackup ? jobEnd(last.type === JOB_COMPLETED, last.stats) : { isSuccess: false });
    } catch (error) {
      this.#options.log.warn({ error }, 'could not find out how the backup goes');
    }
  }

  async #begin(running: Running): Promise<void> {
    const { options, plan, directory } = running;
    const { connection, domain } = await this.#options.domain();
    await mkdir(directory, { recursive: true, mode: 0o750 });
    let thaw = async (): Promise<void> => {};
    let quiesce: DomainBackup['quiesce'] = 'Skipped';
    let warning: string | undefined;
    if (options.skipQuiesce !== true) {
      try {
        thaw = await this.#options.freeze();
        quiesce = 'Succeeded';
      } catch (error) {
        quiesce = 'Failed';
        warning = `Failed freezing guest filesystem: ${messageOf(error)}`;
      }
    }
    this.#running = running;
    try {
      await connection.backup.begin(domain, plan.xml, plan.checkpointXml);
      await this.#limit(connection, domain, running);
    } finally {
      await thaw();
    }
    // A copy that has ended already may have more to say.
    const message = this.#state?.message ?? warning;
    if (this.#state !== undefined)
      this.#state = { ...this.#state, quiesce, ...(message === undefined ? {} : { message }) };
  }

  /** QEMU takes a limit only for a copy that has begun: what it has read by then is not limited. */
  async #limit(
    connection: LibvirtConnection,
    domain: DomainRef,
    { options: { bytesPerSecond }, plan }: Running,
  ): Promise<void> {
    if (bytesPerSecond === undefined) return;
    try {
      for (const target of plan.targets) await connection.backup.limit(domain, target, bytesPerSecond);
    } catch (error) {
      this.#options.log.warn({ error, bytesPerSecond }, 'the copy goes on without a limit, or has ended');
    }
  }

  async #ended(job: JobEnd): Promise<void> {
    const running = this.#running;
    if (running === undefined || !this.isActive) return;
    this.#running = undefined;
    const { options, plan, directory } = running;
    const { log, clock } = this.#options;
    const judged = judgeEnd(options.mode, job, this.#aborting);
    const succeeded = judged.failed !== true;
    if (succeeded) await this.#tidy(options, plan);
    // A checkpoint without its copy is of use to nobody.
    else if (plan.checkpointName !== undefined) await this.#forget(plan.checkpointName);
    // What was only kept for a reader goes with it, as what failed does.
    if (!succeeded || options.mode === 'Pull')
      await rm(directory, { recursive: true, force: true }).catch((error: unknown) =>
        log.warn({ error, directory }, 'the files of a backup could not be removed'),
      );
    const { checkpointName } = plan;
    const end = succeeded && checkpointName !== undefined ? { checkpointName } : judged;
    if (this.#state !== undefined)
      this.#state = { ...this.#state, ...end, endTimestamp: rfc3339(clock.now()) };
    log.info({ backup: options.backupName, ...end }, 'the backup has ended');
    this.#options.onChange();
  }

  /** What makes the result smaller; the backup is good without it. */
  async #tidy(options: BackupOptions, plan: BackupPlan): Promise<void> {
    const { log } = this.#options;
    for (const file of plan.fullFiles)
      await this.#options
        .dig(file)
        .catch((error: unknown) => log.info({ error, file }, 'zeros in the backup keep their room'));
    if (options.supersedes !== undefined) await this.#forget(options.supersedes);
  }

  /** A bitmap that stays costs a little memory, nothing else. */
  async #forget(checkpoint: string): Promise<void> {
    try {
      const { connection, domain } = await this.#options.domain();
      await connection.backup.deleteCheckpoint(domain, checkpoint);
    } catch (error) {
      this.#options.log.warn({ error, checkpoint }, 'a checkpoint could not be removed');
    }
  }

  /** The directory of the claim that is plugged in for the backup, and nothing else. */
  async #claim(volume: string): Promise<string> {
    const directory = `${this.#options.hotplugDirectory}/${volume}`;
    const found = volume === '' ? undefined : await realpath(directory).catch(() => undefined);
    if (found === undefined || found !== (await realpath(this.#options.hotplugDirectory)) + `/${volume}`)
      throw new LauncherError(`the claim for the backup is not plugged in at ${directory}`);
    return directory;
  }
}
