/** Writers, readers and watchers of a handful of ConfigMaps; each notes what it did and saw. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient, ReplyBody } from './api-client.ts';
import type { ListRead, Outcome, Seen, WatchEvent, WatchRun, Write } from './history.ts';

const NAMESPACE = 'default';
const PATH = `/api/v1/namespaces/${NAMESPACE}/configmaps`;
/** Few keys, so that writers meet. */
const KEYS = 12;
/** While the server is away. */
const RETRY_MS = 20;
/** Answers that say for certain that nothing was done. */
const REFUSALS = [400, 403, 404, 409, 422, 429, 503];

export type Random = () => number;

export interface ClientContext {
  readonly client: ApiClient;
  readonly random: Random;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** Writes until told to stop: creates what it thinks is not there, updates or deletes what it knows. */
export async function runWriter(writer: number, context: ClientContext): Promise<readonly Write[]> {
  const { random, signal } = context;
  const writes: Write[] = [];
  const known = new Map<string, number>();
  for (let i = 0; !signal.aborted; i += 1) {
    const key = `key-${Math.floor(random() * KEYS)}`;
    const expects = known.get(key);
    const verb = expects === undefined ? 'create' : random() < 0.2 ? 'delete' : 'update';
    const write = await writeOnce({ key, verb, value: `${writer}-${i}`, expects }, context);
    writes.push(write);
    const { outcome } = write;
    if (outcome.kind === 'done' && outcome.revision !== undefined) known.set(key, outcome.revision);
    else if (outcome.kind === 'done') known.delete(key);
    else {
      // Somebody else was faster, or nobody knows: look.
      const found = await context.client.send('GET', `${PATH}/${key}`).catch(() => undefined);
      if (found?.code === 200) known.set(key, Number(found.body.metadata?.resourceVersion));
      else known.delete(key);
      if (outcome.kind === 'unknown' || outcome.code === 503) await sleep(RETRY_MS);
    }
  }
  return writes;
}

async function writeOnce(
  want: {
    readonly key: string;
    readonly verb: Write['verb'];
    readonly value: string;
    readonly expects: number | undefined;
  },
  { client, now }: ClientContext,
): Promise<Write> {
  const { key, verb, value, expects } = want;
  const revision = expects === undefined ? {} : { resourceVersion: String(expects) };
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: key, ...revision },
    data: { value },
  };
  const startedAt = now();
  const reply = await (verb === 'create'
    ? client.send('POST', PATH, object)
    : verb === 'update'
      ? client.send('PUT', `${PATH}/${key}`, object)
      : client.send('DELETE', `${PATH}/${key}`, { preconditions: revision })
  ).catch(() => undefined);
  const outcome = outcomeOf(reply?.code, verb === 'delete' ? undefined : reply?.body);
  return {
    key,
    verb,
    value,
    startedAt,
    endedAt: now(),
    outcome,
    ...(expects === undefined ? {} : { expects }),
  };
}

function outcomeOf(code: number | undefined, body: ReplyBody | undefined): Outcome {
  if (code === 200 || code === 201)
    return body === undefined
      ? { kind: 'done' }
      : { kind: 'done', revision: Number(body.metadata?.resourceVersion) };
  return code !== undefined && REFUSALS.includes(code) ? { kind: 'refused', code } : { kind: 'unknown' };
}

/** Lists again and again, page by page. */
export async function runLister({
  client,
  now,
  random,
  signal,
}: ClientContext): Promise<readonly ListRead[]> {
  const lists: ListRead[] = [];
  while (!signal.aborted) {
    const list = await readList(client, now, 1 + Math.floor(random() * KEYS)).catch(() => undefined);
    if (list !== undefined) lists.push(list);
    await sleep(RETRY_MS);
  }
  return lists;
}

/** One consistent list; undefined when its pages expired on the way. */
async function readList(client: ApiClient, now: () => number, limit?: number): Promise<ListRead | undefined> {
  const startedAt = now();
  const items: Seen[] = [];
  let from = '';
  for (;;) {
    const query =
      limit === undefined
        ? ''
        : `?limit=${limit}${from === '' ? '' : `&continue=${encodeURIComponent(from)}`}`;
    const { code, body } = await client.send('GET', `${PATH}${query}`);
    if (code !== 200) return undefined;
    items.push(...(body.items ?? []).map(seenOf).filter(isOurs));
    from = body.metadata?.continue ?? '';
    if (from === '')
      return { startedAt, endedAt: now(), revision: Number(body.metadata?.resourceVersion), items };
  }
}

export interface WatcherOptions {
  readonly watcher: number;
  /** Sometimes goes away for this long before it resumes, so that history is forgotten meanwhile. */
  readonly napsMs?: number;
}

export interface WatcherContext extends ClientContext {
  /** The revision to hear of before the end; beyond every revision until `lastKnown`. */
  readonly last: () => number;
  readonly lastKnown: AbortSignal;
  readonly deadline: AbortSignal;
}

/**
 * Lists, then watches, resuming after every end; lists again only when the server says that history is gone.
 * Goes on after `signal` until it has heard of `last()`, or `deadline` ends it.
 */
export async function runWatcher(
  { watcher, napsMs = 0 }: WatcherOptions,
  context: WatcherContext,
): Promise<readonly WatchRun[]> {
  const { client, now, random, signal, last, lastKnown, deadline } = context;
  const runs: WatchRun[] = [];
  while (!deadline.aborted) {
    const start = await readList(client, now).catch(() => undefined);
    if (start === undefined) {
      await sleep(RETRY_MS);
      continue;
    }
    const events: WatchEvent[] = [];
    let upTo = start.revision;
    let isGone = false;
    const isDone = (): boolean => upTo >= last();
    while (!isGone && !isDone() && !deadline.aborted) {
      const path = `${PATH}?watch=1&resourceVersion=${upTo}&allowWatchBookmarks=true`;
      const nap = new AbortController();
      // Its event may have been told before anybody knew that it is the last: then no other comes.
      const ends = lastKnown.aborted ? [nap.signal, deadline] : [nap.signal, deadline, lastKnown];
      try {
        for await (const { type, object } of client.watch(path, AbortSignal.any(ends))) {
          if (type === 'ERROR') {
            isGone = object.code === 410;
            break;
          }
          const revision = Number(object.metadata?.resourceVersion);
          const seen = seenOf(object);
          if (type !== 'BOOKMARK' && isOurs(seen)) events.push({ ...seen, type: type as WatchEvent['type'] });
          upTo = revision;
          if (isDone()) break;
          if (napsMs > 0 && random() < 0.01) break;
        }
      } catch {
        // the server went away, or the deadline came
      } finally {
        nap.abort();
      }
      await sleep(napsMs > 0 && !signal.aborted ? napsMs : RETRY_MS);
    }
    runs.push({ watcher, start, events, upTo });
    if (isDone()) return runs;
  }
  return runs;
}

function seenOf({ metadata, data }: ReplyBody): Seen {
  return {
    key: metadata?.name ?? '',
    revision: Number(metadata?.resourceVersion),
    value: data?.['value'] ?? '',
  };
}

/** Other ConfigMaps of the namespace are not ours to judge. */
function isOurs({ key }: Seen): boolean {
  return key.startsWith('key-');
}
