/** The body of a watch: JSON objects, one a line, without end. */
import { StatusError } from '@podvisor/base';
import type { KubernetesObject } from '@podvisor/api';

/** What a watch tells. A bookmark carries only a resourceVersion. */
export type WatchEvent<T extends KubernetesObject = KubernetesObject> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly object: KubernetesObject };

/** One event is at most this long; longer means that the peer is not an API server. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** Splits a byte stream into lines without copying more than once. Empty lines are skipped. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  for await (const bytes of chunks) {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const tail = chunk.subarray(start, end);
      const line = pending.length === 0 ? tail : Buffer.concat([...pending, tail]);
      pending = [];
      pendingBytes = 0;
      start = end + 1;
      if (line.length > 0) yield line.toString('utf8');
    }
    if (start === chunk.length) continue;
    pending.push(chunk.subarray(start));
    pendingBytes += chunk.length - start;
    if (pendingBytes > MAX_LINE_BYTES) {
      throw new StatusError('InternalError', `watch event is longer than ${MAX_LINE_BYTES} bytes`);
    }
  }
}

/** Reads one line of a watch. An ERROR event is thrown as the StatusError that it carries. */
export function parseWatchLine<T extends KubernetesObject>(line: string): WatchEvent<T> {
  const event = JSON.parse(line) as { type: string; object: unknown };
  switch (event.type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      return { type: event.type, object: event.object as T };
    case 'BOOKMARK':
      return { type: 'BOOKMARK', object: event.object as KubernetesObject };
    case 'ERROR':
      throw StatusError.fromBody(event.object, 500);
    default:
      throw new StatusError('InternalError', `watch sent an event of unknown type "${event.type}"`);
  }
}
