/** What makes the scheduler look at waiting Pods again. Deciding itself has its own tests (`decide.test.ts`). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubernetesObject, Pod } from '@podvisor/api';
import { FakeClock } from '@podvisor/base';
import { type KubeClient, type ListWatcher, type Resource, resources, SharedInformers } from '@podvisor/kube';
import { Scheduler } from './scheduler.ts';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Counts how often something is to be looked at later. */
class CountingClock extends FakeClock {
  timers = 0;

  override after(ms: number, fn: () => void): () => void {
    this.timers += 1;
    return super.after(ms, fn);
  }
}

const pod = (name: string, nodeName?: string): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'ns', name, uid: name, resourceVersion: '1' },
  spec: { ...(nodeName === undefined ? {} : { nodeName }), containers: [{ name: 'c', image: 'i' }] },
  status: { phase: nodeName === undefined ? 'Pending' : 'Running' },
});

/** Lists these Pods, and tells of deletions when it is asked to. */
class Server {
  readonly #pods: readonly Pod[];
  readonly #events: object[] = [];
  #version = 1;
  #wake = (): void => undefined;

  constructor(pods: readonly Pod[]) {
    this.#pods = pods;
  }

  list({ plural }: Resource): Promise<object> {
    return Promise.resolve({
      metadata: { resourceVersion: '1' },
      items: plural === 'pods' ? this.#pods : [],
    });
  }

  async *watch({ plural }: Resource, _options: unknown, signal: AbortSignal): AsyncGenerator<object> {
    signal.addEventListener('abort', () => this.#wake());
    while (!signal.aborted) {
      const event = plural === 'pods' ? this.#events.shift() : undefined;
      if (event !== undefined) yield event;
      else if (plural === 'pods') await new Promise<void>((resolve) => (this.#wake = resolve));
      else await new Promise((resolve) => signal.addEventListener('abort', resolve));
    }
  }

  /** Whatever is asked of it besides. */
  patch = (): Promise<object> => Promise.resolve({});
  create = (): Promise<object> => Promise.resolve({});

  delete(object: KubernetesObject): void {
    this.#version += 1;
    const metadata = { ...object.metadata, resourceVersion: String(this.#version) };
    this.#events.push({ type: 'DELETED', object: { ...object, metadata } });
    this.#wake();
  }
}

test('a Pod that waited for a node makes no room when it goes, one that had a node does', async () => {
  const [waiting, other, running] = [pod('waiting'), pod('other'), pod('running', 'a')];
  const server = new Server([waiting, other, running]);
  const stop = new AbortController();
  const informers = new SharedInformers({
    client: server as unknown as ListWatcher,
    clock: new FakeClock(),
    log,
  });
  const clock = new CountingClock();
  const scheduler = new Scheduler({ client: server as unknown as KubeClient, informers, clock, log });
  const pods = informers.of(resources.pods);
  const started = scheduler.start();
  informers.start(stop.signal);
  await started;
  const gone = (name: string): Promise<void> =>
    new Promise((resolve) => {
      pods.on({ delete: ({ metadata }) => void (metadata.name === name && resolve()) });
    });
  const before = clock.timers;
  const first = gone('waiting');
  server.delete(waiting);
  await first;
  assert.equal(clock.timers, before);
  const second = gone('running');
  server.delete(running);
  await second;
  assert.equal(clock.timers, before + 1);
  stop.abort();
});
