/**
 * The time in which a guest may write, and its end: the dead man's switch is armed to the end of what covers the guest
 * (coverage.ts), and strikes by itself. Nothing here waits for a storage.
 */
import type { GuestLeaseOptions, HoldOptions } from '@podvisor/api';
import { renewEveryMs } from '@podvisor/api';
import type { Clock } from '@podvisor/base';
import type { SwitchTarget } from '@podvisor/sys';
import type { Log } from '../log.ts';
import { type Coverage, held, holdFor, isCovered, newCoverage, type Renewal, renewed } from './coverage.ts';

export interface GuestTimeDependencies {
  readonly deadMansSwitch: { arm(target: SwitchTarget): void; disarm(): void };
  readonly killQemu: (pid: number) => void;
  /** Told before QEMU is ended. */
  readonly onFenced: (why: string) => void;
  /** The machine's, because virt-handler's holds are told by it. */
  readonly machineTimeMs: () => number;
  readonly clock: Pick<Clock, 'after'>;
  readonly log: Log;
}

export interface TimedGuest {
  readonly options: GuestLeaseOptions;
  readonly image: string;
  readonly pid: number;
  /** Why its lease was not renewed in time, as far as that is known. */
  readonly whyLate: () => string | undefined;
}

/** How long a machine that was suspended for too long has its guest at most, where the lease is renewed less often. */
const LOOK_MS = 5_000;

/** The switch may strike a little before this process counts its time as over. */
const SWITCH_JITTER_MS = 100;

export class GuestTime {
  readonly #dependencies: GuestTimeDependencies;
  readonly #guest: TimedGuest;
  #coverage: Coverage;
  #isFenced = false;
  /** The switch was told once more that the time is over. */
  #isStruck = false;
  #cancelLook = (): void => undefined;
  #cancelOver = (): void => undefined;

  /** The time begins: from here on others may have seen a sign of life. Nothing is armed yet. */
  constructor(dependencies: GuestTimeDependencies, guest: TimedGuest) {
    this.#dependencies = dependencies;
    this.#guest = guest;
    this.#coverage = newCoverage(dependencies.machineTimeMs(), guest.options.leaseMs);
  }

  get isFenced(): boolean {
    return this.#isFenced;
  }

  /** Others may have seen the guest's end. */
  get isOver(): boolean {
    return !isCovered(this.#coverage, this.#dependencies.machineTimeMs());
  }

  /** From here on the guest ends with its time. */
  begin(): void {
    this.#arm();
    this.#look();
  }

  renewed(renewal: Renewal): void {
    this.#cover(renewed(this.#coverage, renewal));
  }

  hold(options: HoldOptions): void {
    const { machineTimeMs } = this.#dependencies;
    const hold = holdFor(options, this.#guest.options.silenceMs, machineTimeMs());
    if (hold !== undefined) this.#cover(held(this.#coverage, hold));
  }

  /** The sleep of a switch does not count the time in which the machine was suspended: one that is armed now strikes. */
  strikeIfOver(): void {
    if (this.#isFenced || this.#isStruck || !this.isOver) return;
    this.#isStruck = true;
    this.#arm();
  }

  /** Ends QEMU, and says why. */
  fence(why: string): void {
    if (this.#isFenced) return;
    this.#isFenced = true;
    const { killQemu, onFenced, log } = this.#dependencies;
    log.error({ why, image: this.#guest.image }, 'the guest is ended: it may not write any more');
    onFenced(why);
    killQemu(this.#guest.pid);
  }

  /** QEMU has ended, or runs elsewhere. */
  end(): void {
    this.#cancelLook();
    this.#cancelOver();
    this.#dependencies.deadMansSwitch.disarm();
  }

  /** Between the renewals of a long lease. */
  #look(): void {
    if (renewEveryMs(this.#guest.options.leaseMs) <= LOOK_MS) return;
    this.#cancelLook = this.#dependencies.clock.after(LOOK_MS, () => {
      this.strikeIfOver();
      this.#look();
    });
  }

  #cover(coverage: Coverage): void {
    if (this.#isFenced || coverage === this.#coverage) return;
    const { untilMs } = this.#coverage;
    this.#coverage = coverage;
    this.#isStruck = false;
    this.#arm(untilMs);
  }

  /** `beforeMs`: until when it was armed before. */
  #arm(beforeMs = Number.POSITIVE_INFINITY): void {
    const { deadMansSwitch, clock, machineTimeMs } = this.#dependencies;
    const { pid, options, whyLate } = this.#guest;
    const { leaseMs, silenceMs, volume } = options;
    const stopAtMs = this.#coverage.untilMs;
    const mayBeStopped = machineTimeMs() > beforeMs - SWITCH_JITTER_MS;
    // Time enough for one more word of virt-handler, to a guest whose whole Pod stood still.
    const killAfterMs = (leaseMs + silenceMs) / 4 + 1_000;
    deadMansSwitch.arm({ pid, stopAtMs, killAfterMs, mayBeStopped });
    this.#cancelOver();
    // The switch strikes by itself. This tells why, when there is somebody to tell.
    this.#cancelOver = clock.after(stopAtMs - machineTimeMs() + killAfterMs, () => {
      if (this.isOver)
        this.fence(`its lease on volume ${volume} ended: ${whyLate() ?? 'it was not renewed'}`);
    });
  }
}
