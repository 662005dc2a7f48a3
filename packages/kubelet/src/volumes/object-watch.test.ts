import { systemClock } from '@podvisor/base';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubernetesObject, Pod } from '@podvisor/api';
import { type ListWatcher, type ObjectList, type WatchEvent } from '@podvisor/kube';
import { ObjectWatch } from './object-watch.ts';

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** An API server that knows every object, and tells which are watched. */
class Watched {
  readonly open = new Set<string>();
  #changed = Promise.withResolvers<void>();

  readonly client: ListWatcher = {
    list: async <T extends KubernetesObject>(): Promise<ObjectList<T>> =>
      ({ metadata: { resourceVersion: '1' }, items: [] }) as unknown as ObjectList<T>,
    watch: <T extends KubernetesObject>(
      resource: { readonly plural: string },
      {
        namespace = '',
        fieldSelector = '',
      }: { readonly namespace?: string; readonly fieldSelector?: string },
      signal?: AbortSignal,
    ): AsyncIterable<WatchEvent<T>> =>
      this.#watch(`${resource.plural} ${namespace} ${fieldSelector}`, signal),
  };

  /** Resolves when exactly these are watched. */
  async until(expected: readonly string[]): Promise<void> {
    const isSo = (): boolean => [...this.open].sort().join() === [...expected].sort().join();
    while (!isSo()) await this.#changed.promise;
  }

  async *#watch<T extends KubernetesObject>(
    what: string,
    signal?: AbortSignal,
  ): AsyncGenerator<WatchEvent<T>> {
    this.open.add(what);
    this.#tell();
    await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }));
    this.open.delete(what);
    this.#tell();
    yield* []; // nothing ever changes
  }

  #tell(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}

const pod = (uid: string, secrets: readonly string[]): Pod => ({
  metadata: { name: uid, namespace: 'a', uid },
  spec: {
    containers: [],
    volumes: [
      { name: 'c', configMap: { name: 'settings' } },
      ...secrets.map((secretName) => ({ name: secretName, secret: { secretName } })),
    ],
  },
});

test('each object that a Pod shows is watched by its name, once, until no Pod shows it', {
  timeout: 10_000,
}, async () => {
  const api = new Watched();
  const watch = new ObjectWatch({
    client: api.client,
    clock: systemClock,
    log: quiet,
    onChange: () => undefined,
  });
  const settings = 'configmaps a metadata.name=settings';
  const secret = (name: string): string => `secrets a metadata.name=${name}`;
  watch.podChanged(pod('one', ['x']));
  watch.podChanged(pod('one', ['x']));
  watch.podChanged(pod('two', ['x', 'y']));
  await api.until([settings, secret('x'), secret('y')]);
  watch.podGone(pod('two', ['x', 'y']));
  await api.until([settings, secret('x')]);
  watch.podGone(pod('one', ['x']));
  await api.until([]);
  watch.podChanged(pod('three', ['z']));
  await api.until([settings, secret('z')]);
  watch.close();
  await api.until([]);
  watch.podChanged(pod('four', ['z']));
  assert.equal(api.open.size, 0, 'it is closed');
});
