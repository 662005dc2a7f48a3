/** The store as the API server uses it: its values are Kubernetes objects, kept as JSON. */
import {
  type Codec,
  type SqliteLog,
  Store as ValueStore,
  type Stored as StoredValue,
  type StoreEvent as ValueEvent,
  type StoreLimits,
} from '@podvisor/store';
import type { KubeObject } from './wire/json.ts';

export type Store = ValueStore<KubeObject>;
export type Stored = StoredValue<KubeObject>;
export type StoreEvent = ValueEvent<KubeObject>;

/** A revision is an object's resourceVersion. */
const codec: Codec<KubeObject> = {
  decode: (text) => JSON.parse(text) as KubeObject,
  deletedAt: (object, revision) => {
    const gone = { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
    return { object: gone, text: JSON.stringify(gone) };
  },
};

export function objectStore(log: SqliteLog, limits?: Partial<StoreLimits>): Store {
  return new ValueStore(log, codec, limits);
}
