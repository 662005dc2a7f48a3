/** The work queues of a component, by KubeVirt's names. */
import { QUEUE_METRICS } from '@podvisor/api';
import { Histogram, Meter, type MetricFamily } from '@podvisor/base';
import type { QueueObserver, WorkQueue } from '../controller/work-queue.ts';

const BOUNDS_SECONDS = [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10];

export class QueueMetrics {
  readonly #queues = new Map<string, WorkQueue>();
  readonly #adds = new Meter(QUEUE_METRICS.workqueueAddsTotal);
  readonly #retries = new Meter(QUEUE_METRICS.workqueueRetriesTotal);
  readonly #waits = new Histogram(QUEUE_METRICS.workqueueQueueDurationSeconds, BOUNDS_SECONDS);
  readonly #works = new Histogram(QUEUE_METRICS.workqueueWorkDurationSeconds, BOUNDS_SECONDS);

  /** Hears of one queue; `name` is its label. */
  observer(name: string): QueueObserver {
    return {
      made: (queue) => this.#queues.set(name, queue),
      added: () => this.#adds.add({ name }),
      retried: () => this.#retries.add({ name }),
      taken: (waitedMs) => this.#waits.observe({ name }, waitedMs / 1000),
      done: (workedMs) => this.#works.observe({ name }, workedMs / 1000),
    };
  }

  families(): readonly MetricFamily[] {
    const of = (value: (queue: WorkQueue) => number): MetricFamily['samples'] =>
      [...this.#queues].map(([name, queue]) => ({ labels: { name }, value: value(queue) }));
    const seconds = (queue: WorkQueue): readonly number[] => queue.runningMs().map((ms) => ms / 1000);
    return [
      this.#adds.family(),
      { definition: QUEUE_METRICS.workqueueDepth, samples: of((queue) => queue.length) },
      {
        definition: QUEUE_METRICS.workqueueLongestRunningProcessorSeconds,
        samples: of((queue) => Math.max(0, ...seconds(queue))),
      },
      this.#waits.family(),
      this.#retries.family(),
      {
        definition: QUEUE_METRICS.workqueueUnfinishedWorkSeconds,
        samples: of((queue) => seconds(queue).reduce((sum, value) => sum + value, 0)),
      },
      this.#works.family(),
    ];
  }
}
