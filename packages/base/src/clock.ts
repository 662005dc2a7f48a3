/** Time as a dependency, so that tests move it by hand and never sleep. */
export interface Clock {
  /** Milliseconds since the epoch. May jump, forward and back: not for telling how long something took. */
  now(): number;
  /** Milliseconds on a clock that never jumps; its beginning means nothing. For durations and deadlines. */
  elapsed(): number;
  /** Calls `fn` once after `ms`; the returned function cancels. Never keeps the process alive by itself. */
  after(ms: number, fn: () => void): () => void;
}

/** RFC 3339 in whole seconds, as Kubernetes writes times. */
export function rfc3339(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}

/** A clock for tests: time passes only by `advance`. */
export class FakeClock implements Clock {
  #now: number;
  #jumpedMs = 0;
  #timers: { at: number; fn: () => void }[] = [];

  constructor(startMs = 0) {
    this.#now = startMs;
  }

  now(): number {
    return this.#now + this.#jumpedMs;
  }

  elapsed(): number {
    return this.#now;
  }

  /** Sets the time of day forward, or back with a negative number, in no time. */
  jump(ms: number): void {
    this.#jumpedMs += ms;
  }

  after(ms: number, fn: () => void): () => void {
    const timer = { at: this.#now + ms, fn };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((t) => t !== timer);
    };
  }

  /** Moves time forward and runs what became due, in order. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const due = this.#timers.filter((t) => t.at <= end).toSorted((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#timers = this.#timers.filter((t) => t !== due);
      this.#now = Math.max(this.#now, due.at);
      due.fn();
    }
    this.#now = end;
  }
}
