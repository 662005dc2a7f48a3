/**
 * The objects an informer knows, with indexes. Changes go through `set`, `remove` and `replace`; each
 * answers what really changed, so that handlers never hear of a change that was none.
 */
import type { KubernetesObject } from '@podvisor/api';
import { keyOf } from '../client/resource.ts';
import { KeyIndex } from './key-index.ts';

/** Index functions by name: the values under which an object is found. */
export type Indexers<T> = Readonly<Record<string, (object: T) => readonly string[]>>;

/** One observed change. */
export type Change<T> =
  | { readonly kind: 'add'; readonly object: T }
  | { readonly kind: 'update'; readonly object: T; readonly old: T }
  | { readonly kind: 'delete'; readonly object: T };

export class Store<T extends KubernetesObject> {
  readonly #objects = new Map<string, T>();
  #indexers: Indexers<T> = {};
  readonly #indexes = new Map<string, KeyIndex>();

  constructor(indexers: Indexers<T> = {}) {
    this.addIndexers(indexers);
  }

  /** Only while the store is empty: what is in it already would not be found. */
  addIndexers(indexers: Indexers<T>): void {
    for (const name of Object.keys(indexers)) {
      if (this.#indexes.has(name)) throw new Error(`informer already has an index "${name}"`);
      if (this.size > 0) throw new Error(`index "${name}" must be added before the first objects`);
      this.#indexes.set(name, new KeyIndex());
    }
    this.#indexers = { ...this.#indexers, ...indexers };
  }

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  list(): T[] {
    return [...this.#objects.values()];
  }

  byIndex(name: string, value: string): T[] {
    const index = this.#indexes.get(name);
    if (index === undefined) throw new Error(`informer has no index "${name}"`);
    return index.keys(value).flatMap((key) => this.#objects.get(key) ?? []);
  }

  /** Adds or replaces. An object of the same version is no change; a new UID is a delete and an add. */
  set(object: T): Change<T>[] {
    const key = keyOf(object);
    const old = this.#objects.get(key);
    if (old === undefined) {
      this.#put(key, object);
      return [{ kind: 'add', object }];
    }
    if (old.metadata?.uid !== object.metadata?.uid) {
      this.#drop(key, old);
      this.#put(key, object);
      return [
        { kind: 'delete', object: old },
        { kind: 'add', object },
      ];
    }
    const version = object.metadata?.resourceVersion;
    if (version !== undefined && version === old.metadata?.resourceVersion) return [];
    this.#drop(key, old);
    this.#put(key, object);
    return [{ kind: 'update', object, old }];
  }

  remove(object: T): Change<T>[] {
    const key = keyOf(object);
    const old = this.#objects.get(key);
    if (old === undefined) return [];
    this.#drop(key, old);
    // The last state of the same object if the server sent it, else what we knew.
    return [{ kind: 'delete', object: old.metadata?.uid === object.metadata?.uid ? object : old }];
  }

  /** Makes the store equal to a complete list. */
  replace(objects: readonly T[]): Change<T>[] {
    const keys = new Set(objects.map(keyOf));
    const gone = this.list().filter((object) => !keys.has(keyOf(object)));
    return [
      ...gone.flatMap((object) => this.remove(object)),
      ...objects.flatMap((object) => this.set(object)),
    ];
  }

  #put(key: string, object: T): void {
    this.#objects.set(key, object);
    for (const [name, index] of this.#indexes)
      for (const value of this.#indexers[name]?.(object) ?? []) index.add(value, key);
  }

  #drop(key: string, object: T): void {
    this.#objects.delete(key);
    for (const [name, index] of this.#indexes)
      for (const value of this.#indexers[name]?.(object) ?? []) index.delete(value, key);
  }
}
