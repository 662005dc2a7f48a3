/**
 * An API server in memory, for tests: optimistic locking, finalizers, graceful deletion of Pods, label
 * selectors, watches, and a record of every write. It answers as the real one does where the controllers
 * look; it is no more than that.
 */
import type { KubernetesObject, ObjectMeta } from '@podvisor/api';
import { deepEqual, StatusError } from '@podvisor/base';
import type {
  DeleteOptions,
  JsonPatchOperation,
  ListOptions,
  ObjectKey,
  ObjectList,
  Patch,
  Resource,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from '@podvisor/kube';
import { applyJsonPatch, mergePatch } from './patches.ts';

type Verb = 'create' | 'update' | 'patch' | 'delete';

export interface RecordedWrite {
  readonly verb: Verb;
  /** Plural, with the subresource: `pods/status`. */
  readonly resource: string;
  readonly name: string;
  readonly body: unknown;
}

interface StoredEvent {
  readonly plural: string;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubernetesObject;
  readonly version: number;
}

export class FakeApi {
  readonly writes: RecordedWrite[] = [];
  /** Resources of updates that were refused: another write came before. */
  readonly refused: string[] = [];
  /** Changes an object before it is stored, as a mutating webhook does. */
  admit: (resource: string, object: KubernetesObject) => KubernetesObject = (_resource, object) => object;
  /** Throws to make a write fail. */
  fail: (write: RecordedWrite) => void = () => undefined;
  /** Awaited before a watch tells an event of this plural: a cache that is behind. */
  late: (plural: string) => Promise<void> | undefined = () => undefined;
  readonly #objects = new Map<string, Map<string, KubernetesObject>>();
  readonly #log: StoredEvent[] = [];
  readonly #waiting = new Set<() => void>();
  /** Watches that have more to tell than was taken. */
  #telling = 0;
  #version = 0;

  /** Every watch has told all that has happened. */
  get isHeard(): boolean {
    return this.#telling === 0;
  }

  /** What is stored now. */
  read<T extends KubernetesObject>(
    resource: Resource<T>,
    name: string,
    namespace = 'default',
  ): T | undefined {
    return this.#table(resource.plural).get(keyIn(resource, { namespace, name })) as T | undefined;
  }

  all<T extends KubernetesObject>(resource: Resource<T>): readonly T[] {
    return [...this.#table(resource.plural).values()] as T[];
  }

  /** Stores without a record, as another component or a user would. */
  put<T extends KubernetesObject>(resource: Resource<T>, object: T): T {
    const key = keyIn(resource, { namespace: object.metadata?.namespace, name: object.metadata?.name ?? '' });
    const known = this.#table(resource.plural).get(key);
    return (
      known === undefined ? this.#insert(resource, object) : this.#replace(resource, known, object)
    ) as T;
  }

  /** Takes an object away at once, as the kubelet does when a Pod has ended. */
  remove<T extends KubernetesObject>(resource: Resource<T>, name: string, namespace = 'default'): void {
    const key = keyIn(resource, { namespace, name });
    const object = this.#table(resource.plural).get(key);
    if (object === undefined) return;
    this.#table(resource.plural).delete(key);
    this.#emit(resource.plural, 'DELETED', object);
  }

  get<T extends KubernetesObject>(resource: Resource<T>, key: ObjectKey): Promise<T> {
    return Promise.resolve(this.#existing(resource, key));
  }

  find<T extends KubernetesObject>(resource: Resource<T>, key: ObjectKey): Promise<T | undefined> {
    return Promise.resolve(this.#table(resource.plural).get(keyIn(resource, key)) as T | undefined);
  }

  list<T extends KubernetesObject>(resource: Resource<T>, options: ListOptions = {}): Promise<ObjectList<T>> {
    const items = this.all(resource).filter((object) => selected(object, options));
    return Promise.resolve({ metadata: { resourceVersion: String(this.#version) }, items });
  }

  async create<T extends KubernetesObject>(resource: Resource<T>, object: T): Promise<T> {
    const name = object.metadata?.name ?? `${object.metadata?.generateName}${this.#version}`;
    this.#record('create', resource, undefined, name, object);
    const named = { ...object, metadata: { ...object.metadata, name } };
    if (this.#table(resource.plural).has(keyIn(resource, { namespace: named.metadata.namespace, name }))) {
      throw new StatusError('AlreadyExists', `${resource.plural} "${name}" already exists`);
    }
    return this.#insert(resource, this.admit(resource.plural, named) as T);
  }

  async update<T extends KubernetesObject>(
    resource: Resource<T>,
    object: T,
    options: WriteOptions = {},
  ): Promise<T> {
    const { namespace, name = '', resourceVersion } = object.metadata ?? {};
    this.#record('update', resource, options.subresource, name, object);
    const known = this.#existing(resource, { namespace, name });
    if (resourceVersion !== undefined && resourceVersion !== known.metadata?.resourceVersion) {
      this.refused.push(resource.plural);
      throw new StatusError('Conflict', `${resource.plural} "${name}" has been modified`);
    }
    const status = 'status' in object ? object.status : undefined;
    return this.#replace(resource, known, options.subresource === 'status' ? { ...known, status } : object);
  }

  updateStatus<T extends KubernetesObject>(resource: Resource<T>, object: T): Promise<T> {
    return this.update(resource, object, { subresource: 'status' });
  }

  async patch<T extends KubernetesObject>(resource: Resource<T>, key: ObjectKey, patch: Patch): Promise<T> {
    this.#record('patch', resource, patch.subresource, key.name, patch.body);
    const known = this.#existing(resource, key);
    const next =
      patch.type === 'json'
        ? applyJsonPatch(known, patch.body as readonly JsonPatchOperation[])
        : mergePatch(known, patch.body, patch.type === 'strategic');
    const wanted = (next as T).metadata?.resourceVersion;
    if (wanted !== known.metadata?.resourceVersion) {
      throw new StatusError('Conflict', `${resource.plural} "${key.name}" has been modified`);
    }
    return this.#replace(resource, known, next as T);
  }

  /** Subresources of guests are not served here. */
  async raw({ method, path }: { method: string; path: string }): Promise<never> {
    throw new Error(`${method} ${path} is not served by the test's API`);
  }

  async delete(resource: Resource, key: ObjectKey, options: DeleteOptions = {}): Promise<void> {
    this.#record('delete', resource, undefined, key.name, options);
    const known = this.#existing(resource, key);
    const uid = options.preconditions?.uid;
    if (uid !== undefined && uid !== known.metadata?.uid)
      throw new StatusError('Conflict', 'the UID is another');
    const graceful = resource.plural === 'pods' || (known.metadata?.finalizers?.length ?? 0) > 0;
    if (!graceful) {
      this.remove(resource, key.name, key.namespace);
      return;
    }
    if (known.metadata?.deletionTimestamp !== undefined) return;
    this.#replace(resource, known, {
      ...known,
      metadata: { ...known.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
    });
  }

  async *watch<T extends KubernetesObject>(
    resource: Resource<T>,
    options: WatchOptions = {},
    signal?: AbortSignal,
  ): AsyncGenerator<WatchEvent<T>> {
    let seen = Number(options.resourceVersion ?? 0);
    this.#telling += 1;
    try {
      while (!signal?.aborted) {
        for (const event of this.#log.filter((e) => e.version > seen)) {
          seen = event.version;
          if (event.plural !== resource.plural || !selected(event.object, options)) continue;
          await this.late(event.plural);
          yield { type: event.type, object: event.object as T };
        }
        if (this.#log.at(-1)?.version === seen || this.#version === seen) await this.#nextEvent(signal);
      }
    } finally {
      this.#telling -= 1;
    }
  }

  async #nextEvent(signal: AbortSignal | undefined): Promise<void> {
    this.#telling -= 1;
    await new Promise<void>((resolve) => {
      this.#waiting.add(resolve);
      signal?.addEventListener('abort', () => resolve(), { once: true });
    });
    this.#telling += 1;
  }

  #record(
    verb: Verb,
    resource: Resource,
    subresource: string | undefined,
    name: string,
    body: unknown,
  ): void {
    const where = subresource === undefined ? resource.plural : `${resource.plural}/${subresource}`;
    const write = { verb, resource: where, name, body };
    this.writes.push(write);
    this.fail(write);
  }

  #insert<T extends KubernetesObject>(resource: Resource<T>, object: T): T {
    const metadata: ObjectMeta = {
      uid: `uid-${resource.plural}-${this.#version + 1}`,
      creationTimestamp: '2026-01-01T00:00:00Z',
      generation: 1,
      ...object.metadata,
    };
    return this.#store(resource, 'ADDED', { ...object, metadata });
  }

  #replace<T extends KubernetesObject>(resource: Resource<T>, known: T, next: T): T {
    const changed = !deepEqual(specOf(known), specOf(next));
    const metadata: ObjectMeta = {
      ...next.metadata,
      uid: known.metadata?.uid,
      creationTimestamp: known.metadata?.creationTimestamp,
      generation: (known.metadata?.generation ?? 1) + (changed ? 1 : 0),
    };
    const gone =
      resource.plural !== 'pods' &&
      metadata.deletionTimestamp !== undefined &&
      (metadata.finalizers?.length ?? 0) === 0;
    const stored = this.#store(resource, 'MODIFIED', { ...next, metadata });
    if (gone) this.remove(resource, metadata.name ?? '', metadata.namespace);
    return stored;
  }

  #store<T extends KubernetesObject>(resource: Resource<T>, type: 'ADDED' | 'MODIFIED', object: T): T {
    const metadata = { ...object.metadata, resourceVersion: String(this.#version + 1) };
    const stored = JSON.parse(JSON.stringify({ ...object, metadata })) as T;
    const key = keyIn(resource, { namespace: metadata.namespace, name: metadata.name ?? '' });
    this.#table(resource.plural).set(key, stored);
    this.#emit(resource.plural, type, stored);
    return stored;
  }

  #emit(plural: string, type: StoredEvent['type'], object: KubernetesObject): void {
    this.#version += 1;
    const metadata = { ...object.metadata, resourceVersion: String(this.#version) };
    this.#log.push({ plural, type, object: { ...object, metadata }, version: this.#version });
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  #existing<T extends KubernetesObject>(resource: Resource<T>, key: ObjectKey): T {
    const found = this.#table(resource.plural).get(keyIn(resource, key));
    if (found === undefined) throw new StatusError('NotFound', `${resource.plural} "${key.name}" not found`);
    return found as T;
  }

  #table(plural: string): Map<string, KubernetesObject> {
    const known = this.#objects.get(plural);
    if (known !== undefined) return known;
    const table = new Map<string, KubernetesObject>();
    this.#objects.set(plural, table);
    return table;
  }
}

function keyIn(resource: Resource, key: { readonly namespace?: string; readonly name: string }): string {
  return resource.namespaced ? `${key.namespace}/${key.name}` : key.name;
}

function specOf(object: KubernetesObject): unknown {
  return 'spec' in object ? object.spec : undefined;
}

/** Equality and existence are all that the controllers select by. */
function selected({ metadata }: KubernetesObject, options: ListOptions | WatchOptions): boolean {
  if (options.namespace !== undefined && options.namespace !== metadata?.namespace) return false;
  const field = options.fieldSelector?.split('=')[1];
  if (field !== undefined && field !== metadata?.name) return false;
  const [label, value] = options.labelSelector?.split('=') ?? [];
  if (label === undefined) return true;
  const found = metadata?.labels?.[label];
  return value === undefined ? found !== undefined : found === value;
}
