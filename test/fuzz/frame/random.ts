/** Random numbers from a seed (xorshift32): the same numbers for the same seed, on every machine. */

export class Random {
  #state: number;

  constructor(seed: number) {
    // Neighbouring seeds must not give neighbouring numbers, and zero would give only zeros.
    this.#state = Math.imul(seed ^ 0x9e37_79b9, 0x85eb_ca6b) | 1;
    for (let i = 0; i < 8; i += 1) this.word();
  }

  /** 32 bits. */
  word(): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return this.#state >>> 0;
  }

  /** A whole number below `limit`; 0 when there is none. */
  below(limit: number): number {
    return limit <= 1 ? 0 : this.word() % limit;
  }

  /** True once in `times`. */
  once(times: number): boolean {
    return this.below(times) === 0;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError('nothing to pick from');
    return item;
  }
}
