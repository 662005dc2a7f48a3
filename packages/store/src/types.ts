/** What the store keeps and tells: values by key with their revision, and the events that changed them. */

/**
 * What a value is, for a store that knows keys, texts and revisions only. A value is never changed in place: a write
 * makes a new one.
 */
export interface Codec<T> {
  /** The value of a text that was committed before. */
  decode(text: string): T;
  /** The value as those see it who watched its deletion, which has this revision. */
  deletedAt(value: T, revision: number): { readonly object: T; readonly text: string };
}

/** One stored value. */
export interface Stored<T> {
  /** `<group>/<plural>/<namespace>/<name>`; the namespace is empty for cluster-scoped objects. */
  readonly key: string;
  /** The revision of the last write. */
  readonly revision: number;
  /** May be made of the text when it is read: a copy (`{ ...stored }`) must name it. */
  readonly object: T;
  /** The text of `object`, as it is kept and served. */
  readonly text: string;
}

/** A change of one value. `stored` of a deletion is the last state, with the deletion's revision. */
export interface StoreEvent<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly revision: number;
  readonly stored: Stored<T>;
  readonly previous: Stored<T> | undefined;
}

/** Where the changes of one collection are told, after they are durable. */
export type StoreListener<T> = (events: readonly StoreEvent<T>[]) => void;

/** `group/plural` of a key. */
export function collectionOf(key: string): string {
  return key.slice(0, key.indexOf('/', key.indexOf('/') + 1));
}

/** Builds a key; `namespace` is empty for cluster-scoped objects. */
export function keyOf(group: string, plural: string, namespace: string, name: string): string {
  return `${group}/${plural}/${namespace}/${name}`;
}
