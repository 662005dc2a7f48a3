/**
 * Watches the disk of a ticking guest from the host, which no cut of a node reaches: which run has written when.
 * What is wrong is kept: a run that wrote after a later one had begun, two runs with one number, and an entry that was
 * on the disk and is not any more.
 */
import { open } from 'node:fs/promises';
import {
  ENTRIES_BYTES,
  MOST_RUNS,
  type Tick,
  ticksOf,
} from '../../../packages/virt-launcher/src/testing/ticking-guest.ts';

const LOOK_MS = 100;

export class TickWatch {
  readonly #timer: NodeJS.Timeout;
  readonly #judge = new TickJudge();
  #isLooking = false;

  constructor(image: string) {
    this.#timer = setInterval(() => void this.#look(image), LOOK_MS);
  }

  problems(): readonly string[] {
    return this.#judge.problems;
  }

  /** How often the newest run was seen to have written since a time. */
  writesSince(atMs: number): number {
    return this.#judge.writesSince(atMs);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** A storage that hangs is waited for by one look alone. */
  async #look(image: string): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      const file = await open(image, 'r');
      try {
        const bytes = Buffer.alloc(ENTRIES_BYTES);
        await file.read(bytes, 0, bytes.length, 0);
        this.#judge.see(ticksOf(bytes), Date.now());
      } finally {
        await file.close();
      }
    } finally {
      this.#isLooking = false;
    }
  }
}

interface Seen extends Tick {
  /** A later run was known before the disk was read: it must not write any more. */
  readonly isOver: boolean;
}

/** What follows from one look after the other. */
export class TickJudge {
  readonly #seen = new Map<number, Seen>();
  readonly #writes: number[] = [];
  readonly #problems = new Set<string>();
  #newest = 0;

  get problems(): readonly string[] {
    return [...this.#problems];
  }

  writesSince(atMs: number): number {
    return this.#writes.filter((time) => time >= atMs).length;
  }

  see(ticks: readonly Tick[], atMs: number): void {
    // Known before this look was begun: a look is not one instant.
    const known = this.#newest;
    for (const tick of ticks) {
      const before = this.#seen.get(tick.run);
      if (before !== undefined) this.#compare(before, tick);
      if (tick.run >= this.#newest && tick.count !== before?.count) this.#writes.push(atMs);
      this.#newest = Math.max(this.#newest, tick.run);
      this.#seen.set(tick.run, { ...tick, isOver: tick.run < known });
    }
    const there = new Set(ticks.map(({ run }) => run));
    // A sector is used again after that many runs.
    for (const run of this.#seen.keys())
      if (!there.has(run) && run > this.#newest - MOST_RUNS)
        this.#problems.add(`what run ${run} wrote is gone`);
  }

  #compare(before: Seen, { run, nonce, count }: Tick): void {
    if (nonce !== before.nonce) this.#problems.add(`two runs have number ${run}`);
    else if (count < before.count)
      this.#problems.add(`entry ${before.count} of run ${run} was on the disk and is not any more`);
    else if (count > before.count && before.isOver)
      this.#problems.add(`run ${run} wrote entry ${count} after run ${this.#newest} had begun`);
  }
}
