/**
 * What the controllers of a test are doing. That nothing more happens is an event here, not a time: every watch has told
 * what it knew, no key waits, and no pass is under way. Only what waits for the clock is left then.
 */
import { setImmediate } from 'node:timers/promises';
import { QueueMetrics, type WorkQueue } from '@podvisor/kube';
import type { FakeApi } from './fake-api.ts';

export class Activity extends QueueMetrics {
  readonly #queues: WorkQueue[] = [];
  readonly #ended = new Map<string, number>();

  override observer(name: string): ReturnType<QueueMetrics['observer']> {
    const observer = super.observer(name);
    return {
      ...observer,
      made: (queue) => {
        observer.made(queue);
        this.#queues.push(queue);
      },
      done: (workedMs) => {
        observer.done(workedMs);
        this.#ended.set(name, this.passes(name) + 1);
      },
    };
  }

  /** Passes of a controller that have ended. */
  passes(name: string): number {
    return this.#ended.get(name) ?? 0;
  }

  /** Resolves when the controllers that follow `api` have nothing to do before the clock moves or an object changes. */
  async idle(api: FakeApi): Promise<void> {
    // All that they do between two turns of the event loop is done at the end of one.
    do await setImmediate();
    while (!this.#isIdle(api));
  }

  /** What `probe` finds; undefined when it found nothing and the controllers have nothing more to do. */
  async until<T>(api: FakeApi, probe: () => T | undefined | false): Promise<T | undefined> {
    for (let isOver = false; ; isOver = this.#isIdle(api)) {
      const value = probe();
      if (value !== undefined && value !== false) return value;
      if (isOver) return undefined;
      await setImmediate();
    }
  }

  #isIdle(api: FakeApi): boolean {
    return (
      api.isHeard &&
      this.#queues.length > 0 &&
      this.#queues.every((queue) => queue.length === 0 && queue.runningMs().length === 0)
    );
  }
}
