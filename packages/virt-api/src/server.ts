/**
 * The HTTPS server: webhooks, discovery, subresources, streams. One request is one pass: find its row,
 * learn who asks, ask whether they may, read what the decider needs, decide, carry out.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { messageOf, parseRequestPath, StatusError } from '@podvisor/base';
import {
  type ComponentHealth,
  isHealthRequest,
  type Log,
  metricsAnswer,
  type MetricsEndpoint,
} from '@podvisor/kube';
import { type FrontProxyConfig, identify, isFrontProxy, type User } from './access/front-proxy.ts';
import { peerOf } from './peer.ts';
import { readJson } from './request-body.ts';
import { refuseUpgrade } from './stream/upgrade.ts';
import type { Answer } from './subresources/execute.ts';
import type { Subresources } from './subresources/serve.ts';
import type { TlsFiles } from './tls-files.ts';
import type { Webhooks } from './webhooks/serve.ts';

export interface ApiServerOptions {
  readonly documents: ReadonlyMap<string, unknown>;
  readonly webhooks: Webhooks;
  readonly subresources: Subresources;
  /** Undefined until the API server has told us whom to trust. */
  frontProxy(): FrontProxyConfig | undefined;
  isReady(): boolean;
  /**
   * Webhooks answer only to the front proxy. One of them marks guests for evacuation, so that whoever reaches
   * the port could move them. kube-apiserver shows a certificate to webhooks only where it is told to.
   */
  readonly webhooksNeedCertificate: boolean;
  readonly metrics: MetricsEndpoint;
  readonly health: Pick<ComponentHealth, 'answer'>;
  readonly log: Log;
}

/** kube-apiserver lets go of idle connections after 90 s. Whoever is first to close one may lose it a request: not us. */
const KEEP_IDLE_MS = 120_000;

/** Health as people with rights in the cluster ask for it, through the API server. */
const HEALTH_SUBRESOURCE = /^\/apis\/subresources\.kubevirt\.io\/[^/]+\/healthz$/;

export class ApiServer {
  readonly #options: ApiServerOptions;
  readonly #server: Server;
  readonly #stop = new AbortController();
  #isLeaving = false;
  /** Connections whose handshake was with the certificates of today. */
  #current = new WeakSet<Socket>();

  constructor(tls: TlsFiles, options: ApiServerOptions) {
    this.#options = options;
    // Certificates of clients are asked for, never required: webhooks may come without one.
    this.#server = createServer({
      ...secureOptions(tls, options.frontProxy()),
      requestCert: true,
      rejectUnauthorized: false,
    });
    this.#server.on('request', (request, response) => void this.#serve(request, response));
    this.#server.on('upgrade', (request, socket, head) => void this.#upgrade(request, socket, head));
    this.#server.on('secureConnection', (socket) => this.#current.add(socket));
    this.#server.keepAliveTimeout = KEEP_IDLE_MS;
    // A client that fails the handshake is its own problem; the server goes on.
    this.#server.on('tlsClientError', () => undefined);
  }

  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, () => {
        const address = this.#server.address();
        resolve(typeof address === 'object' && address !== null ? address.port : port);
      });
    });
  }

  /**
   * New connections use these certificates. Older ones end with their next answer: if we closed one that is idle, a
   * request that is just on its way over it would be lost.
   */
  reload(tls: TlsFiles): void {
    this.#server.setSecureContext(secureOptions(tls, this.#options.frontProxy()));
    this.#current = new WeakSet();
  }

  /**
   * Goes on answering, and sends everybody elsewhere: not ready, and each answer ends its connection. Whoever still
   * has one open, as the API server has for webhooks, loses no request to our end.
   */
  leave(): void {
    this.#isLeaving = true;
  }

  async close(): Promise<void> {
    this.#stop.abort(new Error('shutting down'));
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let answer: Answer;
    try {
      answer = await this.#answer(request);
    } catch (error) {
      answer = this.#failure(error, request);
    }
    const { code, contentType = 'application/json', body = '' } = answer;
    const { method, url: path = '' } = request;
    this.#options.log.debug?.({ method, path, ...subjectOf(path), code }, 'answered');
    // A connection is trusted from its handshake on or never. One that was made before we knew whom to trust must
    // not be kept: the API server would send its next webhook call over it, and be refused.
    const config = this.#options.frontProxy();
    const isTrusted = config !== undefined && isFrontProxy(peerOf(request.socket), config);
    const isKept = isTrusted && this.#current.has(request.socket) && !this.#isLeaving;
    const connection = isKept ? {} : { connection: 'close' };
    response
      .writeHead(code, {
        'content-type': contentType,
        'content-length': Buffer.byteLength(body),
        ...connection,
      })
      .end(body);
  }

  async #health(): Promise<Answer> {
    const { code, body } = await this.#options.health.answer();
    return { code, body: JSON.stringify(body) };
  }

  async #answer(request: IncomingMessage): Promise<Answer> {
    if (isHealthRequest(request)) return this.#health();
    const url = urlOf(request);
    const { webhooks, subresources, documents, isReady } = this.#options;
    if (request.method === 'POST') {
      const review = await webhooks.answer(url.pathname, () => {
        this.#checkCaller(request);
        return readJson(request);
      });
      if (review !== undefined) return json(review);
    }
    if (request.method === 'GET') {
      if (url.pathname === '/readyz') return readiness(isReady() && !this.#isLeaving);
      if (url.pathname === '/metrics') return metricsAnswer(request.headers, this.#options.metrics);
      if (HEALTH_SUBRESOURCE.test(url.pathname)) return this.#health();
      const document = documents.get(url.pathname);
      // Discovery is how the API server learns that we are there: not before subresources can be served.
      if (document !== undefined && this.#options.frontProxy() === undefined)
        throw new StatusError('ServiceUnavailable', 'waiting for the front-proxy CA of the API server');
      if (document !== undefined) return json(document);
    }
    const caller = { method: request.method ?? 'GET', url, user: () => this.#user(request) };
    const answer = await subresources.answer(caller, () => readJson(request), this.#stop.signal);
    if (answer !== undefined) return answer;
    throw new StatusError(
      'NotFound',
      `${request.method} ${url.pathname}: the server could not find the requested resource`,
    );
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    // Without a listener, a client that resets the connection would end the process.
    socket.on('error', () => socket.destroy());
    try {
      const url = urlOf(request);
      const caller = { method: request.method ?? 'GET', url, user: () => this.#user(request) };
      const served = await this.#options.subresources.stream(
        caller,
        { request, socket, head },
        this.#stop.signal,
      );
      if (!served) throw new StatusError('NotFound', `${url.pathname} is not a stream`);
    } catch (error) {
      refuseUpgrade(socket, this.#statusOf(error, request));
    }
  }

  /** Throws 401 when a webhook is called by somebody else than the API server, where that can be told. */
  #checkCaller(request: IncomingMessage): void {
    const { webhooksNeedCertificate, frontProxy } = this.#options;
    if (!webhooksNeedCertificate) return;
    const config = frontProxy();
    if (config === undefined)
      throw new StatusError('ServiceUnavailable', 'waiting for the front-proxy CA of the API server');
    if (!isFrontProxy(peerOf(request.socket), config))
      throw new StatusError('Unauthorized', 'the request does not come from the API server');
  }

  /** Throws 401 when the request does not come through the API server. */
  #user(request: IncomingMessage): User {
    const user = identify(peerOf(request.socket), request.rawHeaders, this.#options.frontProxy());
    if (user === undefined)
      throw new StatusError('Unauthorized', 'the request does not come through the API server');
    return user;
  }

  #failure(error: unknown, request: IncomingMessage): Answer {
    const status = this.#statusOf(error, request);
    return { code: status.code, body: JSON.stringify(status.toBody()) };
  }

  #statusOf(error: unknown, request: IncomingMessage): StatusError {
    if (error instanceof StatusError) return error;
    const path = request.url ?? '';
    this.#options.log.error({ path, ...subjectOf(path), error: messageOf(error) }, 'request failed');
    return new StatusError('InternalError', `Internal error occurred: ${messageOf(error)}`);
  }
}

/**
 * The URL of a request. Throws 400 when its path is not normal: the API server authorised it as it stands, and URL
 * would fold `..` into another one.
 */
function urlOf(request: IncomingMessage): URL {
  const parsed = parseRequestPath(request.url ?? '/');
  if (parsed === undefined) throw new StatusError('BadRequest', 'the path of the request is not normal');
  return new URL(parsed.path + parsed.search, 'https://virt-api');
}

function secureOptions(tls: TlsFiles, frontProxy: FrontProxyConfig | undefined) {
  return {
    cert: tls.serverCert,
    key: tls.serverKey,
    // Only the front proxy's certificates are worth anything here.
    ca: frontProxy?.clientCa ?? tls.ca,
    minVersion: 'TLSv1.2',
  } as const;
}

function readiness(ready: boolean): Answer {
  return ready
    ? { code: 200, contentType: 'text/plain', body: 'ok' }
    : {
        code: 503,
        contentType: 'text/plain',
        body: 'waiting for the KubeVirt configuration and the front-proxy CA',
      };
}

function json(value: unknown): Answer {
  return { code: 200, contentType: 'application/json', body: JSON.stringify(value) };
}

/** The VM or VMI that a path is about, for the log. */
function subjectOf(path: string): { readonly namespace?: string; readonly name?: string } {
  const [, namespace, name] =
    /\/namespaces\/([^/?]+)\/virtualmachine(?:instance)?s\/([^/?]+)/.exec(path) ?? [];
  return namespace === undefined || name === undefined ? {} : { namespace, name };
}
