/**
 * List, then watch, for ever. Promises:
 * - `onReplace` gets complete lists only: a list that failed changes nothing, so nobody ever hears "deleted"
 *   because the server was away (unknown is not gone).
 * - After a disconnect the watch goes on where it stopped; only when the server no longer knows that
 *   version (410, or a version from its future after a restore) is everything listed again.
 * - A watch that is silent for `silenceMs` is taken for dead and opened again.
 * - Events that are not newer than the last one seen are dropped: duplicates never reach the store.
 */
import type { KubernetesObject } from '@podvisor/api';
import { type BackoffOptions, backoffMs, type Clock, sleep, StatusError } from '@podvisor/base';
import type { ListOptions, ObjectList, WatchOptions } from '../client/client-options.ts';
import { type Log, tellTrouble } from '../log.ts';
import type { Resource } from '../client/resource.ts';
import type { WatchEvent } from '../client/watch-stream.ts';

/** What the reflector needs of a client. */
export interface ListWatcher {
  list<T extends KubernetesObject>(
    resource: Resource<T>,
    options: ListOptions,
    signal?: AbortSignal,
  ): Promise<ObjectList<T>>;
  watch<T extends KubernetesObject>(
    resource: Resource<T>,
    options: WatchOptions,
    signal?: AbortSignal,
  ): AsyncIterable<WatchEvent<T>>;
}

export interface ReflectorOptions<T extends KubernetesObject> {
  readonly client: ListWatcher;
  readonly resource: Resource<T>;
  readonly select: {
    readonly namespace?: string;
    readonly labelSelector?: string;
    readonly fieldSelector?: string;
  };
  /** Ask for the initial state as a stream of events; falls back to a list where it is not known. */
  readonly watchList: boolean;
  readonly silenceMs: number;
  readonly backoff: BackoffOptions;
  readonly clock: Clock;
  readonly log: Log;
  readonly onReplace: (objects: readonly T[]) => void;
  readonly onEvent: (event: WatchEvent<T> & { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' }) => void;
}

const WATCH_TIMEOUT_SECONDS = 300;
const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

export class Reflector<T extends KubernetesObject> {
  readonly #options: ReflectorOptions<T>;
  #version: string | undefined;
  #failures = 0;
  #watchList: boolean;

  constructor(options: ReflectorOptions<T>) {
    this.#options = options;
    this.#watchList = options.watchList;
  }

  /** Runs until the signal ends it. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        if (this.#version === undefined && !this.#watchList) await this.#list(signal);
        await this.#watch(signal);
      } catch (error) {
        if (signal.aborted) return;
        await this.#recover(error, signal);
      }
    }
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { client, resource, select, onReplace } = this.#options;
    const list = await client.list(resource, select, signal);
    onReplace(list.items);
    this.#version = list.metadata.resourceVersion ?? '';
    this.#failures = 0;
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const silence = new Silence(this.#options.clock, this.#options.silenceMs, signal);
    try {
      if (this.#version === undefined) await this.#watchFromStart(silence);
      else await this.#consume(this.#open({ resourceVersion: this.#version }, silence), silence);
    } catch (error) {
      // We closed it ourselves: go on from the version we have, at once.
      if (!silence.expired) throw error;
      this.#options.log.info({ resource: this.#options.resource.plural }, 'watch was silent, opened again');
    } finally {
      silence.stop();
    }
  }

  #open(options: WatchOptions, silence: Silence): AsyncIterable<WatchEvent<T>> {
    const { client, resource, select } = this.#options;
    return client.watch(
      resource,
      // Spread the ends of watches, so that a restarted server is not met by all informers at once.
      {
        ...select,
        allowWatchBookmarks: true,
        timeoutSeconds: Math.round(WATCH_TIMEOUT_SECONDS * (1 + Math.random())),
        ...options,
      },
      silence.signal,
    );
  }

  async #consume(events: AsyncIterable<WatchEvent<T>>, silence: Silence): Promise<void> {
    const openedAt = this.#options.clock.elapsed();
    let seen = 0;
    for await (const event of events) {
      silence.heard();
      seen += 1;
      this.#failures = 0;
      this.#take(event);
    }
    // A server that closes watches at once (restarting, overloaded) must not be hammered.
    if (seen === 0 && this.#options.clock.elapsed() - openedAt < 1000) throw new WatchEndedEarly();
  }

  #take(event: WatchEvent<T>): void {
    const version = event.object.metadata?.resourceVersion;
    if (event.type !== 'BOOKMARK') {
      if (!isNewer(version, this.#version)) return;
      this.#options.onEvent(event);
    }
    if (version !== undefined) this.#version = version;
  }

  /** The streaming list: objects come as ADDED events until a marked bookmark. */
  async #watchFromStart(silence: Silence): Promise<void> {
    const events = this.#open({ sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' }, silence);
    const initial: T[] = [];
    const iterator = events[Symbol.asyncIterator]();
    try {
      for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
        silence.heard();
        const event = next.value;
        if (event.type === 'BOOKMARK') {
          if (event.object.metadata?.annotations?.[INITIAL_EVENTS_END] !== 'true') continue;
          this.#options.onReplace(initial);
          this.#version = event.object.metadata.resourceVersion ?? '';
          this.#failures = 0;
          await this.#consume({ [Symbol.asyncIterator]: () => iterator }, silence);
          return;
        }
        if (event.type !== 'DELETED') initial.push(event.object);
      }
    } finally {
      await iterator.return?.();
    }
    throw new WatchEndedEarly();
  }

  async #recover(error: unknown, signal: AbortSignal): Promise<void> {
    const { clock, backoff, log, resource } = this.#options;
    if (error instanceof StatusError) {
      if (this.#watchList && this.#version === undefined && (error.code === 400 || error.code === 422)) {
        this.#watchList = false;
        return;
      }
      if (mustRelist(error) && this.#version !== undefined) {
        this.#version = undefined;
        // The first relist is at once; a server that answers 410 to a fresh list is waited for.
        if (this.#failures === 0) {
          this.#failures = 1;
          return;
        }
      }
    }
    this.#failures += 1;
    const delayMs = backoffMs(this.#failures, backoff) * (0.8 + 0.4 * Math.random());
    if (this.#failures > 2) {
      tellTrouble(log, error, {
        fields: { resource: resource.plural, failures: this.#failures },
        message: 'list or watch failed, trying again',
      });
    }
    try {
      await sleep(clock, delayMs, signal);
    } catch {
      // The signal ended the wait; the loop sees it.
    }
  }
}

class WatchEndedEarly extends Error {
  constructor() {
    super('the server ended the watch at once');
  }
}

/** The version we hold is of no use to this server: too old, or from a future it does not know. */
function mustRelist(error: StatusError): boolean {
  if (error.code === 410 || error.reason === 'Expired' || error.reason === 'Gone') return true;
  if (error.details?.causes?.some((cause) => cause.reason === 'ResourceVersionTooLarge') === true)
    return true;
  return error.code === 400 || error.code === 422;
}

/** Versions are ordered integers in Kubernetes; anything else counts as newer. */
function isNewer(version: string | undefined, than: string | undefined): boolean {
  if (version === undefined || than === undefined || !/^\d+$/.test(version) || !/^\d+$/.test(than))
    return true;
  return version.length === than.length ? version > than : version.length > than.length;
}

/** Ends its signal when nothing was heard for a while, or when the outer signal ends. */
class Silence {
  readonly #clock: Clock;
  readonly #limitMs: number;
  readonly #abort = new AbortController();
  readonly #outer: AbortSignal;
  readonly #onOuter = (): void => this.#abort.abort(this.#outer.reason);
  #lastHeard: number;
  #cancel: () => void = () => undefined;
  expired = false;

  constructor(clock: Clock, limitMs: number, outer: AbortSignal) {
    this.#clock = clock;
    this.#limitMs = limitMs;
    this.#outer = outer;
    this.#lastHeard = clock.elapsed();
    if (outer.aborted) this.#onOuter();
    else outer.addEventListener('abort', this.#onOuter, { once: true });
    this.#arm(limitMs);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  heard(): void {
    this.#lastHeard = this.#clock.elapsed();
  }

  stop(): void {
    this.#cancel();
    this.#outer.removeEventListener('abort', this.#onOuter);
  }

  /** One timer, moved on when it fires: hearing an event costs nothing. */
  #arm(ms: number): void {
    this.#cancel = this.#clock.after(ms, () => {
      const leftMs = this.#lastHeard + this.#limitMs - this.#clock.elapsed();
      if (leftMs > 0) return this.#arm(leftMs);
      this.expired = true;
      this.#abort.abort(new Error(`nothing heard for ${this.#limitMs} ms`));
    });
  }
}
