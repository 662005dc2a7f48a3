/** The API server as virt-handler sees it, in memory: lists, watches, optimistic writes, and a count of them. */
import type { KubernetesObject, VirtualMachineInstance } from '@podvisor/api';
import { StatusError } from '@podvisor/base';
import type { KubeClient, ListWatcher, ObjectKey, Resource, WatchEvent } from '@podvisor/kube';

export class FakeApi implements ListWatcher, Pick<KubeClient, 'find' | 'update' | 'request'> {
  readonly #objects = new Map<string, KubernetesObject>();
  readonly #watchers = new Set<(resource: string, event: WatchEvent<KubernetesObject>) => void>();
  #version = 100;
  /** Every accepted update, oldest first. */
  readonly updates: VirtualMachineInstance[] = [];
  isDown = false;

  get<T extends KubernetesObject>(resource: Resource<T>, key: ObjectKey): T | undefined {
    return this.#objects.get(`${resource.plural}/${key.namespace}/${key.name}`) as T | undefined;
  }

  put<T extends KubernetesObject>(resource: Resource<T>, object: T): void {
    const id = `${resource.plural}/${object.metadata?.namespace}/${object.metadata?.name}`;
    const type = this.#objects.has(id) ? 'MODIFIED' : 'ADDED';
    this.#version += 1;
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#version) } };
    this.#objects.set(id, stored);
    for (const watcher of this.#watchers) watcher(resource.plural, { type, object: stored });
  }

  remove(resource: Resource, key: ObjectKey): void {
    const id = `${resource.plural}/${key.namespace}/${key.name}`;
    const object = this.#objects.get(id);
    this.#objects.delete(id);
    if (object !== undefined)
      for (const watcher of this.#watchers) watcher(resource.plural, { type: 'DELETED', object });
  }

  async find<T extends KubernetesObject>(resource: Resource<T>, key: ObjectKey): Promise<T | undefined> {
    if (this.isDown) throw new Error('connect ECONNREFUSED');
    return this.get(resource, key);
  }

  /** Nobody is behind it: guests of these tests neither sleep nor wake. */
  async request<R>(): Promise<R> {
    throw new StatusError('NotFound', 'no aggregated API here');
  }

  async update<T extends KubernetesObject>(resource: Resource<T>, object: T): Promise<T> {
    const { namespace, name = '' } = object.metadata ?? {};
    const stored = this.get(resource, { namespace, name });
    if (stored?.metadata?.resourceVersion !== object.metadata?.resourceVersion)
      throw new StatusError('Conflict', 'the object has been modified');
    this.put(resource, object);
    const updated = this.get(resource, { namespace, name }) as T;
    this.updates.push(updated as unknown as VirtualMachineInstance);
    return updated;
  }

  async list<T extends KubernetesObject>(resource: Resource<T>): Promise<{ metadata: object; items: T[] }> {
    const items = [...this.#objects]
      .filter(([id]) => id.startsWith(`${resource.plural}/`))
      .map(([, o]) => o as T);
    return { metadata: { resourceVersion: String(this.#version) }, items };
  }

  async *watch<T extends KubernetesObject>(
    resource: Resource<T>,
    _options: unknown,
    signal?: AbortSignal,
  ): AsyncGenerator<WatchEvent<T>> {
    const waiting: WatchEvent<T>[] = [];
    let wake: () => void = () => {};
    const watcher = (plural: string, event: WatchEvent<KubernetesObject>): void => {
      if (plural === resource.plural) waiting.push(event as WatchEvent<T>);
      wake();
    };
    this.#watchers.add(watcher);
    signal?.addEventListener('abort', () => wake(), { once: true });
    try {
      for (;;) {
        if (signal?.aborted === true) return;
        for (const event of waiting.splice(0)) yield event;
        if (waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      this.#watchers.delete(watcher);
    }
  }
}
