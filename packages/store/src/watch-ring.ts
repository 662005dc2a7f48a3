/** The recent events of one collection, so that a watch can resume from a revision it has seen. */
import type { StoreEvent } from './types.ts';

/** What is kept; older events are forgotten, and a watch that needs them gets 410 Gone. */
export interface RingLimits {
  readonly events: number;
  /** Of the objects' texts, which are most of what an event takes in memory. */
  readonly characters: number;
}

export class WatchRing<T> {
  readonly #limits: RingLimits;
  /** Forgotten ones are undefined until they are a good part of it, so that they take no memory. */
  #events: (StoreEvent<T> | undefined)[] = [];
  #start = 0;
  #characters = 0;
  /** Events up to this revision are no longer complete. */
  #forgottenUpTo: number;

  constructor(limits: RingLimits, forgottenUpTo: number) {
    this.#limits = limits;
    this.#forgottenUpTo = forgottenUpTo;
  }

  push(event: StoreEvent<T>): void {
    const { events, characters } = this.#limits;
    this.#events.push(event);
    this.#characters += event.stored.text.length;
    // One large object is kept whatever its size: the newest event is always known.
    while (this.#count > 1 && (this.#count > events || this.#characters > characters)) this.#forget();
    if (this.#start <= this.#events.length / 2) return;
    this.#events = this.#events.slice(this.#start);
    this.#start = 0;
  }

  /** The oldest revision after which every event is still known. */
  get oldest(): number {
    return this.#forgottenUpTo;
  }

  /** Events after `revision`, or undefined when some of them are forgotten. */
  after(revision: number): readonly StoreEvent<T>[] | undefined {
    if (revision < this.#forgottenUpTo) return undefined;
    let low = this.#start;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#events[middle]?.revision ?? 0) <= revision) low = middle + 1;
      else high = middle;
    }
    return this.#events.slice(low).filter((event) => event !== undefined);
  }

  get #count(): number {
    return this.#events.length - this.#start;
  }

  #forget(): void {
    const oldest = this.#events[this.#start];
    this.#events[this.#start] = undefined;
    this.#start += 1;
    if (oldest === undefined) return;
    this.#forgottenUpTo = oldest.revision;
    this.#characters -= oldest.stored.text.length;
  }
}
