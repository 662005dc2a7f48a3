/**
 * HTTP/2 for the clients that choose it in the TLS handshake (ALPN `h2`); all others, and everything that upgrades
 * its connection, stay with HTTP/1.1. One connection carries many requests, each a stream with its own flow control
 * and end: a watch that is given up costs its stream and nothing else. Limits hold for a connection as a whole
 * (streams, memory, resets) and for each request (headers, time of the body); nghttp2 enforces flow control, and
 * ends connections that reset or ping without measure. Promises that an idle or dead connection does not stay open.
 */
import { constants, createServer, type Http2Server, type ServerHttp2Session } from 'node:http2';
import type { Server } from 'node:https';
import type { TLSSocket } from 'node:tls';
import type { Clock } from '@podvisor/base';
import type { ServerLimits } from './limits/server-limits.ts';
import { type ApiRequest, type ApiResponse, hasBody } from './wire/exchange.ts';

/** Groups of `Impersonate-Group` are headers of their own. */
const MAX_HEADERS = 1_000;
/** What one connection may have waiting to be sent; no new streams beyond it. The longest list fits. */
const SESSION_MEGABYTES = 128;
/** Resets by the client: so many at once, and so many a second for ever (CVE-2023-44487). */
const RESETS = { burst: 1_000, perSecond: 33 };
/** For the answers that are under way when the server ends. */
const CLOSING_MS = 500;

export interface Http2SessionsParts {
  readonly limits: ServerLimits;
  readonly clock: Clock;
  handle(request: ApiRequest, response: ApiResponse): void;
}

export class Http2Sessions {
  readonly #parts: Http2SessionsParts;
  readonly #server: Http2Server;
  readonly #open = new Set<ServerHttp2Session>();

  constructor(parts: Http2SessionsParts) {
    this.#parts = parts;
    const { streamsPerConnection, headerBytes, bodyMs } = parts.limits;
    this.#server = createServer(
      {
        settings: { maxConcurrentStreams: streamsPerConnection, maxHeaderListSize: headerBytes },
        maxHeaderListPairs: MAX_HEADERS,
        maxSessionMemory: SESSION_MEGABYTES,
        streamResetBurst: RESETS.burst,
        streamResetRate: RESETS.perSecond,
      },
      (request, response) => {
        if (hasBody(request)) {
          const { stream } = request;
          const cancel = parts.clock.after(bodyMs, () => stream.close(constants.NGHTTP2_CANCEL));
          stream.once('end', cancel).once('close', cancel);
        }
        parts.handle(request, response);
      },
    );
    this.#server.on('session', (session) => this.#watchOver(session));
  }

  /** Takes over the connections of `server` whose client chose HTTP/2; `server` must offer it. */
  takeFrom(server: Server): void {
    const others = server.listeners('secureConnection');
    server.removeAllListeners('secureConnection');
    server.on('secureConnection', (socket: TLSSocket) => {
      if (socket.alpnProtocol === 'h2') this.#server.emit('connection', socket);
      else for (const listener of others) listener.call(server, socket);
    });
  }

  /** Says goodbye (GOAWAY), and ends what is still open a moment later. */
  async close(): Promise<void> {
    const all = [...this.#open];
    if (all.length === 0) return;
    await new Promise<void>((resolve) => {
      const cancel = this.#parts.clock.after(CLOSING_MS, resolve);
      for (const session of all)
        session.close(() => {
          if (this.#open.size > 0) return;
          cancel();
          resolve();
        });
    });
    for (const session of this.#open) session.destroy();
  }

  #watchOver(session: ServerHttp2Session): void {
    const { clock, limits } = this.#parts;
    let streams = 0;
    this.#open.add(session);
    const cancelGreeting = clock.after(limits.headersMs, () => session.destroy());
    session.once('remoteSettings', cancelGreeting);
    session.once('close', () => {
      cancelGreeting();
      this.#open.delete(session);
    });
    session.on('stream', (stream) => {
      streams += 1;
      stream.once('close', () => {
        streams -= 1;
      });
    });
    session.setTimeout(limits.keepAliveMs, () => {
      if (streams === 0) session.close();
      else this.#askForSign(session);
    });
  }

  /** A client that is alive answers a ping at once; a connection whose other end vanished must not keep its watches. */
  #askForSign(session: ServerHttp2Session): void {
    const { clock, limits } = this.#parts;
    const cancel = clock.after(limits.headersMs, () => session.destroy());
    session.once('close', cancel);
    session.ping(() => {
      cancel();
      session.off('close', cancel);
      if (!session.destroyed) session.setTimeout(limits.keepAliveMs);
    });
  }
}
