/**
 * Tells the launchers of this node that the API server hears of it: while that is so, nobody takes their guests, and
 * a guest whose storage does not answer may wait instead of ending. Whoever decides over a lost node counts from when
 * it saw our Lease renewed, which is never before we began to renew it.
 */
import { fenceAfterMs, type HoldOptions, leasePlace, type NodeLossTimes } from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import type { Log } from '@podvisor/kube';
import type { VirtualMachineInstance } from '@podvisor/api';

interface Held {
  readonly vmi: VirtualMachineInstance;
  readonly connection: { hold(vmi: VirtualMachineInstance, options: HoldOptions): Promise<void> };
}

export interface HoldsOptions {
  readonly times: () => NodeLossTimes;
  /** Guests that run here, and how to reach their launchers. */
  readonly guests: () => readonly Held[];
  /** CLOCK_MONOTONIC, as the launchers read it. */
  readonly monotonicMs: () => number;
  readonly log: Log;
}

export class Holds {
  readonly #options: HoldsOptions;
  #hold: HoldOptions | undefined;

  constructor(options: HoldsOptions) {
    this.#options = options;
  }

  /** Before our Lease is renewed. What it answers is to be called when the API server has taken it. */
  renewing(): () => void {
    const begunMs = this.#options.monotonicMs();
    return () => {
      this.#hold = nextHold(this.#hold, begunMs, this.#options.monotonicMs(), this.#options.times());
      for (const held of this.#options.guests()) void this.#tell(held, this.#hold);
    };
  }

  async #tell({ vmi, connection }: Held, hold: HoldOptions): Promise<void> {
    if (leasePlace(vmi).kind === 'none') return;
    try {
      await connection.hold(vmi, hold);
    } catch (error) {
      this.#options.log.debug?.(
        { vmi: vmi.metadata?.name, error: messageOf(error) },
        'a guest could not be held',
      );
    }
  }
}

/**
 * The time in which nobody can have given up this node: longer by this renewal, or, when it came too late to follow
 * the last one without a gap, a new one. Pure.
 */
export function nextHold(
  before: HoldOptions | undefined,
  begunMs: number,
  doneMs: number,
  { silenceMs }: NodeLossTimes,
): HoldOptions {
  const untilMs = begunMs + fenceAfterMs(silenceMs);
  // Whoever saw the last one may have lost patience before this one was there to be seen.
  if (before === undefined || doneMs > before.untilMs) return { sinceMs: doneMs, untilMs };
  return { sinceMs: before.sinceMs, untilMs: Math.max(before.untilMs, untilMs) };
}
