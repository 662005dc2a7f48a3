/** An API in memory for tests of the kubelet: objects, patches of the two kinds it sends, watches. */
import type { Condition, KubernetesObject, Pod } from '@podvisor/api';
import { StatusError } from '@podvisor/base';
import type { ObjectKey, Patch, Resource, WatchEvent } from '@podvisor/kube';
import type { KubeletClient } from '../client.ts';

type Listener = (event: {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubernetesObject;
  readonly plural: string;
}) => void;

export class MemoryApi {
  readonly #objects = new Map<string, KubernetesObject>();
  readonly #listeners = new Set<Listener>();
  #revision = 0;
  /** Writes by the kubelet: `patch pods/status default/x`. */
  readonly writes: string[] = [];

  /** The client to hand to a kubelet. */
  readonly client: KubeletClient = {
    get: async (resource, key) => this.#must(resource, key) as never,
    find: async (resource, key) => this.#objects.get(path(resource, key)) as never,
    list: async (resource) => ({
      metadata: { resourceVersion: String(this.#revision) },
      items: this.#list(resource) as never,
    }),
    watch: (resource, _options, signal) => this.#watch(resource, signal) as never,
    create: async (resource, object) => {
      this.writes.push(`create ${resource.plural} ${object.metadata?.name}`);
      return this.put(resource, object) as never;
    },
    update: async (resource, object) => this.put(resource, object) as never,
    patch: async (resource, key, patch) => {
      this.writes.push(`patch ${resource.plural}/${patch.subresource ?? ''} ${key.name}`);
      return this.#patch(resource, key, patch) as never;
    },
    delete: async (resource, key) => {
      this.writes.push(`delete ${resource.plural} ${key.name}`);
      this.remove(resource, key);
    },
    request: async () => ({ status: { token: 'a-token' } }) as never,
  };

  put<T extends KubernetesObject>(resource: Resource<T>, object: T): T {
    const key = path(resource, { namespace: object.metadata?.namespace, name: object.metadata?.name ?? '' });
    this.#revision += 1;
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#revision) } };
    const type = this.#objects.has(key) ? 'MODIFIED' : 'ADDED';
    this.#objects.set(key, stored);
    this.#tell(type, stored, resource.plural);
    return stored;
  }

  remove(resource: Resource, key: ObjectKey): void {
    const object = this.#must(resource, key);
    this.#objects.delete(path(resource, key));
    this.#revision += 1;
    this.#tell(
      'DELETED',
      { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#revision) } },
      resource.plural,
    );
  }

  find<T extends KubernetesObject>(resource: Resource<T>, key: ObjectKey): T | undefined {
    return this.#objects.get(path(resource, key)) as T | undefined;
  }

  /** Resolves with the object (undefined: deleted) as soon as it satisfies `condition`. */
  until<T extends KubernetesObject>(
    resource: Resource<T>,
    key: ObjectKey,
    condition: (object: T | undefined) => boolean,
    timeoutMs = 60_000,
  ): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const now = this.find(resource, key);
        if (!condition(now)) return;
        this.#listeners.delete(look);
        clearTimeout(timer);
        resolve(now);
      };
      const timer = setTimeout(() => {
        this.#listeners.delete(look);
        reject(
          new Error(
            `waited too long for ${key.name}; it is ${JSON.stringify(this.find(resource, key), null, 1)}`,
          ),
        );
      }, timeoutMs);
      this.#listeners.add(look);
      look();
    });
  }

  #patch(resource: Resource, key: ObjectKey, patch: Patch): KubernetesObject {
    const before = this.#must(resource, key);
    const merged = merge(before, patch.body, patch.type === 'strategic') as KubernetesObject;
    return this.put(resource, merged);
  }

  #must(resource: Resource, key: ObjectKey): KubernetesObject {
    const found = this.#objects.get(path(resource, key));
    if (found === undefined) throw new StatusError('NotFound', `${resource.plural} "${key.name}" not found`);
    return found;
  }

  #list(resource: Resource): KubernetesObject[] {
    return [...this.#objects]
      .filter(([key]) => key.startsWith(`${resource.plural}/`))
      .map(([, object]) => object);
  }

  async *#watch(
    resource: Resource,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<WatchEvent<KubernetesObject>> {
    const queue: WatchEvent<KubernetesObject>[] = [];
    let wake: (() => void) | undefined;
    const listener: Listener = ({ type, object, plural }) => {
      if (plural === resource.plural) queue.push({ type, object });
      wake?.();
    };
    this.#listeners.add(listener);
    signal?.addEventListener('abort', () => wake?.());
    try {
      while (signal?.aborted !== true) {
        const event = queue.shift();
        if (event !== undefined) yield event;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    } finally {
      this.#listeners.delete(listener);
    }
  }

  #tell(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: KubernetesObject, plural: string): void {
    for (const listener of [...this.#listeners]) listener({ type, object, plural });
  }
}

function path(resource: Resource, key: ObjectKey): string {
  return `${resource.plural}/${resource.namespaced ? (key.namespace ?? 'default') : ''}/${key.name}`;
}

function merge(before: unknown, patch: unknown, strategic: boolean): unknown {
  // Lists are replaced, whether they say so (`$patch: replace`) or not.
  if (Array.isArray(patch)) return patch.filter((item: unknown) => !isDirective(item));
  if (typeof patch !== 'object' || patch === null) return patch;
  const result: Record<string, unknown> = {
    ...(typeof before === 'object' && before !== null ? before : {}),
  };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else if (strategic && key === 'conditions') result[key] = mergeConditions(result[key], value);
    else result[key] = merge(result[key], value, strategic);
  }
  return result;
}

function isDirective(item: unknown): boolean {
  return typeof item === 'object' && item !== null && '$patch' in item;
}

function mergeConditions(before: unknown, patch: unknown): readonly Condition[] {
  const byType = new Map<string, Condition>();
  for (const list of [before ?? [], patch]) for (const c of list as Condition[]) byType.set(c.type, c);
  return [...byType.values()];
}

/** Marks a Pod as being deleted, as the API server does on DELETE. */
export function markDeleted(pod: Pod, graceSeconds: number): Pod {
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      deletionTimestamp: new Date().toISOString(),
      deletionGracePeriodSeconds: graceSeconds,
    },
  };
}
