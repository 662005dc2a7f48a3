/**
 * How the server is reached: TLS with HTTP/1.1 and HTTP/2 on the port, at one address or more, and connections inside
 * the process whose user is known. All of them speak to one router. Those inside come in before the port is open.
 */
import { createServer as createInnerServer } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Authenticator } from './authn/authenticator.ts';
import type { UserInfo } from './core.ts';
import { Http2Sessions } from './http2-sessions.ts';
import { ConnectionLimit } from './limits/connection-limit.ts';
import type { ServerLimits } from './limits/server-limits.ts';
import { listenOn } from './listen-on.ts';
import { MemoryListener } from './memory-listener.ts';
import type { ApiServerOptions } from './options.ts';
import type { Registry } from './registry/registry.ts';
import type { Router } from './router.ts';
import { notSupported } from './verbs/dispatch.ts';
import type { ApiRequest, ApiResponse } from './wire/exchange.ts';
import { requestInfoOf } from './wire/request-info.ts';
import { answerUnknownMethod } from './wire/unknown-method.ts';

/** How often Node looks for clients that are too slow with their requests. */
const CHECK_MS = 5_000;

export interface ListenerParts {
  readonly options: ApiServerOptions;
  readonly limits: ServerLimits;
  readonly registry: Registry;
  readonly router: Router;
  readonly authenticator: Authenticator;
}

export interface Listeners {
  readonly inner: MemoryListener<UserInfo>;
  /** Opens the port at every address; resolves with it. */
  listen(): Promise<number>;
  reloadTls(tls: ApiServerOptions['tls']): void;
  /** Ends all connections. */
  close(): Promise<void>;
}

/** Nobody outside the process is heard before `listen`. */
export function createListeners(parts: ListenerParts): Listeners {
  const { options, limits, registry, router, authenticator } = parts;
  const handle = (request: ApiRequest, response: ApiResponse): void => void router.handle(request, response);
  const server = createServer(
    {
      ...patience(limits),
      handshakeTimeout: limits.headersMs,
      ALPNProtocols: ['h2', 'http/1.1'],
      cert: options.tls.cert,
      key: options.tls.key,
      ca: options.tls.clientCa,
      requestCert: true,
      rejectUnauthorized: false,
    },
    handle,
  );
  const http2 = new Http2Sessions({ limits, clock: options.clock, handle });
  http2.takeFrom(server);
  const inner = new MemoryListener(
    createInnerServer({ ...patience(limits), requestTimeout: 0 }, handle),
    (socket, user: UserInfo) => authenticator.vouch(socket, user),
  );
  const connections = new ConnectionLimit(limits);
  const open = new Set<Duplex>();
  server.prependListener('connection', (socket) => {
    connections.admit(socket);
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.on('upgrade', (request, socket, head) => void router.upgrade(request, socket, head));
  server.on(
    'clientError',
    answerUnknownMethod((path) => {
      const info = requestInfoOf('GET', path);
      const definition = info && registry.find(info.group, info.version, info.resource);
      return definition?.custom === undefined ? undefined : notSupported(definition, '');
    }),
  );
  let further: Awaited<ReturnType<typeof listenOn>>[] = [];
  return {
    inner,
    listen: async () => {
      const port = await listening(server, options);
      // A server of Node listens once; further listeners hand their connections to it.
      further = await Promise.all(
        (options.alsoOn ?? []).map((host) =>
          listenOn(host, port, (socket) => server.emit('connection', socket)),
        ),
      );
      return port;
    },
    reloadTls: ({ cert, key, clientCa }) => server.setSecureContext({ cert, key, ca: clientCa }),
    close: async () => {
      for (const listener of further) listener.close();
      inner.close();
      // First of all nobody new: a client that is sent away comes back at once.
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await http2.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

async function listening(server: Server, { host, port }: ApiServerOptions): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** How long a client may take to say what it wants. An answer, such as a watch, is no part of that. */
function patience({ headersMs, bodyMs, headerBytes, keepAliveMs }: ServerLimits) {
  return {
    keepAliveTimeout: keepAliveMs,
    headersTimeout: headersMs,
    requestTimeout: bodyMs,
    connectionsCheckingInterval: Math.min(CHECK_MS, headersMs),
    maxHeaderSize: headerBytes,
  };
}
