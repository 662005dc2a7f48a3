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
import { messageOf } from '@podvisor/base';
import type { LeaseHolder } from '@podvisor/storage';
import { LauncherError } from '../launcher-error.ts';
import { GuestTime, type GuestTimeDependencies } from './guest-time.ts';
import { LeaseRecord } from './lease-record.ts';
import { type AloneProof, AloneProver, type ProverDependencies } from './prove-alone.ts';

export interface GuestLeaseDependencies extends GuestTimeDependencies, ProverDependencies {
  /** The epoch in which this launcher has taken an image; undefined: it could not. */
  readonly epochOf: (image: string) => number | undefined;
  /** The guest is being moved: its own target may have its disks. */
  readonly isMoving: () => boolean;
  /** How the lease stands has changed. */
  readonly onChange: () => void;
}

/**
 * With these a storage says that it takes no such file, for anybody. Any other trouble is of the moment: others may have
 * taken the disk from a runner whom they never saw.
 */
const TAKES_NO_FILE: ReadonlySet<string> = new Set([
  ...['EACCES', 'EPERM', 'EROFS', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'],
  ...['ENOSPC', 'EDQUOT', 'ELOOP', 'ENXIO', 'EISDIR'],
]);

interface Kept {
  readonly options: GuestLeaseOptions;
  readonly image: string;
  readonly record: LeaseRecord;
  readonly time: GuestTime;
  overdue: string | undefined;
  isWriting: boolean;
  cancelTimer: () => void;
}

export class GuestLease {
  readonly #dependencies: GuestLeaseDependencies;
  readonly #prover: AloneProver;
  #kept: Kept | undefined;
  #ended: Promise<void> = Promise.resolve();

  constructor(dependencies: GuestLeaseDependencies) {
    this.#dependencies = dependencies;
    this.#prover = new AloneProver(dependencies);
  }

  /** Undefined: this guest has no lease. */
  get state(): DomainLease | undefined {
    if (this.#kept === undefined) return undefined;
    const { options, overdue } = this.#kept;
    return { volume: options.volume, ...(overdue === undefined ? {} : { overdue }) };
  }

  /** Before the guest runs: throws when a runner on another node shows life. Undefined: it will have no lease. */
  async proveAlone(
    options: GuestLeaseOptions | undefined,
    signal: AbortSignal,
  ): Promise<AloneProof | undefined> {
    return options === undefined ? undefined : this.#prover.prove(options, signal);
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
    const { storage, holder, imageOf, epochOf, log, onChange } = this.#dependencies;
    const image = imageOf(options.volume);
    const epoch = epochOf(image);
    const kept: Kept = {
      options,
      image,
      record: new LeaseRecord(storage, { image, epoch: epoch ?? 0, holder, options }),
      time: new GuestTime(this.#dependencies, { options, image, pid, whyLate: () => kept.overdue }),
      overdue: undefined,
      isWriting: false,
      cancelTimer: () => undefined,
    };
    try {
      if (epoch === undefined) throw new Error('the lease beside the disk was not taken');
      const shown = proof === undefined ? undefined : await kept.record.read();
      if (shown !== undefined && shown.bytes !== proof?.bytes) notAlone(kept, shown.renewal?.holder);
      await kept.record.write();
      const other = await kept.record.otherHolder();
      // Or it stood still for so long on the way here that others may have seen its end.
      if (other !== undefined || kept.time.isOver) notAlone(kept, other);
      this.#kept = kept;
    } catch (error) {
      if (error instanceof LauncherError) throw error;
      const { code } = error as NodeJS.ErrnoException;
      if (proof !== undefined && code !== undefined && !TAKES_NO_FILE.has(code)) unseen(kept, error);
      log.warn(
        { image, error: messageOf(error) },
        'no lease can be kept on the storage: a lost node is not noticed by it',
      );
      return;
    }
    kept.time.begin();
    this.#schedule(kept);
    onChange();
  }

  /** Before the guest executes anything: throws when others may have seen its end since the lease was kept. */
  requireTime(): void {
    const kept = this.#kept;
    if (kept === undefined || (!kept.time.isFenced && !kept.time.isOver)) return;
    const { volume } = kept.options;
    throw new LauncherError(
      `the guest must not run: its lease on volume ${volume} ended before its first instruction`,
    );
  }

  /** virt-handler's Lease in the API was renewed: the node is not given up. */
  hold(options: HoldOptions): void {
    this.#kept?.time.hold(options);
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

  async #end({ image, record, time, cancelTimer }: Kept, isGivenBack: boolean): Promise<void> {
    cancelTimer();
    time.end();
    if (!isGivenBack) return;
    await record.giveBack().catch((error: unknown) => {
      this.#dependencies.log.warn(
        { image, error: messageOf(error) },
        'the lease was not given back: others wait for its end',
      );
    });
  }

  #schedule(kept: Kept): void {
    if (this.#kept !== kept) return;
    kept.cancelTimer = this.#dependencies.clock.after(renewEveryMs(kept.options.leaseMs), () => {
      void this.#renew(kept);
      this.#schedule(kept);
    });
  }

  async #renew(kept: Kept): Promise<void> {
    const { record, time, image, options } = kept;
    if (this.#kept !== kept || time.isFenced) return;
    const { machineTimeMs, log } = this.#dependencies;
    time.strikeIfOver();
    if (kept.isWriting) {
      // The last one has not come back: the storage hangs.
      this.#setOverdue(kept, 'the storage does not answer');
      return;
    }
    kept.isWriting = true;
    const begunMs = machineTimeMs();
    try {
      const other = await record.otherHolder();
      if (other !== undefined) return this.#taken(kept, other);
      await record.write();
      if (this.#kept !== kept) return;
      time.renewed({ begunMs, doneMs: machineTimeMs(), leaseMs: options.leaseMs });
      this.#setOverdue(kept, undefined);
    } catch (error) {
      log.warn({ image, error: messageOf(error) }, 'the lease on the storage could not be renewed');
      this.#setOverdue(kept, messageOf(error));
    } finally {
      kept.isWriting = false;
    }
  }

  /** Another runner has the disks. If that is the target of this guest's own move, it keeps the lease from now on. */
  #taken(kept: Kept, { vmi, uid, pod }: LeaseHolder): void {
    if (this.#dependencies.isMoving() && uid === this.#dependencies.holder.uid)
      void this.end({ isGivenBack: false });
    else kept.time.fence(`${vmi} (Pod ${pod}) has taken its disks`);
  }

  #setOverdue(kept: Kept, why: string | undefined): void {
    if (kept.overdue === why) return;
    kept.overdue = why;
    this.#dependencies.onChange();
  }
}

function notAlone({ time, options }: Kept, other: LeaseHolder | undefined): never {
  const why =
    other === undefined ? 'another runner may have come first' : `${other.vmi} (Pod ${other.pod}) came first`;
  time.fence(why);
  throw new LauncherError(
    `the guest must not run: ${why} on volume ${options.volume}; two writers would destroy the disk`,
  );
}

function unseen({ time, options }: Kept, cause: unknown): never {
  const why = 'its storage failed before others could see that it runs';
  time.fence(why);
  throw new LauncherError(`the guest must not run on volume ${options.volume}: ${why}`, { cause });
}
