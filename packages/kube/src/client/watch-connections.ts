/**
 * All watches of a client over one HTTP/2 connection, where the server speaks it: Kubernetes' does, and so does ours. A
 * component watches some forty kinds; with a connection each, TLS, buffers and parsers for them were 6 MiB in the two
 * processes together.
 *
 * A watch that nobody reads holds up no other: the connection takes as many bytes as all its streams may have unread.
 * When the connection is lost all its watches end with an error, as they would one by one. The server may send a
 * connection away (GOAWAY), and credentials may change: watches that run stay where they are, new ones get a new one.
 */
import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders } from 'node:http2';
import type { Readable } from 'node:stream';
import type { TLSSocket } from 'node:tls';

/** On one connection. What every server of Kubernetes takes; one that takes fewer is not asked for more. */
const MAX_STREAMS = 100;
/** What the server may send of a stream before it is read: a list of thousands must not wait for us at every 64 KiB. */
const STREAM_WINDOW_BYTES = 512 * 1024;
/** Node refuses new streams to a connection that holds more: all that may be unread, and some for itself. */
const CONNECTION_MEGABYTES = 64;
/** RFC 9113, section 7. */
const CANCEL = 8;

export interface StreamedAnswer {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  /** To be read, or destroyed. */
  readonly body: Readable & { text(): Promise<string> };
}

export interface WatchRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface WatchConnectionsOptions {
  /** Opens a connection with TLS that offers HTTP/2. */
  readonly connect: (origin: URL) => Promise<TLSSocket>;
  /** Until the server begins to answer. */
  readonly answerWithinMs: number;
}

interface Connection {
  readonly origin: string;
  /** Whose connection it is: another one is opened for others. */
  readonly owner: unknown;
  /** Undefined: the server does not speak HTTP/2. */
  readonly session: Promise<ClientHttp2Session | undefined>;
  /** Of the server, once it has told; ours until then. */
  maxStreams: number;
  /** Watches that are on it or wait for it, and those that are on it. */
  taken: number;
  streams: number;
  isGone: boolean;
}

export class WatchConnections {
  readonly #options: WatchConnectionsOptions;
  readonly #open = new Set<Connection>();
  /** Servers that do not speak HTTP/2. */
  readonly #older = new Set<string>();
  #isClosed = false;

  constructor(options: WatchConnectionsOptions) {
    this.#options = options;
  }

  /** Undefined: the server does not speak HTTP/2, ask it in another way. `owner`: the credentials, compared by identity. */
  async send(
    server: URL,
    owner: unknown,
    request: WatchRequest,
    signal?: AbortSignal,
  ): Promise<StreamedAnswer | undefined> {
    if (server.protocol !== 'https:' || this.#older.has(server.origin)) return undefined;
    const connection = this.#connectionFor(server, owner);
    connection.taken += 1;
    let stream: ClientHttp2Stream | undefined;
    try {
      const session = await connection.session;
      signal?.throwIfAborted();
      if (session === undefined) this.#older.add(server.origin);
      else if (!connection.isGone && connection.streams < connection.maxStreams) {
        session.ref();
        stream = session.request({ ...request.headers, ':method': 'GET', ':path': request.path });
      }
    } finally {
      if (stream === undefined) this.#release(connection);
    }
    // It went meanwhile, its server takes fewer than was thought when this began to wait, or speaks no HTTP/2.
    if (stream === undefined) return await this.send(server, owner, request, signal);
    connection.streams += 1;
    stream.once('close', () => {
      connection.streams -= 1;
      this.#release(connection);
    });
    return await answerOf(stream, this.#options.answerWithinMs, signal);
  }

  /** Watches that are under way fail. */
  async destroy(): Promise<void> {
    this.#isClosed = true;
    const all = [...this.#open];
    this.#open.clear();
    for (const { session } of all)
      await session.then(
        (opened) => opened?.destroy(),
        () => {}, // whoever waited for it was told
      );
  }

  #connectionFor(server: URL, owner: unknown): Connection {
    const { origin } = server;
    for (const one of this.#open) {
      const isCurrent = one.origin === origin && one.owner === owner;
      if (isCurrent && !one.isGone && one.taken < one.maxStreams) return one;
      // It ends when the last of its watches has ended.
      if (!isCurrent) this.#retire(one);
    }
    const connection: Connection = {
      ...{ origin, owner, taken: 0, streams: 0, maxStreams: MAX_STREAMS, isGone: false },
      session: this.#begin(server, () => connection),
    };
    this.#open.add(connection);
    connection.session.catch(() => this.#open.delete(connection));
    return connection;
  }

  async #begin(server: URL, self: () => Connection): Promise<ClientHttp2Session | undefined> {
    const [{ connect }, socket] = await Promise.all([import('node:http2'), this.#options.connect(server)]);
    if (socket.alpnProtocol !== 'h2' || this.#isClosed) {
      socket.destroy();
      if (this.#isClosed) throw new Error(`the client of ${server.origin} was closed`);
      return undefined;
    }
    const session = connect(server.origin, {
      settings: { initialWindowSize: STREAM_WINDOW_BYTES },
      maxSessionMemory: CONNECTION_MEGABYTES,
      createConnection: () => socket,
    });
    const connection = self();
    // Each of its streams tells its own error.
    session.on('error', () => {});
    session.once('goaway', () => this.#retire(connection));
    session.once('close', () => this.#retire(connection));
    await new Promise<void>((resolve, reject) => {
      session.once('remoteSettings', ({ maxConcurrentStreams = MAX_STREAMS }) => {
        connection.maxStreams = Math.max(1, Math.min(MAX_STREAMS, maxConcurrentStreams));
        resolve();
      });
      session.once('close', () => reject(new Error(`${server.origin} did not begin to speak HTTP/2`)));
      // A server that stands still takes connections all the same.
      const timer = setTimeout(() => session.destroy(), this.#options.answerWithinMs);
      session.once('remoteSettings', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
    });
    session.setLocalWindowSize(MAX_STREAMS * STREAM_WINDOW_BYTES);
    return session;
  }

  /** No new watches on it. */
  #retire(connection: Connection): void {
    connection.isGone = true;
    this.#open.delete(connection);
    // An error of it was told to whoever waited for it. `close` lets streams come to their end.
    void connection.session.then(
      (session) => session?.close(),
      () => {},
    );
  }

  /** An idle connection does not keep the process. */
  #release(connection: Connection): void {
    connection.taken -= 1;
    if (connection.taken > 0) return;
    void connection.session.then(
      (session) => session?.unref(),
      () => {},
    );
  }
}

/** Rejects with the signal's reason when it ends first; afterwards the signal ends the body. */
function answerOf(
  stream: ClientHttp2Stream,
  withinMs: number,
  signal: AbortSignal | undefined,
): Promise<StreamedAnswer> {
  return new Promise((resolve, reject) => {
    const stop = (reason: unknown): void => {
      reject(reason);
      stream.close(CANCEL);
      stream.destroy(reason instanceof Error ? reason : new Error(String(reason)));
    };
    const onAbort = (): void => stop(signal?.reason);
    const timer = setTimeout(() => stop(new Error(`no answer within ${withinMs / 1000} s`)), withinMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    // Whoever reads the body is told, too.
    stream.on('error', reject);
    stream.once('close', () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      reject(new Error('the connection was closed before the answer'));
    });
    stream.once('response', (headers) => {
      clearTimeout(timer);
      const body = Object.assign(stream, { text: () => textOf(stream) });
      resolve({ statusCode: headers[':status'] ?? 0, headers, body });
    });
    if (signal?.aborted === true) onAbort();
  });
}

async function textOf(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
