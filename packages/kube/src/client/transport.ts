/**
 * HTTP to one API server: keep-alive connections for requests, separate ones for streams (a watch lasts for
 * minutes and must never make a request wait), of which watches share one where the server speaks HTTP/2. TLS options are taken anew for each
 * connection, so that renewed certificates are used without a restart.
 */
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createSecureContext, type TLSSocket } from 'node:tls';
import { betweenFailPoints, hasFailPoints, stripEnd } from '@podvisor/base';
import type { buildConnector as Connector, Dispatcher } from 'undici';
import { AuthorizationHeader, type Credentials } from './credentials.ts';
import type { ClusterAccess } from './kubeconfig.ts';
import { buildConnector } from './http-agent.ts';
import { ServerConnections } from './server-connections.ts';
import { type StreamedAnswer, WatchConnections, type WatchRequest } from './watch-connections.ts';
import { describePath, type ObservedRequest } from '../metrics/client-metrics.ts';

/** One request. `path` begins with `/`; the server's own path prefix is added. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** A stream without end: no timeout on the body. A watch shares a connection with others, else it has its own. */
  readonly streaming?: boolean | 'watch';
}

const REQUEST_CONNECTIONS = 64;
const REQUEST_TIMEOUT_MS = 60_000;
const IDLE_MS = 30_000;
/** A watch over a cable that was cut gets no error by itself: after this much silence the kernel asks. */
const KEEP_ALIVE_PROBE_MS = 10_000;

/** TLS options of Node and `ws` for this access. */
export function tlsOptions(access: ClusterAccess): {
  ca?: string;
  cert?: string;
  key?: string;
  servername?: string;
  rejectUnauthorized: boolean;
} {
  return {
    ...(access.ca === undefined ? {} : { ca: access.ca }),
    ...(access.certificate === undefined ? {} : { cert: access.certificate }),
    ...(access.key === undefined ? {} : { key: access.key }),
    ...(access.tlsServerName === undefined ? {} : { servername: access.tlsServerName }),
    rejectUnauthorized: access.insecureSkipTlsVerify !== true,
  };
}

/**
 * Opens the connection: the one below TLS for a server whose address begins with `https:` (it must be TCP),
 * else the very one that requests go through. For clients that live in another network than this process,
 * or in the same process as their server.
 */
export type Dial = (hostname: string, port: number) => Duplex;

export class Transport {
  readonly #credentials: Credentials;
  readonly #authorization: AuthorizationHeader;
  readonly #requests: ServerConnections;
  readonly #streams: ServerConnections;
  readonly #watches: WatchConnections;
  readonly #dial: Dial | undefined;

  readonly #observe: ((request: ObservedRequest) => void) | undefined;

  constructor(credentials: Credentials, dial?: Dial, observe?: (request: ObservedRequest) => void) {
    this.#credentials = credentials;
    this.#dial = dial;
    this.#observe = observe;
    this.#authorization = new AuthorizationHeader(credentials);
    const connect = this.#connector({ allowH2: false });
    this.#requests = new ServerConnections({
      connect,
      connections: REQUEST_CONNECTIONS,
      pipelining: 1,
      headersTimeout: REQUEST_TIMEOUT_MS,
      bodyTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: IDLE_MS,
      // undici would keep them for as long as the server offers, minutes: those of the first lists, one for each kind.
      keepAliveMaxTimeout: IDLE_MS,
    });
    this.#streams = new ServerConnections({
      connect,
      pipelining: 1,
      headersTimeout: REQUEST_TIMEOUT_MS,
      bodyTimeout: 0,
    });
    this.#watches = new WatchConnections({
      connect: http2Connector(this.#connector({ allowH2: true })),
      answerWithinMs: REQUEST_TIMEOUT_MS,
    });
  }

  /** Headers that say who we are. */
  authorizationHeaders(): Record<string, string> {
    const value = this.#authorization.value();
    return value === undefined ? {} : { authorization: value };
  }

  access(): ClusterAccess {
    return this.#credentials.current();
  }

  /** Sends a request; the caller must consume or destroy the body. */
  send(request: HttpRequest, signal?: AbortSignal): Promise<Dispatcher.ResponseData> {
    return this.#observed(request, (server) =>
      passing(request, () => this.#dispatch(request, server, signal)),
    );
  }

  /** A watch; the caller must consume or destroy the body. */
  watch(request: HttpRequest, signal?: AbortSignal): Promise<StreamedAnswer> {
    return this.#observed(request, async (server) => {
      const { path, headers } = this.#onTheWire(request, server);
      const owner = this.#credentials.current();
      const answer = await this.#watches.send(server, owner, { path, headers }, signal);
      return answer ?? (await this.#dispatch(request, server, signal));
    });
  }

  async #observed<T extends { readonly statusCode: number }>(
    request: HttpRequest,
    ask: (server: URL) => Promise<T>,
  ): Promise<T> {
    const server = new URL(this.#credentials.current().server);
    const startedMs = performance.now();
    const { method, path } = request;
    const isWatch = request.streaming !== undefined && request.streaming !== false;
    const observe = (code: number): void =>
      this.#observe?.({
        ...{ method, path, isWatch, code, host: server.host },
        seconds: (performance.now() - startedMs) / 1000,
      });
    try {
      const response = await ask(server);
      observe(response.statusCode);
      return response;
    } catch (error) {
      observe(0);
      throw error;
    }
  }

  #dispatch(request: HttpRequest, server: URL, signal?: AbortSignal): Promise<Dispatcher.ResponseData> {
    const isStream = request.streaming !== undefined && request.streaming !== false;
    return (isStream ? this.#streams : this.#requests).to(server.origin).request({
      ...this.#onTheWire(request, server),
      method: request.method,
      ...(request.body === undefined ? {} : { body: request.body }),
      // undici would close the connection after a DELETE that has a body, in case that the server did not read it.
      reset: false,
      ...(signal === undefined ? {} : { signal }),
    });
  }

  #onTheWire({ path, query, headers }: HttpRequest, server: URL): WatchRequest {
    return {
      path: `${stripEnd(server.pathname, '/')}${path}${queryText(query)}`,
      headers: { ...this.authorizationHeaders(), ...headers },
    };
  }

  /** Drops every connection. */
  async close(): Promise<void> {
    await Promise.all([this.#requests.destroy(), this.#streams.destroy(), this.#watches.destroy()]);
  }

  /**
   * undici builds TLS options once per agent; ours are built again when the credentials changed. All connections share
   * what keys and certificates were made into: each would parse and keep its own.
   */
  #connector({ allowH2 }: { readonly allowH2: boolean }): Connector.connector {
    let access: ClusterAccess | undefined;
    let connect: Connector.connector | undefined;
    return (options, callback) => {
      const now = this.#credentials.current();
      let dialled: Duplex | undefined;
      try {
        if (connect === undefined || now !== access) {
          connect = buildConnector({
            ...tlsOptions(now),
            ...(options.protocol === 'https:' ? { secureContext: createSecureContext(tlsOptions(now)) } : {}),
            allowH2,
            timeout: 10_000,
            keepAliveInitialDelay: KEEP_ALIVE_PROBE_MS,
          });
          access = now;
        }
        dialled = this.#dial?.(options.hostname, Number(options.port || 443));
      } catch (error) {
        callback(error as Error, null);
        return;
      }
      if (dialled === undefined) connect(options, callback);
      else if (dialled instanceof Socket && options.protocol === 'https:')
        connect({ ...options, httpSocket: dialled }, callback);
      // undici asks no more of a connection than a Duplex can do, but not to have it at once.
      else setImmediate(callback, null, dialled as Socket);
    };
  }
}

/** What undici's connector does with a callback, for a server that is reached by TLS. */
function http2Connector(connect: Connector.connector): (origin: URL) => Promise<TLSSocket> {
  return ({ protocol, hostname, host, port }) =>
    new Promise((resolve, reject) =>
      connect({ protocol, hostname: hostname.replace(/^\[|\]$/g, ''), host, port }, (error, socket) =>
        error === null ? resolve(socket as TLSSocket) : reject(error),
      ),
    );
}

/** Writes are borders (see fail points); events and leases are told to nobody who acts on them. */
function passing<T>({ method, path }: HttpRequest, send: () => Promise<T>): Promise<T> {
  if (method === 'GET' || method === 'HEAD' || !hasFailPoints()) return send();
  const { resource } = describePath(path);
  if (resource === 'events' || resource === 'leases') return send();
  return betweenFailPoints(`${method.toLowerCase()}-${resource}`, send);
}

/** `?a=1&b=2`, or nothing. Undefined values are left out, arrays repeat the key. */
export function queryText(query: HttpRequest['query']): string {
  const text = new URLSearchParams();
  for (const [key, value] of Object.entries(query ?? {})) {
    if (value === undefined) continue;
    if (typeof value === 'object') for (const item of value) text.append(key, item);
    else text.append(key, String(value));
  }
  return text.size === 0 ? '' : `?${text.toString()}`;
}
