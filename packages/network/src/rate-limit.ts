/** So many a second and no more: what a guest may make us do. */
import type { Clock } from '@podvisor/base';

export class RateLimit {
  readonly #clock: Clock;
  readonly #perSecond: number;
  #windowStart = Number.NEGATIVE_INFINITY;
  #taken = 0;

  constructor(clock: Clock, perSecond: number) {
    this.#clock = clock;
    this.#perSecond = perSecond;
  }

  /** True when one more is allowed now. */
  take(): boolean {
    const now = this.#clock.elapsed();
    if (now - this.#windowStart >= 1000) {
      this.#windowStart = now;
      this.#taken = 0;
    }
    this.#taken += 1;
    return this.#taken <= this.#perSecond;
  }
}
