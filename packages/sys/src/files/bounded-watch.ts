/**
 * Follows a directory into which somebody else writes, at a bounded rate. Every change of a file in it is work for who
 * follows it, and a process of a Pod makes some hundred thousand changes a second: after a burst the kernel is asked to
 * tell nothing more for a while, and what came meanwhile is one more change.
 */
import { type FSWatcher, watch } from 'node:fs';
import type { Clock } from '@podvisor/base';

/** More than any Pod of ours makes in a second; as many are told in one. */
const BURST = 50;
const BURST_MS = 1_000;
const REST_MS = 1_000;

export interface BoundedWatchOptions {
  readonly clock: Pick<Clock, 'after' | 'elapsed'>;
  /** Something in the directory changed, or may have. */
  readonly onChange: () => void;
  /** The directory cannot be followed any more; nothing is told after this. */
  readonly onEnd: () => void;
}

export class BoundedWatch implements Disposable {
  readonly #directory: string;
  readonly #options: BoundedWatchOptions;
  #watcher: FSWatcher | undefined;
  #cancelRest: () => void = () => {};
  #burstSinceMs = 0;
  #count = 0;

  /** Follows from now on. Throws as `watch` of node:fs does. Never keeps the process alive by itself. */
  constructor(directory: string, options: BoundedWatchOptions) {
    this.#directory = directory;
    this.#options = options;
    this.#follow();
  }

  #follow(): void {
    this.#burstSinceMs = this.#options.clock.elapsed();
    this.#count = 0;
    this.#watcher = watch(this.#directory, { persistent: false }, () => this.#heard());
    this.#watcher.on('error', () => this.#end());
  }

  #heard(): void {
    const nowMs = this.#options.clock.elapsed();
    if (nowMs - this.#burstSinceMs >= BURST_MS) {
      this.#burstSinceMs = nowMs;
      this.#count = 0;
    }
    this.#count += 1;
    if (this.#count > BURST) this.#rest();
    else this.#options.onChange();
  }

  #rest(): void {
    this.#unwatch();
    this.#cancelRest = this.#options.clock.after(REST_MS, () => {
      try {
        this.#follow();
      } catch {
        return this.#end(); // The directory went away meanwhile.
      }
      this.#options.onChange();
    });
  }

  #end(): void {
    this[Symbol.dispose]();
    this.#options.onEnd();
  }

  #unwatch(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  [Symbol.dispose](): void {
    this.#cancelRest();
    this.#unwatch();
  }
}
