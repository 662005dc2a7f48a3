/**
 * All objects of a kind, followed: listed once, then told by a watch. When the watch ends it goes on where it was; when
 * the server has forgotten that place, it lists again. Who may list but not watch gets a new list now and then. Whoever
 * looks is told when what is shown may be old.
 */
import type { KubernetesObject } from '@podvisor/api';
import { Lines } from './lines.ts';
import { Refusal } from './refusal.ts';
import { readJson } from './requests.ts';
import { heardCode, sessionMark } from './session.ts';
import { watchPieces } from './watch-socket.ts';
import { connectionText } from '../texts/common.ts';

export interface Snapshot<T> {
  readonly items: ReadonlyMap<string, T>;
  /** `live`: as the server has it. `behind`: the connection is lost, and the page tries to get it back. */
  readonly state: 'loading' | 'live' | 'behind' | 'forbidden';
  /** Why it is not live. */
  readonly problem?: string;
}

interface ListBody<T> {
  readonly metadata: { readonly resourceVersion?: string };
  readonly items: readonly T[];
}

interface WatchLine<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: T & { readonly code?: number; readonly message?: string };
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;
const LIST_AGAIN_MS = 5_000;
const GONE = 410;

export class Collection<T extends KubernetesObject> {
  readonly #path: string;
  readonly #listeners = new Set<() => void>();
  #items = new Map<string, T>();
  #snapshot: Snapshot<T> = { items: new Map(), state: 'loading' };
  #stop: AbortController | undefined;
  #isTelling = false;

  constructor(path: string) {
    this.#path = path;
  }

  get snapshot(): Snapshot<T> {
    return this.#snapshot;
  }

  /** Follows as long as anybody listens. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    if (this.#stop === undefined) {
      this.#stop = new AbortController();
      void this.#follow(this.#stop.signal);
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#stop?.abort();
      this.#stop = undefined;
    };
  }

  async #follow(signal: AbortSignal): Promise<void> {
    let wait = FIRST_WAIT_MS;
    let from: string | undefined;
    while (!signal.aborted) {
      try {
        from ??= await this.#list(signal);
        this.#become('live');
        wait = FIRST_WAIT_MS;
        from = await this.#watch(from, signal);
        continue;
      } catch (error) {
        if (signal.aborted) return;
        if (from !== undefined && isForbidden(error)) {
          from = undefined;
          await new Promise((resolve) => setTimeout(resolve, LIST_AGAIN_MS));
          continue;
        }
        if (error instanceof Refusal && error.code === GONE) {
          from = undefined;
          continue;
        }
        this.#become(
          isForbidden(error) ? 'forbidden' : 'behind',
          error instanceof Error ? error.message : '',
        );
      }
      await new Promise((resolve) => setTimeout(resolve, wait));
      wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    }
  }

  async #list(signal: AbortSignal): Promise<string> {
    const { metadata, items } = await readJson<ListBody<T>>(this.#path, signal);
    this.#items = new Map(items.map((item) => [keyOf(item), item]));
    return metadata.resourceVersion ?? '0';
  }

  /** Resolves with the revision to go on from when the watch ends. */
  async #watch(from: string, signal: AbortSignal): Promise<string> {
    const path = `${this.#path}?watch=1&allowWatchBookmarks=true&resourceVersion=${encodeURIComponent(from)}`;
    const lines = new Lines();
    const mark = sessionMark();
    let at = from;
    for await (const piece of watchPieces(path, signal)) {
      for (const line of lines.push(piece)) {
        const { type, object } = JSON.parse(line) as WatchLine<T>;
        if (type === 'ERROR') throw refusedWatch(object, mark);
        at = object.metadata?.resourceVersion ?? at;
        if (type === 'BOOKMARK') continue;
        if (type === 'DELETED') this.#items.delete(keyOf(object));
        else this.#items.set(keyOf(object), object);
      }
      this.#become('live');
    }
    return at;
  }

  /** Many events in one frame are drawn once. */
  #become(state: Snapshot<T>['state'], problem?: string): void {
    this.#snapshot = { items: this.#items, state, ...(problem === undefined ? {} : { problem }) };
    if (this.#isTelling) return;
    this.#isTelling = true;
    requestAnimationFrame(() => {
      this.#isTelling = false;
      // A new map, so that whoever compares sees the change.
      this.#snapshot = { ...this.#snapshot, items: new Map(this.#items) };
      for (const listener of this.#listeners) listener();
    });
  }
}

function refusedWatch(
  { code = 500, message = connectionText.watchFailed }: WatchLine<object>['object'],
  mark: number,
): Refusal {
  heardCode(code, message, mark);
  return new Refusal(code, message);
}

function isForbidden(error: unknown): boolean {
  return error instanceof Refusal && error.code === 403;
}

export function keyOf({ metadata }: KubernetesObject): string {
  return `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
}
