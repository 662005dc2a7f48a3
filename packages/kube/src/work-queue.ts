/**
 * The border between noticing and doing. Promises: a key is never handed out twice at once; a key added
 * many times while it waits is handed out once; a key added while it is worked on is handed out again
 * after `done`. Failed keys come back after an exponential delay.
 */
import { type BackoffOptions, backoffMs, type Clock } from '@podvisor/base';
import { systemClock } from './system-clock.ts';

export interface WorkQueueOptions {
  readonly clock?: Clock;
  /** Delay of keys that failed. Default 5 ms doubling up to 60 s. */
  readonly backoff?: BackoffOptions;
}

interface Delayed {
  readonly at: number;
  readonly cancel: () => void;
}

export class WorkQueue {
  readonly #clock: Clock;
  readonly #backoff: BackoffOptions;
  /** Waiting to be handed out, in order. A Set keeps insertion order and gives both ends cheaply. */
  readonly #waiting = new Set<string>();
  readonly #running = new Set<string>();
  /** Added while running. */
  readonly #again = new Set<string>();
  readonly #delayed = new Map<string, Delayed>();
  readonly #failures = new Map<string, number>();
  readonly #takers: ((key: string | undefined) => void)[] = [];
  #closed = false;

  constructor({ clock = systemClock, backoff = { firstMs: 5, maxMs: 60_000 } }: WorkQueueOptions = {}) {
    this.#clock = clock;
    this.#backoff = backoff;
  }

  /** Keys ready to be handed out. */
  get length(): number {
    return this.#waiting.size;
  }

  add(key: string): void {
    if (this.#closed) return;
    if (this.#running.has(key)) {
      this.#again.add(key);
      return;
    }
    const taker = this.#takers.shift();
    if (taker === undefined) {
      this.#waiting.add(key);
      return;
    }
    this.#running.add(key);
    taker(key);
  }

  /** Adds after `ms`. Of several delays for one key the earliest counts. */
  addAfter(key: string, ms: number): void {
    if (this.#closed) return;
    if (ms <= 0) return this.add(key);
    const at = this.#clock.now() + ms;
    const earlier = this.#delayed.get(key);
    if (earlier !== undefined && earlier.at <= at) return;
    earlier?.cancel();
    const cancel = this.#clock.after(ms, () => {
      this.#delayed.delete(key);
      this.add(key);
    });
    this.#delayed.set(key, { at, cancel });
  }

  /** Counts a failure of the key and adds it after its backoff. */
  addRateLimited(key: string): void {
    const failures = this.failures(key) + 1;
    this.#failures.set(key, failures);
    this.addAfter(key, backoffMs(failures, this.#backoff));
  }

  /** The key succeeded: its next failure waits the first delay again. */
  forget(key: string): void {
    this.#failures.delete(key);
  }

  failures(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  /** The next key; waits for one. Undefined after `close`. Call `done(key)` when finished with it. */
  take(): Promise<string | undefined> {
    for (const key of this.#waiting) {
      this.#waiting.delete(key);
      this.#running.add(key);
      return Promise.resolve(key);
    }
    if (this.#closed) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#takers.push(resolve);
    });
  }

  done(key: string): void {
    this.#running.delete(key);
    if (this.#again.delete(key)) this.add(key);
  }

  /** Nothing is handed out any more; takers get undefined. */
  close(): void {
    this.#closed = true;
    this.#waiting.clear();
    this.#again.clear();
    for (const { cancel } of this.#delayed.values()) cancel();
    this.#delayed.clear();
    for (const taker of this.#takers.splice(0)) taker(undefined);
  }
}
