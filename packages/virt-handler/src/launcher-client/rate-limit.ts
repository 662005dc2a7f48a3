/** Passes calls on, but not too often: a guest that changes its mind all the time must not keep the node busy. */
import type { Clock } from '@podvisor/base';

/** Calls passed on at once within a second; after that they are gathered. */
const BURST = 10;
const GATHER_MS = 250;

export class RateLimit {
  readonly #clock: Clock;
  readonly #call: () => void;
  #windowStart = 0;
  #count = 0;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, call: () => void) {
    this.#clock = clock;
    this.#call = call;
  }

  /** Calls now, or once a little later together with all that comes meanwhile. */
  notify(): void {
    if (this.#cancel !== undefined) return;
    const now = this.#clock.elapsed();
    if (now - this.#windowStart >= 1000) {
      this.#windowStart = now;
      this.#count = 0;
    }
    this.#count += 1;
    if (this.#count <= BURST) {
      this.#call();
      return;
    }
    this.#cancel = this.#clock.after(GATHER_MS, () => {
      this.#cancel = undefined;
      this.#call();
    });
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
