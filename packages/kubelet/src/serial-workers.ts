/**
 * One worker per key, as many keys at once as there are: a key never runs twice at once; a wake-up while
 * it runs makes it run again; a failure makes it run again after a growing delay.
 */
import { backoffMs, type Clock } from '@podvisor/base';

export interface SerialWorkersOptions {
  readonly clock: Clock;
  /** Does the work; the result says when to run again although nothing happens. */
  work(key: string): Promise<{ readonly againAtMs?: number }>;
  onError(key: string, error: unknown): void;
}

interface Slot {
  running: boolean;
  again: boolean;
  failures: number;
  cancelTimer: (() => void) | undefined;
}

const RETRY = { firstMs: 200, maxMs: 30_000 };

export class SerialWorkers {
  readonly #options: SerialWorkersOptions;
  readonly #slots = new Map<string, Slot>();
  readonly #running = new Set<Promise<void>>();
  #closed = false;

  constructor(options: SerialWorkersOptions) {
    this.#options = options;
  }

  wake(key: string): void {
    if (this.#closed) return;
    const slot = this.#slots.get(key) ?? {
      running: false,
      again: false,
      failures: 0,
      cancelTimer: undefined,
    };
    this.#slots.set(key, slot);
    if (slot.running) {
      slot.again = true;
      return;
    }
    slot.cancelTimer?.();
    slot.cancelTimer = undefined;
    slot.running = true;
    const run = this.#run(key, slot).finally(() => this.#running.delete(run));
    this.#running.add(run);
  }

  /** The key has no more work; a wake-up starts it anew. */
  forget(key: string): void {
    const slot = this.#slots.get(key);
    slot?.cancelTimer?.();
    if (slot !== undefined && !slot.running) this.#slots.delete(key);
  }

  keys(): readonly string[] {
    return [...this.#slots.keys()];
  }

  /** Starts nothing any more and waits for what runs. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const slot of this.#slots.values()) slot.cancelTimer?.();
    await Promise.allSettled([...this.#running]);
  }

  async #run(key: string, slot: Slot): Promise<void> {
    const { clock, work, onError } = this.#options;
    let delayMs: number | undefined;
    try {
      const { againAtMs } = await work(key);
      slot.failures = 0;
      delayMs = againAtMs === undefined ? undefined : Math.max(0, againAtMs - clock.now());
    } catch (error) {
      slot.failures += 1;
      delayMs = backoffMs(slot.failures, RETRY);
      if (!this.#closed) onError(key, error);
    }
    slot.running = false;
    if (this.#closed) return;
    if (slot.again) {
      slot.again = false;
      this.wake(key);
    } else if (delayMs !== undefined) {
      slot.cancelTimer = clock.after(delayMs, () => this.wake(key));
    }
  }
}
