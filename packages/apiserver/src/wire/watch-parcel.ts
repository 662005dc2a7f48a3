/**
 * The events that one watcher is sent in one turn, as one piece of bytes. Most watchers of a collection are sent the
 * same ones: the piece is put together, and framed as a chunk of HTTP/1.1, once for all of them. Written as single
 * events through Node's response, each watcher would cost as much again as encrypting them.
 */
import { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ApiResponse } from './exchange.ts';

interface Parcel {
  readonly events: readonly Buffer[];
  readonly whole: Buffer;
  chunk?: Buffer;
}

/** Parcels of this turn of the event loop, by their first event. */
let parcels = new Map<Buffer, Parcel[]>();

/** Sends encoded events. A watch that was ended is sent nothing more. */
export function sendEvents(response: ApiResponse, events: readonly Buffer[]): void {
  const [first] = events;
  if (first === undefined || response.writableEnded) return;
  const parcel = parcelOf(first, events);
  const socket = rawSocketOf(response);
  if (socket === undefined) response.write(parcel.whole);
  else socket.write((parcel.chunk ??= chunkOf(parcel.whole)));
}

function parcelOf(first: Buffer, events: readonly Buffer[]): Parcel {
  if (parcels.size === 0)
    setImmediate(() => {
      parcels = new Map();
    });
  let same = parcels.get(first);
  if (same === undefined) parcels.set(first, (same = []));
  let parcel = same.find((other) => isSame(other.events, events));
  if (parcel === undefined)
    same.push((parcel = { events, whole: events.length === 1 ? first : Buffer.concat(events) }));
  return parcel;
}

/** The very same events; what they say need not be compared. */
function isSame(a: readonly Buffer[], b: readonly Buffer[]): boolean {
  return a.length === b.length && a.every((event, i) => event === b[i]);
}

/** The connection, where all that was said before has been handed to it and what follows is chunked. */
function rawSocketOf(response: ApiResponse): Socket | undefined {
  if (!(response instanceof ServerResponse) || !response.chunkedEncoding || !response.headersSent)
    return undefined;
  const { socket } = response;
  // What Node holds back itself must go first.
  if (socket === null || !socket.writable || response.writableLength > socket.writableLength)
    return undefined;
  return socket;
}

function chunkOf(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}
