/**
 * The lease by which others can tell that this guest has ended. While the guest runs, it is renewed on the storage of
 * its disks; when it is neither renewed nor held in time, QEMU is ended, before anyone else may start the guest.
 *
 * Safety needs the storage and this machine's own clock alone: virt-handler and the API server can lengthen a
 * guest's time (`hold`), by proofs that others see too, and their absence shortens nothing.
 *
 * Only one write is on its way at a time: a storage that hangs costs one thread, and nothing here waits for it.
 */
import type { DomainLease, GuestLeaseOptions, HoldOptions } from '@podvisor/api';
import { renewEveryMs } from '@podvisor/api';
import { type Clock, messageOf } from '@podvisor/base';
import type { Lease, LeaseHolder, LeaseRenewal, RenewalReading } from '@podvisor/storage';
import type { SwitchTarget } from '@podvisor/sys';
import { LauncherError } from '../launcher-error.ts';
import type { Log } from '../log.ts';
import { type Coverage, held, holdFor, isCovered, newCoverage, renewed } from './coverage.ts';

/** The storage, as far as the lease goes. */
export interface LeaseStorage {
  write(image: string, renewal: LeaseRenewal): Promise<void>;
  read(image: string): Promise<RenewalReading>;
  /** Who has the disk, and in which epoch. */
  lease(image: string): Promise<Lease | undefined>;
}

export interface GuestLeaseDependencies {
  readonly holder: LeaseHolder;
  readonly storage: LeaseStorage;
  /** Path of the image of a volume. */
  readonly imageOf: (volume: string) => string;
  /** The epoch in which this launcher has taken an image; undefined: it could not. */
  readonly epochOf: (image: string) => number | undefined;
  readonly deadMansSwitch: { arm(target: SwitchTarget): void; disarm(): void };
  readonly killQemu: (pid: number) => void;
  /** The guest is being moved: its own target may have its disks. */
  readonly isMoving: () => boolean;
  /** How the lease stands has changed. */
  readonly onChange: () => void;
  /** Told before QEMU is ended. */
  readonly onFenced: (why: string) => void;
  /** The machine's, because virt-handler's holds are told by it. */
  readonly machineTimeMs: () => number;
  readonly clock: Pick<Clock, 'after'>;
  readonly log: Log;
}

/** What was on the storage when it was seen that no runner on another node shows life. */
export interface AloneProof {
  readonly image: string;
  /** The epoch of the run before; 0: there was none. */
  readonly epoch: number;
  /** The last sign of life, as it was. */
  readonly bytes: string;
}

/**
 * With these a storage says that it takes no such file, for anybody. Any other trouble is of the moment: others may have
 * taken the disk from a runner whom they never saw.
 */
const TAKES_NO_FILE: ReadonlySet<string> = new Set([
  ...['EACCES', 'EPERM', 'EROFS', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'],
  ...['ENOSPC', 'EDQUOT', 'ELOOP', 'ENXIO', 'EISDIR'],
]);

/** How long a machine that was suspended for too long has its guest at most, where the lease is renewed less often. */
const LOOK_MS = 5_000;

/** The switch may strike a little before this process counts its time as over. */
const SWITCH_JITTER_MS = 100;

interface Kept {
  readonly options: GuestLeaseOptions;
  readonly image: string;
  readonly pid: number;
  epoch: number;
  count: number;
  coverage: Coverage;
  overdue: string | undefined;
  isWriting: boolean;
  isFenced: boolean;
  /** The switch was told once more that the time is over. */
  isStruck: boolean;
  cancelTimer: () => void;
  cancelLook: () => void;
  cancelOverdue: () => void;
}

export class GuestLease {
  readonly #dependencies: GuestLeaseDependencies;
  #kept: Kept | undefined;
  #ended: Promise<void> = Promise.resolve();
  /** Pod of the runner that was on the storage when this launcher looked first: the one that was proven gone. */
  #before: string | undefined;

  constructor(dependencies: GuestLeaseDependencies) {
    this.#dependencies = dependencies;
  }

  /** Undefined: this guest has no lease. */
  get state(): DomainLease | undefined {
    if (this.#kept === undefined) return undefined;
    const { options, overdue } = this.#kept;
    return { volume: options.volume, ...(overdue === undefined ? {} : { overdue }) };
  }

  /**
   * Before the guest runs: throws when a runner on another node shows life. It has been proven gone, or a person has
   * said so; this costs a moment and saves the disk when that was wrong. One that came later, while this launcher
   * tried to start, was never proven gone: its whole time must pass. Here, QEMU's own lock on the image tells.
   */
  async proveAlone(
    options: GuestLeaseOptions | undefined,
    signal: AbortSignal,
  ): Promise<AloneProof | undefined> {
    if (options === undefined) return undefined;
    const { storage, holder, imageOf, clock, log } = this.#dependencies;
    const image = imageOf(options.volume);
    // Before the first look: who takes the disk from here on has a higher one.
    const epoch = (await storage.lease(image))?.epoch ?? 0;
    const first = await storage.read(image);
    const { renewal } = first;
    const proof = { image, epoch, bytes: first.bytes };
    this.#before ??= renewal?.holder.pod ?? '';
    if (renewal === undefined || renewal.holder.pod === holder.pod) return proof;
    // Of an older run it says nothing about the one that has the disk.
    if (renewal.released === true && renewal.epoch === epoch) return proof;
    if (renewal.holder.node === options.nodeName) return proof;
    // Two launchers of one run: nobody has proven the other one gone, and its node may hold it for any time.
    if (renewal.holder.uid === holder.uid && renewal.released !== true)
      throw new LauncherError(
        `the guest must not start: Pod ${renewal.holder.pod} on node ${renewal.holder.node} runs it already, and has not given its lease on volume ${options.volume} back`,
      );
    log.info({ image, before: renewal.holder }, 'looking whether the runner before us is gone');
    await new Promise<void>((resolve) => {
      const isProven = renewal.holder.pod === this.#before;
      clock.after(isProven ? renewEveryMs(renewal.leaseMs) * 1.25 : renewal.leaseMs, resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    const second = await storage.read(image);
    if (second.bytes === first.bytes || second.renewal?.released === true)
      return { ...proof, bytes: second.bytes };
    throw new LauncherError(
      `the guest must not start: its runner on node ${renewal.holder.node} (Pod ${renewal.holder.pod}) still renews its lease on volume ${options.volume}; two writers would destroy the disk. Whoever said that node ${renewal.holder.node} is off was wrong: stop the guest there first`,
    );
  }

  /**
   * QEMU has the disks, and the lease beside them was taken. Resolves when others can see this runner and the switch
   * is armed; a storage that takes no such file (rights) leaves the guest without a lease, and that is told. Throws,
   * and ends QEMU, when another runner came first, or the storage fails at the moment. A guest that was moved here has no proof: it never stopped running.
   *
   * Of two that start at once, each has first written what the other then looks for (its epoch, its sign of life), so
   * at least one sees the other, however long either stands still in between.
   */
  async keep(
    options: GuestLeaseOptions | undefined,
    pid: number | undefined,
    proof?: AloneProof,
  ): Promise<void> {
    if (options === undefined || pid === undefined || this.#kept !== undefined) return;
    const { storage, imageOf, epochOf, machineTimeMs, log, onChange } = this.#dependencies;
    const image = imageOf(options.volume);
    const epoch = epochOf(image);
    const begunMs = machineTimeMs();
    const kept: Kept = {
      options,
      image,
      pid,
      epoch: epoch ?? 0,
      count: 0,
      coverage: newCoverage(begunMs, options.leaseMs),
      overdue: undefined,
      isWriting: false,
      isFenced: false,
      isStruck: false,
      cancelTimer: () => undefined,
      cancelLook: () => undefined,
      cancelOverdue: () => undefined,
    };
    try {
      if (epoch === undefined) throw new Error('the lease beside the disk was not taken');
      const shown = proof === undefined ? undefined : await storage.read(image);
      if (shown !== undefined && shown.bytes !== proof?.bytes) this.#notAlone(kept, shown.renewal?.holder);
      await storage.write(image, this.#record(kept));
      const lease = await storage.lease(image);
      if (!this.#isOurs(kept, lease)) this.#notAlone(kept, lease?.holder);
      // It stood still for so long on the way here that others may have seen its end.
      if (!isCovered(kept.coverage, machineTimeMs())) this.#notAlone(kept, undefined);
      this.#kept = kept;
    } catch (error) {
      if (error instanceof LauncherError) throw error;
      const { code } = error as NodeJS.ErrnoException;
      if (proof !== undefined && code !== undefined && !TAKES_NO_FILE.has(code)) this.#unseen(kept, error);
      log.warn(
        { image, error: messageOf(error) },
        'no lease can be kept on the storage: a lost node is not noticed by it',
      );
      return;
    }
    this.#arm();
    this.#schedule();
    this.#look(kept);
    onChange();
  }

  /** No lease at all: somebody tidied up, and nobody else has been here. */
  #isOurs({ epoch }: Kept, lease: Lease | undefined): boolean {
    if (lease === undefined) return true;
    const { uid, pod } = this.#dependencies.holder;
    return (
      lease.epoch < epoch || (lease.epoch === epoch && lease.holder.uid === uid && lease.holder.pod === pod)
    );
  }

  #notAlone(kept: Kept, other: LeaseHolder | undefined): never {
    const why =
      other === undefined
        ? 'another runner may have come first'
        : `${other.vmi} (Pod ${other.pod}) came first`;
    this.#fence(kept, why);
    throw new LauncherError(
      `the guest must not run: ${why} on volume ${kept.options.volume}; two writers would destroy the disk`,
    );
  }

  #unseen(kept: Kept, cause: unknown): never {
    const why = 'its storage failed before others could see that it runs';
    this.#fence(kept, why);
    throw new LauncherError(`the guest must not run on volume ${kept.options.volume}: ${why}`, { cause });
  }

  /** Before the guest executes anything: throws when others may have seen its end since the lease was kept. */
  requireTime(): void {
    const kept = this.#kept;
    if (kept === undefined) return;
    if (!kept.isFenced && isCovered(kept.coverage, this.#dependencies.machineTimeMs())) return;
    const { volume } = kept.options;
    throw new LauncherError(
      `the guest must not run: its lease on volume ${volume} ended before its first instruction`,
    );
  }

  /** virt-handler's Lease in the API was renewed: the node is not given up. */
  hold(options: HoldOptions): void {
    const kept = this.#kept;
    if (kept === undefined) return;
    const hold = holdFor(options, kept.options.silenceMs, this.#dependencies.machineTimeMs());
    if (hold !== undefined) this.#cover(kept, held(kept.coverage, hold));
  }

  /**
   * QEMU has ended, or runs elsewhere now. Given back, others need not wait: only where nothing runs, and this launcher
   * starts nothing more. A guest that moved is renewed by its new launcher.
   */
  end({ isGivenBack }: { readonly isGivenBack: boolean }): Promise<void> {
    const kept = this.#kept;
    if (kept === undefined) return this.#ended;
    this.#kept = undefined;
    this.#ended = this.#end(kept, isGivenBack);
    return this.#ended;
  }

  /** When what `end` had to write is written, or after this long. */
  async released(limitMs: number): Promise<void> {
    const { clock } = this.#dependencies;
    await Promise.race([this.#ended, new Promise<void>((resolve) => void clock.after(limitMs, resolve))]);
  }

  async #end(kept: Kept, isGivenBack: boolean): Promise<void> {
    const { deadMansSwitch, storage, log } = this.#dependencies;
    kept.cancelTimer();
    kept.cancelLook();
    kept.cancelOverdue();
    deadMansSwitch.disarm();
    if (!isGivenBack) return;
    try {
      const lease = await storage.lease(kept.image);
      if (!this.#isOurs(kept, lease)) return;
      await storage.write(kept.image, { ...this.#record(kept), released: true });
    } catch (error) {
      log.warn(
        { image: kept.image, error: messageOf(error) },
        'the lease was not given back: others wait for its end',
      );
    }
  }

  #record(kept: Kept): LeaseRenewal {
    kept.count += 1;
    const { leaseMs, silenceMs, nodeName } = kept.options;
    const holder = { ...this.#dependencies.holder, node: nodeName };
    return { epoch: kept.epoch, holder, leaseMs, silenceMs, count: kept.count };
  }

  #schedule(): void {
    const kept = this.#kept;
    if (kept === undefined) return;
    const { clock } = this.#dependencies;
    kept.cancelTimer = clock.after(renewEveryMs(kept.options.leaseMs), () => {
      void this.#renew(kept);
      this.#schedule();
    });
  }

  /** Between the renewals of a long lease. */
  #look(kept: Kept): void {
    if (renewEveryMs(kept.options.leaseMs) <= LOOK_MS) return;
    kept.cancelLook = this.#dependencies.clock.after(LOOK_MS, () => {
      this.#strikeIfOver(kept);
      this.#look(kept);
    });
  }

  async #renew(kept: Kept): Promise<void> {
    if (this.#kept !== kept || kept.isFenced) return;
    const { storage, machineTimeMs, log } = this.#dependencies;
    this.#strikeIfOver(kept);
    if (kept.isWriting) {
      // The last one has not come back: the storage hangs.
      this.#setOverdue(kept, 'the storage does not answer');
      return;
    }
    kept.isWriting = true;
    const begunMs = machineTimeMs();
    try {
      const lease = await storage.lease(kept.image);
      if (lease !== undefined && !this.#isOurs(kept, lease)) {
        this.#taken(kept, lease.holder);
        return;
      }
      await storage.write(kept.image, this.#record(kept));
      if (this.#kept !== kept) return;
      const { leaseMs } = kept.options;
      this.#cover(kept, renewed(kept.coverage, { begunMs, doneMs: machineTimeMs(), leaseMs }));
      this.#setOverdue(kept, undefined);
    } catch (error) {
      log.warn(
        { image: kept.image, error: messageOf(error) },
        'the lease on the storage could not be renewed',
      );
      this.#setOverdue(kept, messageOf(error));
    } finally {
      kept.isWriting = false;
    }
  }

  /** The sleep of a switch does not count the time in which the machine was suspended: one that is armed now strikes. */
  #strikeIfOver(kept: Kept): void {
    if (this.#kept !== kept || kept.isFenced || kept.isStruck) return;
    if (isCovered(kept.coverage, this.#dependencies.machineTimeMs())) return;
    kept.isStruck = true;
    this.#arm();
  }

  /** Another runner has the disks. If that is the target of this guest's own move, it keeps the lease from now on. */
  #taken(kept: Kept, { vmi, uid, pod }: LeaseHolder): void {
    if (this.#dependencies.isMoving() && uid === this.#dependencies.holder.uid)
      void this.end({ isGivenBack: false });
    else this.#fence(kept, `${vmi} (Pod ${pod}) has taken its disks`);
  }

  #cover(kept: Kept, coverage: Coverage): void {
    if (kept.isFenced || coverage === kept.coverage) return;
    const { untilMs } = kept.coverage;
    kept.coverage = coverage;
    kept.isStruck = false;
    this.#arm(untilMs);
  }

  /** `beforeMs`: until when it was armed before. */
  #arm(beforeMs = Number.POSITIVE_INFINITY): void {
    const kept = this.#kept;
    if (kept === undefined) return;
    const { deadMansSwitch, clock, machineTimeMs } = this.#dependencies;
    const { leaseMs, silenceMs } = kept.options;
    const stopAtMs = kept.coverage.untilMs;
    const mayBeStopped = machineTimeMs() > beforeMs - SWITCH_JITTER_MS;
    // Time enough for one more word of virt-handler, to a guest whose whole Pod stood still.
    const killAfterMs = (leaseMs + silenceMs) / 4 + 1_000;
    deadMansSwitch.arm({ pid: kept.pid, stopAtMs, killAfterMs, mayBeStopped });
    kept.cancelOverdue();
    // The switch strikes by itself. This tells why, when there is somebody to tell.
    kept.cancelOverdue = clock.after(stopAtMs - machineTimeMs() + killAfterMs, () => {
      if (this.#kept === kept && !isCovered(kept.coverage, machineTimeMs()))
        this.#fence(
          kept,
          `its lease on volume ${kept.options.volume} ended: ${kept.overdue ?? 'it was not renewed'}`,
        );
    });
  }

  #fence(kept: Kept, why: string): void {
    if (kept.isFenced) return;
    kept.isFenced = true;
    const { killQemu, onFenced, log } = this.#dependencies;
    log.error({ why, image: kept.image }, 'the guest is ended: it may not write any more');
    onFenced(why);
    killQemu(kept.pid);
  }

  #setOverdue(kept: Kept, why: string | undefined): void {
    if (kept.overdue === why) return;
    kept.overdue = why;
    this.#dependencies.onChange();
  }
}
