/**
 * How far imports are: workers print it, clones tell it. Kept in memory only; who starts anew reads the last
 * line of the worker's log.
 */
import type { ImportProgress, Pod } from '@podvisor/api';
import type { Clock } from '@podvisor/base';
import { type KubeClient, keyOf, linesOf, type Log, pathOf, resources } from '@podvisor/kube';

export interface ProgressFollowerOptions {
  readonly client: Pick<KubeClient, 'stream'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Called for the claim `namespace/name` when there is something new to tell, at most once a second. */
  onProgress(claimKey: string): void;
}

const TELL_EVERY_MS = 1000;

export class ProgressFollower {
  readonly #options: ProgressFollowerOptions;
  readonly #percents = new Map<string, number>();
  readonly #toldAt = new Map<string, number>();
  /** Pods whose log is being read. */
  readonly #followed = new Set<string>();

  constructor(options: ProgressFollowerOptions) {
    this.#options = options;
  }

  /** Percent; undefined when nothing was heard. */
  of(claimKey: string): number | undefined {
    return this.#percents.get(claimKey);
  }

  set(claimKey: string, percent: number): void {
    this.#percents.set(claimKey, percent);
    const now = this.#options.clock.now();
    if (now - (this.#toldAt.get(claimKey) ?? 0) < TELL_EVERY_MS) return;
    this.#toldAt.set(claimKey, now);
    this.#options.onProgress(claimKey);
  }

  forget(claimKey: string): void {
    this.#percents.delete(claimKey);
    this.#toldAt.delete(claimKey);
  }

  /** Reads the log of a running worker until it ends; once per run of its container. */
  follow(claimKey: string, pod: Pod, signal: AbortSignal): void {
    const id = `${pod.metadata.uid}/${pod.status?.containerStatuses?.[0]?.restartCount ?? 0}`;
    if (this.#followed.has(id)) return;
    this.#followed.add(id);
    this.#read(claimKey, pod, signal)
      .catch((error: unknown) => {
        // Progress is a courtesy: without it the import goes on.
        if (!signal.aborted)
          this.#options.log.info({ pod: keyOf(pod), error: String(error) }, 'progress cannot be read');
      })
      .finally(() => this.#followed.delete(id));
  }

  async #read(claimKey: string, { metadata }: Pod, signal: AbortSignal): Promise<void> {
    const path = pathOf(resources.pods, {
      namespace: metadata.namespace,
      name: metadata.name,
      subresource: 'log',
    });
    const query = { follow: true, tailLines: 1 };
    const { body } = await this.#options.client.stream({ method: 'GET', path, query }, signal);
    for await (const line of linesOf(body)) {
      const percent = percentOf(line);
      if (percent !== undefined) this.set(claimKey, percent);
    }
  }
}

function percentOf(line: string): number | undefined {
  try {
    const { percent } = JSON.parse(line) as Partial<ImportProgress>;
    return typeof percent === 'number' && percent >= 0 && percent <= 100 ? percent : undefined;
  } catch {
    return undefined;
  }
}
