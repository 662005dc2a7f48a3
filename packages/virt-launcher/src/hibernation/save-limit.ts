/**
 * How long a guest stands still for a storage that takes nothing of its memory. Then it goes on, and there is no state:
 * a guest that is there is worth more than one that might be saved. Work that was given up may still hang in the kernel;
 * what it wrote has no name by which it could be loaded.
 */
import type { Clock } from '@podvisor/base';
import { LauncherError } from '../launcher-error.ts';

export const LONGEST_STALL_MS = 60_000;

/** Whole files are copied or synced in one call, of which nothing is heard: at least so much of them is taken. */
const SLOWEST_BYTES_PER_MS = 8 * 1024;

export class SaveLimit {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #stalled = Promise.withResolvers<never>();
  #cancel: () => void = () => {};

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock;
    // Nobody may be waiting when it is over.
    this.#stalled.promise.catch(() => {});
  }

  /** Waits for `work` as long as the storage moves; throws when it does not. `bytes`: written in one call. */
  async during<T>(work: Promise<T>, bytes = 0): Promise<T> {
    this.moved(bytes);
    try {
      return await Promise.race([work, this.#stalled.promise]);
    } finally {
      this.#cancel();
    }
  }

  /** The storage has taken something. */
  moved(bytes = 0): void {
    this.#cancel();
    this.#cancel = this.#clock.after(LONGEST_STALL_MS + bytes / SLOWEST_BYTES_PER_MS, () =>
      this.#stalled.reject(
        new LauncherError(
          `the storage of its claim took nothing for ${LONGEST_STALL_MS / 1000} s: the guest does not stand still for longer`,
        ),
      ),
    );
  }

  /** Every chunk that is asked for says that the one before was taken. */
  async *watch(memory: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of memory) {
      yield chunk;
      this.moved();
    }
  }
}
