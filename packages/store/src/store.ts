/**
 * The API server's memory of everything, with a durable log behind it.
 *
 * Writers see the newest state, also what is not yet on disk (`latest`). Readers and watchers see only what
 * is durable (`get`, `list`, `subscribe`). Writes that arrive in the same turn of the event loop share one
 * commit; `commit` resolves when it is on disk, and only then may a request be answered.
 */
import { Kept } from './kept.ts';
import { KeyOrder } from './key-order.ts';
import { LogBroken, type LogRow, type SqliteLog } from './sqlite-log.ts';
import { type Codec, collectionOf, type Stored, type StoreEvent, type StoreListener } from './types.ts';
import { WatchRing } from './watch-ring.ts';

export interface StoreLimits {
  /** Events kept per collection for watches that resume, and characters of their objects' texts. */
  readonly ringLimit: number;
  readonly ringCharacters: number;
  /** Replaced rows dropped from the log at a time; as many stay. */
  readonly compactEvery: number;
}

const LIMITS: StoreLimits = { ringLimit: 4096, ringCharacters: 2 * 1024 * 1024, compactEvery: 5000 };

/** A row that nobody needs once history up to `by`, the write that replaced it, may be forgotten. */
interface Replaced {
  readonly revision: number;
  readonly by: number;
}

interface KeptEvent<T extends object> extends StoreEvent<T> {
  readonly stored: Kept<T>;
}

interface PendingWrite<T extends object> {
  readonly row: LogRow;
  readonly event: KeptEvent<T>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

interface Collection<T extends object> {
  /** Committed objects, by key. */
  readonly objects: Map<string, Kept<T>>;
  readonly order: KeyOrder<Stored<T>>;
  readonly ring: WatchRing<T>;
  readonly listeners: Set<StoreListener<T>>;
  /** Its values stay the same ones as long as they are not written. */
  held: boolean;
}

/** One store per process. */
export class Store<T extends object> {
  readonly #log: SqliteLog;
  readonly #codec: Codec<T>;
  readonly #limits: StoreLimits;
  readonly #collections = new Map<string, Collection<T>>();
  readonly #uncommitted = new Map<string, Kept<T> | null>();
  #queue: PendingWrite<T>[] = [];
  #revision: number;
  #committedRevision: number;
  #compacted: number;
  /** In order of `by`. */
  #replaced: Replaced[] = [];
  #closed = false;
  /** Told once when the log can no longer be trusted: what is in memory may differ from what is on disk. */
  onBroken: (error: LogBroken) => void = () => undefined;

  constructor(log: SqliteLog, codec: Codec<T>, limits: Partial<StoreLimits> = {}) {
    this.#log = log;
    this.#codec = codec;
    this.#limits = { ...LIMITS, ...limits };
    this.#compacted = log.meta('compacted');
    this.#revision = Math.max(1, log.meta('current'));
    for (const row of log.rows()) this.#load(row);
    this.#committedRevision = this.#revision;
  }

  /** The newest durable revision. */
  get revision(): number {
    return this.#committedRevision;
  }

  /** History up to this revision is gone. At least 1: revision 1 is the empty store. */
  get compactedRevision(): number {
    return Math.max(1, this.#compacted);
  }

  /** What a writer must compare with: the newest state, durable or not. */
  latest(key: string): Stored<T> | undefined {
    const pending = this.#uncommitted.get(key);
    return pending === undefined ? this.get(key) : (pending ?? undefined);
  }

  /** What a reader may see. */
  get(key: string): Stored<T> | undefined {
    return this.#collections.get(collectionOf(key))?.objects.get(key);
  }

  /** Durable objects of a collection in order of key; with `prefix`, only keys that start with it. */
  list(collection: string, prefix?: string): readonly Stored<T>[] {
    const found = this.#collections.get(collection);
    return found === undefined ? [] : found.order.list(found.objects.values(), prefix);
  }

  /** Gives a write its revision. The caller stamps it on the object and passes both to `commit`. */
  nextRevision(): number {
    this.#revision += 1;
    return this.#revision;
  }

  /**
   * Writes (`stored`) or deletes (`stored` with `deleted`) one object. Must follow `nextRevision` in the same
   * turn, so that the log stays in order. Resolves when durable.
   */
  commit(stored: Stored<T>, deleted = false): Promise<void> {
    if (this.#closed) return Promise.reject(new Error('the store is closed'));
    const previous = this.latest(stored.key);
    const kept = new Kept(this.#codec, stored, stored.object);
    this.#uncommitted.set(stored.key, deleted ? null : kept);
    const type = deleted ? 'DELETED' : previous === undefined ? 'ADDED' : 'MODIFIED';
    return new Promise((resolve, reject) => {
      if (this.#queue.length === 0) setImmediate(() => this.#flush());
      this.#queue.push({
        row: { revision: stored.revision, key: stored.key, value: deleted ? null : stored.text },
        event: { type, revision: stored.revision, stored: kept, previous },
        resolve,
        reject,
      });
    });
  }

  /** Tells `listener` about every durable change of the collection; the returned function ends that. */
  subscribe(collection: string, listener: StoreListener<T>): () => void {
    const { listeners } = this.#collection(collection);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  /** Durable events after `revision`, or undefined when history does not reach back so far. */
  eventsAfter(collection: string, revision: number): readonly StoreEvent<T>[] | undefined {
    return this.#collection(collection).ring.after(revision);
  }

  /** Replaces what readers see of an object without a write: a schema changed, and with it the defaults. */
  reinterpret(stored: Stored<T>): void {
    const collection = this.#collection(collectionOf(stored.key));
    const kept = new Kept(this.#codec, stored, stored.object);
    if (collection.held) kept.hold();
    collection.objects.set(stored.key, kept);
    collection.order.put(kept);
  }

  /** For a collection whose values are known by identity: each stays the same one until it is written. */
  holdValues(name: string): void {
    const collection = this.#collection(name);
    if (collection.held) return;
    collection.held = true;
    for (const kept of collection.objects.values()) kept.hold();
    for (const { stored, previous } of collection.ring.after(collection.ring.oldest) ?? [])
      for (const kept of [stored, previous]) if (kept instanceof Kept) kept.hold();
  }

  close(): void {
    if (this.#closed) return;
    this.#flush();
    this.#closed = true;
    this.#log.close();
  }

  #load(row: LogRow): void {
    this.#revision = Math.max(this.#revision, row.revision);
    const collection = this.#collection(collectionOf(row.key));
    const previous = collection.objects.get(row.key);
    if (previous !== undefined) this.#replaced.push({ revision: previous.revision, by: row.revision });
    if (row.value === null) {
      this.#replaced.push({ revision: row.revision, by: row.revision });
      collection.objects.delete(row.key);
      if (previous === undefined) return;
      const { object, text } = this.#codec.deletedAt(previous.object, row.revision);
      collection.ring.push({
        type: 'DELETED',
        revision: row.revision,
        stored: new Kept(this.#codec, { key: row.key, revision: row.revision, text }, object),
        previous,
      });
      return;
    }
    const stored = new Kept(this.#codec, { key: row.key, revision: row.revision, text: row.value });
    collection.objects.set(row.key, stored);
    collection.ring.push({
      type: previous === undefined ? 'ADDED' : 'MODIFIED',
      revision: row.revision,
      stored,
      previous,
    });
  }

  #collection(name: string): Collection<T> {
    let found = this.#collections.get(name);
    if (found === undefined) {
      const { ringLimit: events, ringCharacters: characters } = this.#limits;
      const ring = new WatchRing<T>({ events, characters }, this.#compacted);
      found = { objects: new Map(), order: new KeyOrder(), ring, listeners: new Set(), held: false };
      this.#collections.set(name, found);
    }
    return found;
  }

  #flush(): void {
    const batch = this.#queue;
    if (batch.length === 0) return;
    this.#queue = [];
    try {
      this.#log.append(batch.map((write) => write.row));
    } catch (error) {
      for (const write of batch) {
        this.#uncommitted.delete(write.row.key);
        write.reject(error);
      }
      if (error instanceof LogBroken) {
        this.#closed = true;
        this.onBroken(error);
      }
      return;
    }
    const changed = new Map<Collection<T>, StoreEvent<T>[]>();
    for (const { row, event } of batch) {
      if (this.#uncommitted.get(row.key) === (row.value === null ? null : event.stored))
        this.#uncommitted.delete(row.key);
      const collection = this.#collection(collectionOf(row.key));
      this.#apply(collection, event);
      const events = changed.get(collection);
      if (events === undefined) changed.set(collection, [event]);
      else events.push(event);
    }
    this.#committedRevision = batch.at(-1)?.row.revision ?? this.#committedRevision;
    for (const write of batch) write.resolve();
    for (const [collection, events] of changed) for (const listener of collection.listeners) listener(events);
    if (this.#replaced.length > 2 * this.#limits.compactEvery) this.#compact();
  }

  #apply(collection: Collection<T>, event: KeptEvent<T>): void {
    const { stored, previous } = event;
    if (collection.held) stored.hold();
    if (previous !== undefined) this.#replaced.push({ revision: previous.revision, by: event.revision });
    if (event.type === 'DELETED') {
      this.#replaced.push({ revision: event.revision, by: event.revision });
      collection.objects.delete(stored.key);
      collection.order.delete(stored.key);
    } else {
      collection.objects.set(stored.key, stored);
      collection.order.put(stored);
    }
    collection.ring.push(event);
  }

  /**
   * Forgets history up to the write that replaced the last dropped row. What is left of each object is its
   * state then, so that every later event still knows what was before it.
   */
  #compact(): void {
    const drop = this.#replaced.slice(0, this.#limits.compactEvery);
    const upTo = drop.at(-1)?.by ?? this.#compacted;
    try {
      this.#log.compact(
        drop.map(({ revision }) => revision),
        upTo,
        this.#revision,
      );
    } catch {
      return; // a full disk: the rows stay, and the next writes try again
    }
    this.#replaced = this.#replaced.slice(drop.length);
    this.#compacted = upTo;
  }
}
