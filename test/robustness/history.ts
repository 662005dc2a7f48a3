/** What the clients of an API server did and saw. Times are milliseconds of one clock, revisions are numbers. */

/** How a request ended for the client that sent it. */
export type Outcome =
  /** Acknowledged. A deletion does not tell its revision. */
  | { readonly kind: 'done'; readonly revision?: number }
  /** The server said that it did nothing. */
  | { readonly kind: 'refused'; readonly code: number }
  /** No answer, or one that leaves it open. */
  | { readonly kind: 'unknown' };

export interface Write {
  readonly key: string;
  readonly verb: 'create' | 'update' | 'delete';
  /** What the object carries after this write; no two writes have the same. */
  readonly value: string;
  /** The revision that update and delete insist on. */
  readonly expects?: number;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly outcome: Outcome;
}

/** An object as a client saw it. */
export interface Seen {
  readonly key: string;
  readonly revision: number;
  readonly value: string;
}

export interface ListRead {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly revision: number;
  readonly items: readonly Seen[];
}

export interface WatchEvent extends Seen {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
}

/** What a watcher saw from one list to the next; in between it resumes where it was. */
export interface WatchRun {
  readonly watcher: number;
  readonly start: ListRead;
  readonly events: readonly WatchEvent[];
  /** Everything up to this revision was told. */
  readonly upTo: number;
}

export interface History {
  readonly writes: readonly Write[];
  readonly lists: readonly ListRead[];
  readonly watches: readonly WatchRun[];
}
