/**
 * What a controller has done and not yet seen in its cache. Until it is seen, acting again on the stale
 * cache would create or delete twice. Deletions are tracked by UID, so that the disappearance of another
 * object with the same name does not count.
 */
import { type Clock, systemClock } from '@podvisor/base';

interface Expected {
  readonly since: number;
  creations: number;
  readonly deletions: Set<string>;
}

/** An expectation older than this is given up: the event was lost to a relist, which was complete. */
const TIMEOUT_MS = 5 * 60_000;

export class Expectations {
  readonly #clock: Clock;
  readonly #byKey = new Map<string, Expected>();

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /** Call before creating; when the create fails, call `creationObserved`. */
  expectCreations(key: string, count: number): void {
    this.#of(key).creations += count;
  }

  /** Call before deleting; when the delete fails, call `deletionObserved`. */
  expectDeletions(key: string, uids: readonly string[]): void {
    const { deletions } = this.#of(key);
    for (const uid of uids) deletions.add(uid);
  }

  creationObserved(key: string): void {
    const expected = this.#byKey.get(key);
    if (expected === undefined) return;
    expected.creations = Math.max(0, expected.creations - 1);
    this.#tidy(key, expected);
  }

  deletionObserved(key: string, uid: string): void {
    const expected = this.#byKey.get(key);
    if (expected === undefined) return;
    expected.deletions.delete(uid);
    this.#tidy(key, expected);
  }

  /** True when the cache shows everything that we did. */
  satisfied(key: string): boolean {
    const expected = this.#byKey.get(key);
    if (expected === undefined) return true;
    if (this.#clock.elapsed() - expected.since < TIMEOUT_MS) return false;
    this.#byKey.delete(key);
    return true;
  }

  /** The owner is gone. */
  forget(key: string): void {
    this.#byKey.delete(key);
  }

  #of(key: string): Expected {
    const found = this.#byKey.get(key);
    if (found !== undefined) return found;
    const expected: Expected = { since: this.#clock.elapsed(), creations: 0, deletions: new Set() };
    this.#byKey.set(key, expected);
    return expected;
  }

  #tidy(key: string, { creations, deletions }: Expected): void {
    if (creations === 0 && deletions.size === 0) this.#byKey.delete(key);
  }
}
