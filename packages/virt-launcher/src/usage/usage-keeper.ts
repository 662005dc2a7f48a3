/**
 * What the guest used over the last hour, so that whoever looks sees what was before: a point every half minute while
 * it runs, 120 at most (about 20 KB). Nothing announces these numbers, so they are asked for; one question to libvirt
 * each time, of the groups alone that are shown. They are lost with the launcher: a migration begins anew.
 */
import { type Clock, type UsageHistory, type UsagePoint, usagePoint } from '@podvisor/base';
import type { Log } from '../log.ts';

const EVERY_MS = 30_000;
const KEPT_POINTS = 3_600_000 / EVERY_MS;

export interface UsageKeeperOptions {
  /** Numbers of the domain by libvirt's names. */
  readonly stats: () => Promise<Readonly<Record<string, unknown>>>;
  readonly clock: Clock;
  readonly log: Log;
}

export class UsageKeeper {
  readonly #options: UsageKeeperOptions;
  readonly #points: UsagePoint[] = [];
  #cancel: (() => void) | undefined;

  constructor(options: UsageKeeperOptions) {
    this.#options = options;
  }

  /** Level-triggered: called whenever the state of the domain was looked at. */
  follow(isActive: boolean): void {
    if (!isActive) this.stop();
    else if (this.#cancel === undefined) this.#later();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  history(): UsageHistory {
    return { nowMs: this.#options.clock.now(), points: [...this.#points] };
  }

  #later(): void {
    this.#cancel = this.#options.clock.after(EVERY_MS, () => void this.#take());
  }

  async #take(): Promise<void> {
    const { stats, clock, log } = this.#options;
    try {
      this.#points.push(usagePoint(await stats(), clock.now()));
      if (this.#points.length > KEPT_POINTS) this.#points.shift();
    } catch (error) {
      // The next one may come; a gap is drawn as one.
      log.debug?.({ error }, 'what the guest uses was not measured');
    }
    if (this.#cancel !== undefined) this.#later();
  }
}
