/** What the store keeps and tells: objects with their revision, and the events that changed them. */
import type { KubeObject } from '../apiserver/wire/json.ts';

/** One stored object. Never changed in place: a write makes a new one. */
export interface Stored {
  /** `<group>/<plural>/<namespace>/<name>`; the namespace is empty for cluster-scoped objects. */
  readonly key: string;
  /** The revision of the last write, which is the object's resourceVersion. */
  readonly revision: number;
  readonly object: KubeObject;
  /** The JSON text of `object`, as it is served. */
  readonly text: string;
}

/** A change of one object. `object` of a deletion is the last state, with the deletion's revision. */
export interface StoreEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly revision: number;
  readonly stored: Stored;
  readonly previous: Stored | undefined;
}

/** Where the changes of one collection are told, after they are durable. */
export type StoreListener = (events: readonly StoreEvent[]) => void;

/** `group/plural` of a key. */
export function collectionOf(key: string): string {
  return key.slice(0, key.indexOf('/', key.indexOf('/') + 1));
}

/** Builds a key; `namespace` is empty for cluster-scoped objects. */
export function keyOf(group: string, plural: string, namespace: string, name: string): string {
  return `${group}/${plural}/${namespace}/${name}`;
}
