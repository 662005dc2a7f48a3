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
    while (!api.isHeard || !this.#isIdle());
  }

  #isIdle(): boolean {
    return (
      this.#queues.length > 0 &&
      this.#queues.every((queue) => queue.length === 0 && queue.runningMs().length === 0)
    );
  }
}
