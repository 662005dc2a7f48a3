/**
 * A live, indexed copy of a set of API objects, with handlers for its changes. Objects are shared: never
 * change them. Handlers run after the store has the change, in order, one after the other.
 */
import type { KubernetesObject } from '@podvisor/api';
import { type BackoffOptions, type Clock, systemClock } from '@podvisor/base';
import { type Log, stderrLog } from '../log.ts';
import type { Resource } from '../client/resource.ts';
import { type ListWatcher, Reflector } from './reflector.ts';
import { type Change, type Indexers, Store } from './store.ts';

export interface InformerOptions<T extends KubernetesObject> {
  readonly client: ListWatcher;
  readonly resource: Resource<T>;
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly indexers?: Indexers<T>;
  /** Shrinks each object before it is kept. Default: drops `metadata.managedFields`. */
  readonly transform?: (object: T) => T;
  /** Initial state as a stream (WatchList). Default false. */
  readonly watchList?: boolean;
  /** A watch without event or bookmark for this long is opened again. Default 90 s: bookmarks come each minute. */
  readonly silenceMs?: number;
  readonly backoff?: BackoffOptions;
  readonly clock?: Clock;
  readonly log?: Log;
  /**
   * A handler threw. Default: the error becomes an unhandled rejection, which ends the process; a handler
   * that fails silently would leave a controller deaf.
   */
  readonly onHandlerError?: (error: unknown) => void;
}

/** What to call on changes; `initial` is true while the first list is delivered. */
export interface InformerHandler<T> {
  add?(object: T, initial: boolean): void;
  update?(object: T, old: T): void;
  delete?(object: T): void;
}

export class Informer<T extends KubernetesObject> {
  readonly resource: Resource<T>;
  readonly #store: Store<T>;
  readonly #reflector: Reflector<T>;
  readonly #handlers = new Set<InformerHandler<T>>();
  readonly #onHandlerError: (error: unknown) => void;
  readonly #transform: (object: T) => T;
  readonly #firstList = Promise.withResolvers<void>();
  #synced = false;
  #running: Promise<void> | undefined;

  constructor(options: InformerOptions<T>) {
    const { client, resource, namespace, labelSelector, fieldSelector } = options;
    this.resource = resource;
    this.#store = new Store(options.indexers);
    this.#onHandlerError = options.onHandlerError ?? ((error) => void Promise.reject(error));
    this.#transform = options.transform ?? withoutManagedFields;
    // Nobody may be waiting when the informer ends before its first list.
    this.#firstList.promise.catch(() => undefined);
    this.#reflector = new Reflector<T>({
      client,
      resource,
      select: { namespace, labelSelector, fieldSelector },
      watchList: options.watchList ?? false,
      silenceMs: options.silenceMs ?? 90_000,
      backoff: options.backoff ?? { firstMs: 100, maxMs: 10_000 },
      clock: options.clock ?? systemClock,
      log: options.log ?? stderrLog,
      onReplace: (objects) => this.#replace(objects),
      onEvent: ({ type, object }) => {
        const kept = this.#transform(object);
        this.#tell(type === 'DELETED' ? this.#store.remove(kept) : this.#store.set(kept));
      },
    });
  }

  /** Further indexes. Call before `start`. */
  addIndexers(indexers: Indexers<T>): void {
    this.#store.addIndexers(indexers);
  }

  /** Begins to follow the API until the signal ends it. Call once. */
  start(signal: AbortSignal): void {
    if (this.#running !== undefined)
      throw new Error(`informer of ${this.resource.plural} is already started`);
    this.#running = this.#reflector.run(signal).finally(() => {
      this.#firstList.reject(new Error(`informer of ${this.resource.plural} ended before its first list`));
    });
  }

  /** Resolves after the end of the informer. */
  async stopped(): Promise<void> {
    await this.#running;
  }

  /** Resolves when the first complete list is in the store and its handlers ran. */
  synced(): Promise<void> {
    return this.#firstList.promise;
  }

  get hasSynced(): boolean {
    return this.#synced;
  }

  /** By `namespace/name`, or `name` for cluster-scoped objects. */
  get(key: string): T | undefined {
    return this.#store.get(key);
  }

  list(): T[] {
    return this.#store.list();
  }

  get size(): number {
    return this.#store.size;
  }

  byIndex(name: string, value: string): T[] {
    return this.#store.byIndex(name, value);
  }

  /** Adds a handler; it hears of what is in the store first. The returned function removes it. */
  on(handler: InformerHandler<T>): () => void {
    this.#handlers.add(handler);
    for (const object of this.#store.list()) this.#call(() => handler.add?.(object, true));
    return () => this.#handlers.delete(handler);
  }

  #replace(objects: readonly T[]): void {
    this.#tell(this.#store.replace(objects.map(this.#transform)));
    this.#synced = true;
    this.#firstList.resolve();
  }

  #tell(changes: readonly Change<T>[]): void {
    for (const change of changes) {
      for (const handler of this.#handlers) {
        this.#call(() => {
          if (change.kind === 'add') handler.add?.(change.object, !this.#synced);
          else if (change.kind === 'update') handler.update?.(change.object, change.old);
          else handler.delete?.(change.object);
        });
      }
    }
  }

  #call(fn: () => void): void {
    try {
      fn();
    } catch (error) {
      this.#onHandlerError(error);
    }
  }
}

/** The object without its history of writers, which only they need. */
export function withoutManagedFields<T extends KubernetesObject>(object: T): T {
  if (object.metadata?.managedFields === undefined) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
