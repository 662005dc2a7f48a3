/**
 * GET with watch: the events of a collection as they become durable. The text of an event is made once for
 * all watchers that want the same form, the bytes of several events once for all that are sent the same. A
 * watcher that does not read is cut off, so that memory stays bounded.
 */
import { StatusError } from '@podvisor/base';
import type { Stored, StoreEvent } from '../../object-store.ts';
import type { VerbContext } from '../../core.ts';
import type { ResourceDefinition } from '../../registry/definition.ts';
import type { JsonObject, KubeObject } from '../../wire/json.ts';
import { checkProducible, negotiate } from '../../wire/negotiate.ts';
import { eventEncoder } from '../../wire/watch-encoding.ts';
import { sendEvents } from '../../wire/watch-parcel.ts';
import type { Answer } from '../answer.ts';
import { prepareConversion } from '../convert.ts';
import { queryRevision } from './get.ts';
import { listOptions } from './list-options.ts';
import { type Selection, selectionOf } from './select.ts';
import { type ApiResponse, isGone } from '../../wire/exchange.ts';

/** Bytes that may wait for a slow watcher. */
const MAX_BACKLOG = 64 * 1024 * 1024;
const BOOKMARK_MS = 60_000;
const DEFAULT_TIMEOUT_SECONDS = 1800;

export async function watch(context: VerbContext): Promise<Answer> {
  const options = listOptions(context, true);
  const selection = selectionOf(context);
  const revision = queryRevision(context);
  const { core, definition } = context;
  checkProducible(context.headers.accept, definition, 'collection');
  const form = negotiate(context.headers.accept, definition, true);
  const encode = eventEncoder(context, form);
  await prepareWatch(context, selection, revision);
  return {
    kind: 'stream',
    start: (response) => {
      response.writeHead(200, { 'content-type': form.streamType, 'cache-control': 'no-cache, private' });
      response.flushHeaders?.();
      const send = (type: string, stored: Stored): void => write(response, encode.event(type, stored));
      // A watch has no lists to give: such a stream stays empty.
      const passes = (stored: Stored | undefined): boolean =>
        form.as !== 'PartialObjectMetadataList' &&
        stored !== undefined &&
        (selection.prefix === undefined || stored.key.startsWith(selection.prefix)) &&
        selection.matches(stored.object);
      const everything = selection.everything && form.as !== 'PartialObjectMetadataList';
      const deliver = (events: readonly StoreEvent[]): void => {
        const encoded: Buffer[] = [];
        const add = (type: string, stored: Stored): void => void encoded.push(encode.event(type, stored));
        for (const event of events) {
          // A watch from a revision that is still to come starts there.
          if (revision !== undefined && event.revision <= revision) continue;
          if (selection.prefix !== undefined && !event.stored.key.startsWith(selection.prefix)) continue;
          deliverOne(event, passes, add, everything);
        }
        sendEvents(response, encoded);
      };
      const initial = options.sendInitialEvents === true || revision === undefined || revision === 0;
      let past: readonly StoreEvent[] | undefined = [];
      if (initial && options.sendInitialEvents !== false) {
        for (const stored of core.store.list(definition.collection, selection.prefix))
          if (passes(stored)) send('ADDED', stored);
        if (options.sendInitialEvents === true && options.allowBookmarks) {
          write(response, encode.bookmark(core.store.revision, true));
        }
      } else if (revision !== undefined && revision > 0) {
        past = core.store.eventsAfter(definition.collection, revision);
        if (
          past === undefined ||
          (revision < core.store.compactedRevision && revision < core.store.revision)
        ) {
          end(response, encode.error(expired(revision, core.store.compactedRevision)));
          return;
        }
        deliver(past);
      }
      follow(
        context,
        response,
        deliver,
        options.allowBookmarks ? () => encode.bookmark(core.store.revision, false) : undefined,
        options.timeoutSeconds,
      );
    },
  };
}

/** What a watch starts with must be ready before it starts. */
async function prepareWatch(
  { core, definition }: VerbContext,
  { prefix }: Selection,
  revision: number | undefined,
): Promise<void> {
  if (definition.conversion?.prepare === undefined) return;
  const present = core.store.list(definition.collection, prefix).map(({ object }) => object);
  const past = core.store.eventsAfter(definition.collection, revision ?? core.store.revision) ?? [];
  await prepareConversion(definition, [...present, ...objectsOf(past)], 'out');
}

function deliverOne(
  event: StoreEvent,
  passes: (stored: Stored | undefined) => boolean,
  send: (type: string, stored: Stored) => void,
  everything: boolean,
): void {
  if (everything) {
    send(event.type, event.stored);
    return;
  }
  const before = passes(event.previous);
  const now = event.type !== 'DELETED' && passes(event.stored);
  if (now) send(before ? 'MODIFIED' : 'ADDED', event.stored);
  else if (before && event.type === 'DELETED') send('DELETED', event.stored);
  // The object left the selection: its last selected state, with the revision of the change.
  else if (before && event.previous !== undefined) send('DELETED', leaving(event.previous, event.revision));
}

function leaving(previous: Stored, revision: number): Stored {
  const object = {
    ...previous.object,
    metadata: { ...previous.object.metadata, resourceVersion: String(revision) },
  };
  return { ...previous, revision, object, text: '' };
}

/** Events that a webhook converts first, one bunch after the other. A watch that cannot be converted ends. */
function inTurn(
  definition: ResourceDefinition,
  response: ApiResponse,
  pass: (events: readonly StoreEvent[]) => void,
): (events: readonly StoreEvent[]) => void {
  let turn = Promise.resolve();
  return (events) => {
    turn = turn
      .then(() => prepareConversion(definition, objectsOf(events), 'out'))
      .then(() => {
        if (!isGone(response)) pass(events);
      })
      .catch(() => void response.destroy());
  };
}

function objectsOf(events: readonly StoreEvent[]): KubeObject[] {
  return events.flatMap(({ stored, previous }) =>
    previous === undefined ? [stored.object] : [stored.object, previous.object],
  );
}

function follow(
  { core, definition, signal }: VerbContext,
  response: ApiResponse,
  deliver: (events: readonly StoreEvent[]) => void,
  bookmark: (() => Buffer) | undefined,
  timeoutSeconds: number | undefined,
): void {
  const pass = (events: readonly StoreEvent[]): void => {
    deliver(events);
    if (response.writableLength > MAX_BACKLOG) response.destroy();
  };
  const unsubscribe = core.store.subscribe(
    definition.collection,
    definition.conversion?.prepare === undefined ? pass : inTurn(definition, response, pass),
  );
  const seconds =
    timeoutSeconds === undefined || timeoutSeconds === 0
      ? DEFAULT_TIMEOUT_SECONDS * (1 + Math.random())
      : timeoutSeconds;
  const cancelTimeout = core.clock.after(seconds * 1000, () => finish());
  const timer =
    bookmark === undefined ? undefined : setInterval(() => write(response, bookmark()), BOOKMARK_MS);
  timer?.unref();
  const stop = (): void => {
    unsubscribe();
    cancelTimeout();
    clearInterval(timer);
  };
  // Nothing is written after the end, however long the client takes to read what came before it.
  const finish = (): void => {
    stop();
    response.end();
  };
  response.once('close', stop);
  signal.addEventListener('abort', finish, { once: true });
}

/** A watch that was ended is closed only when its client has read the rest; until then nothing more is said. */
function write(response: ApiResponse, data: Buffer): void {
  if (!response.writableEnded) response.write(data);
}

function end(response: ApiResponse, data: Buffer): void {
  response.end(data);
}

function expired(revision: number, oldest: number): JsonObject {
  return {
    ...new StatusError('Expired', `too old resource version: ${revision} (${oldest})`).toBody(),
  } as unknown as JsonObject;
}
