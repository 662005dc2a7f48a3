/**
 * The border between noticing and doing. Promises: a key is never handed out twice at once; a key added
 * many times while it waits is handed out once; a key added while it is worked on is handed out again
 * after `done`. Failed keys come back after an exponential delay.
 */
import { type BackoffOptions, backoffMs, type Clock, systemClock } from '@podvisor/base';

/** Hears what goes through a queue; for metrics. */
export interface QueueObserver {
  made(queue: WorkQueue): void;
  added(): void;
  retried(): void;
  taken(waitedMs: number): void;
  done(workedMs: number): void;
}

export interface WorkQueueOptions {
  readonly clock?: Clock;
  /** Delay of keys that failed. Default 5 ms doubling up to 60 s. */
  readonly backoff?: BackoffOptions;
  readonly observer?: QueueObserver;
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
  /** Since when each waits, while somebody observes. */
  readonly #waitingSinceMs = new Map<string, number>();
  /** Being worked on, since when. */
  readonly #running = new Map<string, number>();
  /** Added while running. */
  readonly #again = new Set<string>();
  readonly #delayed = new Map<string, Delayed>();
  readonly #failures = new Map<string, number>();
  readonly #takers: ((key: string | undefined) => void)[] = [];
  readonly #observer: QueueObserver | undefined;
  #closed = false;

  constructor(options: WorkQueueOptions = {}) {
    const { clock = systemClock, backoff = { firstMs: 5, maxMs: 60_000 }, observer } = options;
    this.#clock = clock;
    this.#backoff = backoff;
    this.#observer = observer;
    observer?.made(this);
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
    if (this.#waiting.has(key)) return;
    this.#observer?.added();
    const taker = this.#takers.shift();
    if (taker === undefined) {
      this.#waiting.add(key);
      if (this.#observer !== undefined) this.#waitingSinceMs.set(key, this.#clock.elapsed());
      return;
    }
    this.#start(key);
    taker(key);
  }

  /** Adds after `ms`. Of several delays for one key the earliest counts. */
  addAfter(key: string, ms: number): void {
    if (this.#closed) return;
    if (ms <= 0) return this.add(key);
    const at = this.#clock.elapsed() + ms;
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
    this.#observer?.retried();
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
      this.#start(key);
      return Promise.resolve(key);
    }
    if (this.#closed) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#takers.push(resolve);
    });
  }

  /** How long each key that is worked on has been. */
  runningMs(): readonly number[] {
    return [...this.#running.values()].map((since) => this.#clock.elapsed() - since);
  }

  #start(key: string): void {
    const now = this.#clock.elapsed();
    this.#running.set(key, now);
    this.#observer?.taken(now - (this.#waitingSinceMs.get(key) ?? now));
    this.#waitingSinceMs.delete(key);
  }

  done(key: string): void {
    const since = this.#running.get(key);
    if (since !== undefined) this.#observer?.done(this.#clock.elapsed() - since);
    this.#running.delete(key);
    if (this.#again.delete(key)) this.add(key);
  }

  /** Nothing is handed out any more; takers get undefined. */
  close(): void {
    this.#closed = true;
    this.#waiting.clear();
    this.#waitingSinceMs.clear();
    this.#again.clear();
    for (const { cancel } of this.#delayed.values()) cancel();
    this.#delayed.clear();
    for (const taker of this.#takers.splice(0)) taker(undefined);
  }
}
