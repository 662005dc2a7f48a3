/**
 * Tells the launchers of this node that the API server hears of it: while that is so, nobody takes their guests, and
 * a guest whose storage does not answer may wait instead of ending. Whoever decides over a lost node counts from when
 * it saw our Lease renewed, which is never before we began to renew it.
 */
import { fenceAfterMs, type HoldOptions, leasePlace, type NodeLossTimes } from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import type { Log } from '@podvisor/kube';
import type { VirtualMachineInstance } from '@podvisor/api';

/** Since when, until when, and by which time of silence nobody can have given up this node. */
export interface Hold {
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly silenceMs: number;
}

interface Held {
  readonly vmi: VirtualMachineInstance;
  readonly connection: { hold(vmi: VirtualMachineInstance, options: HoldOptions): Promise<void> };
}

export interface HoldsOptions {
  readonly times: () => NodeLossTimes;
  /** Guests that run here or are about to, and how to reach their launchers. */
  readonly guests: () => readonly Held[];
  /** CLOCK_BOOTTIME, as the launchers read it. */
  readonly machineTimeMs: () => number;
  readonly log: Log;
}

export class Holds {
  readonly #options: HoldsOptions;
  #hold: Hold | undefined;

  constructor(options: HoldsOptions) {
    this.#options = options;
  }

  /** Before our Lease is renewed. What it answers is to be called when the API server has taken it. */
  renewing(): () => void {
    const begunMs = this.#options.machineTimeMs();
    return () => {
      this.#hold = nextHold(this.#hold, begunMs, this.#options.machineTimeMs(), this.#options.times());
      for (const held of this.#options.guests()) void this.#tell(held, this.#hold);
    };
  }

  async #tell({ vmi, connection }: Held, { sinceMs, untilMs, silenceMs }: Hold): Promise<void> {
    if (leasePlace(vmi).kind === 'none') return;
    const nowBootMs = this.#options.machineTimeMs();
    try {
      await connection.hold(vmi, { sinceBootMs: sinceMs, untilBootMs: untilMs, nowBootMs, silenceMs });
    } catch (error) {
      this.#options.log.debug?.(
        { vmi: vmi.metadata?.name, error: messageOf(error) },
        'a guest could not be held',
      );
    }
  }
}

/**
 * The time in which nobody can have given up this node: longer by this renewal, or a new one, when it came too late to
 * follow the last one without a gap, or when the last one was judged by another time of silence. Pure.
 */
export function nextHold(
  before: Hold | undefined,
  begunMs: number,
  doneMs: number,
  { silenceMs }: NodeLossTimes,
): Hold {
  const untilMs = begunMs + fenceAfterMs(silenceMs);
  // Whoever saw the last one may have lost patience before this one was there to be seen.
  if (before?.silenceMs !== silenceMs || doneMs > before.untilMs)
    return { sinceMs: doneMs, untilMs, silenceMs };
  return { sinceMs: before.sinceMs, untilMs: Math.max(before.untilMs, untilMs), silenceMs };
}
