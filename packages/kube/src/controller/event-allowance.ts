/**
 * How many events about one object are written: a number at once, then one in a while, as client-go has it. What a guest's
 * launcher says becomes an event, and one that was taken over may say something new for ever: neither the store nor
 * the events of others are to suffer.
 */
import type { Clock } from '@podvisor/base';

const BURST = 100;
const REFILL_MS = 10_000;
/** Objects that are remembered; of one that is forgotten the burst is whole again. */
const MAX_OBJECTS = 4096;

export class EventAllowance {
  readonly #clock: Pick<Clock, 'elapsed'>;
  /** Until when the writes about an object are used up, by its UID. */
  readonly #usedUntilMs = new Map<string, number>();

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock;
  }

  /** Takes one write about the object, if there is one left. */
  take(object: string): boolean {
    const nowMs = this.#clock.elapsed();
    const usedUntilMs = Math.max(this.#usedUntilMs.get(object) ?? 0, nowMs) + REFILL_MS;
    if (usedUntilMs - nowMs > BURST * REFILL_MS) return false;
    // The last in the order is the one that was told of last.
    this.#usedUntilMs.delete(object);
    this.#usedUntilMs.set(object, usedUntilMs);
    const [oldest] = this.#usedUntilMs.keys();
    if (this.#usedUntilMs.size > MAX_OBJECTS && oldest !== undefined) this.#usedUntilMs.delete(oldest);
    return true;
  }
}
