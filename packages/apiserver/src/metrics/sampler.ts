/** Looks at the counters when somebody asks: nothing is measured while nobody does. */
import { type Clock, sleep } from '@podvisor/base';
import type { NodeReading } from '@podvisor/home-contract';
import { type UsageObjects, usageBetween } from './rates.ts';

/** A rate needs two looks this far apart at least. */
const WINDOW_MS = 1000;
/** An answer is good for this long, and a look for the next answer. */
const FRESH_MS = 5000;
const STALE_MS = 60_000;

export class UsageSampler {
  readonly #clock: Clock;
  readonly #look: () => Promise<readonly NodeReading[]>;
  #last: { readonly atMs: number; readonly readings: readonly NodeReading[] } | undefined;
  #answer: { readonly atMs: number; readonly usage: Promise<UsageObjects> } | undefined;

  constructor(clock: Clock, look: () => Promise<readonly NodeReading[]>) {
    this.#clock = clock;
    this.#look = look;
  }

  /** What is used now, averaged over the last second or more. */
  usage(): Promise<UsageObjects> {
    const now = this.#clock.now();
    if (this.#answer !== undefined && now - this.#answer.atMs < FRESH_MS) return this.#answer.usage;
    const usage = this.#measure();
    this.#answer = { atMs: now, usage };
    usage.catch(() => (this.#answer = undefined));
    return usage;
  }

  async #measure(): Promise<UsageObjects> {
    const now = this.#clock.now();
    const age = now - (this.#last?.atMs ?? 0);
    let before = this.#last?.readings;
    if (before === undefined || age < WINDOW_MS || age > STALE_MS) {
      before = await this.#look();
      await sleep(this.#clock, WINDOW_MS);
    }
    let readings = await this.#look();
    if (hasNew(before, readings)) {
      // What started since then has no rate yet: a second is enough to give it one.
      before = readings;
      await sleep(this.#clock, WINDOW_MS);
      readings = await this.#look();
    }
    this.#last = { atMs: this.#clock.now(), readings };
    return usageBetween(before, readings);
  }
}

function hasNew(before: readonly NodeReading[], after: readonly NodeReading[]): boolean {
  const idsOf = (readings: readonly NodeReading[]): string[] =>
    readings.flatMap(({ pods }) => pods.flatMap(({ containers }) => containers.map(({ id }) => id)));
  const known = new Set(idsOf(before));
  return idsOf(after).some((id) => !known.has(id));
}
