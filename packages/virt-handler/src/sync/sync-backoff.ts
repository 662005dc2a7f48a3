import { backoffMs, type Clock } from '@podvisor/base';

/** How long a VMI whose sync failed is left in peace, whatever wakes us for it meanwhile. */
export class SyncBackoff {
  readonly #clock: Clock;
  readonly #backoff: Parameters<typeof backoffMs>[1];
  readonly #failed = new Map<string, { readonly failures: number; readonly notBeforeMs: number }>();

  constructor(clock: Clock, backoff: Parameters<typeof backoffMs>[1]) {
    this.#clock = clock;
    this.#backoff = backoff;
  }

  notBeforeMs(uid: string): number {
    return this.#failed.get(uid)?.notBeforeMs ?? 0;
  }

  /** Runs a sync and remembers how it went; throws what it throws. */
  async watch(uid: string, sync: () => Promise<void>): Promise<void> {
    try {
      await sync();
      this.#failed.delete(uid);
    } catch (error) {
      const failures = (this.#failed.get(uid)?.failures ?? 0) + 1;
      this.#failed.set(uid, {
        failures,
        notBeforeMs: this.#clock.now() + backoffMs(failures, this.#backoff),
      });
      throw error;
    }
  }

  forget(uid: string): void {
    this.#failed.delete(uid);
  }
}
