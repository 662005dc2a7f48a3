/** The recent events of one collection, so that a watch can resume from a revision it has seen. */
import type { StoreEvent } from './types.ts';

/** Keeps at most `limit` events; older ones are forgotten and a watch that needs them gets 410 Gone. */
export class WatchRing {
  readonly #limit: number;
  #events: StoreEvent[] = [];
  #start = 0;
  /** Events up to this revision are no longer complete. */
  #forgottenUpTo: number;

  constructor(limit: number, forgottenUpTo: number) {
    this.#limit = limit;
    this.#forgottenUpTo = forgottenUpTo;
  }

  push(event: StoreEvent): void {
    this.#events.push(event);
    if (this.#events.length - this.#start <= this.#limit) return;
    this.#forgottenUpTo = this.#events[this.#start]?.revision ?? this.#forgottenUpTo;
    this.#start += 1;
    if (this.#start > this.#limit) {
      this.#events = this.#events.slice(this.#start);
      this.#start = 0;
    }
  }

  /** The oldest revision after which every event is still known. */
  get oldest(): number {
    return this.#forgottenUpTo;
  }

  /** Events after `revision`, or undefined when some of them are forgotten. */
  after(revision: number): readonly StoreEvent[] | undefined {
    if (revision < this.#forgottenUpTo) return undefined;
    let low = this.#start;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#events[middle]?.revision ?? 0) <= revision) low = middle + 1;
      else high = middle;
    }
    return this.#events.slice(low);
  }
}
