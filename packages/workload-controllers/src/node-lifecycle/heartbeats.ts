/**
 * When each node was last heard of, by our own clock: the times in leases are the nodes' and are not
 * compared with ours. A pause of this very process (suspend, SIGSTOP) is not silence of the nodes.
 */
import type { Clock } from '@podvisor/base';

/** A node that is not heard for this long is Unknown. */
export const GRACE_MS = 40_000;
/** We look at least this often while somebody may become overdue; a larger gap means that we were asleep. */
const LOOK_EVERY_MS = 5000;

export class Heartbeats {
  readonly #clock: Clock;
  readonly #heard = new Map<string, { readonly version: string; readonly at: number }>();
  #lastLook: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#lastLook = clock.elapsed();
  }

  /** A lease, or the node's own status, as it is now; the same version again is no sign of life. */
  heard(node: string, version: string): void {
    if (this.#heard.get(node)?.version !== version)
      this.#heard.set(node, { version, at: this.#clock.elapsed() });
  }

  forget(node: string): void {
    this.#heard.delete(node);
  }

  /** Is the node silent, and when to look again? */
  look(node: string): { readonly silent: boolean; readonly againInMs: number } {
    const now = this.#clock.elapsed();
    if (now - this.#lastLook > 2 * LOOK_EVERY_MS) {
      // We slept; everybody gets a full grace from now on.
      for (const [name, { version }] of this.#heard) this.#heard.set(name, { version, at: now });
    }
    this.#lastLook = now;
    const last = this.#heard.get(node);
    if (last === undefined) {
      this.#heard.set(node, { version: '', at: now });
      return { silent: false, againInMs: LOOK_EVERY_MS };
    }
    return { silent: now - last.at >= GRACE_MS, againInMs: LOOK_EVERY_MS };
  }
}
