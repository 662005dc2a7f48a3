/**
 * The Pods that wait for a node: those to try now, and those that did not fit and are tried again when
 * something changes. Handed out by priority, then in the order in which they came.
 */
import type { Pod } from '@podvisor/api';

export class PendingPods {
  readonly #active = new Set<string>();
  readonly #parked = new Set<string>();

  /** Try this one. */
  add(key: string): void {
    this.#parked.delete(key);
    this.#active.add(key);
  }

  /** It did not fit; wait for a change. A change that came in the meantime has made it active again. */
  park(key: string): void {
    if (!this.#active.has(key)) this.#parked.add(key);
  }

  remove(key: string): void {
    this.#active.delete(key);
    this.#parked.delete(key);
  }

  /** Something changed that may make room: all are tried again. True when there were any. */
  unpark(): boolean {
    if (this.#parked.size === 0) return false;
    for (const key of this.#parked) this.#active.add(key);
    this.#parked.clear();
    return true;
  }

  /** Takes all that are to be tried now, most important first. */
  take(podOf: (key: string) => Pod | undefined): Pod[] {
    const pods = [...this.#active].flatMap((key) => podOf(key) ?? []);
    this.#active.clear();
    return pods.sort((a, b) => (b.spec.priority ?? 0) - (a.spec.priority ?? 0));
  }

  get hasActive(): boolean {
    return this.#active.size > 0;
  }
}
