/**
 * The HTTPS server that virt-api talks to, by a client certificate of our own CA with the right name. The virt-handler
 * that has taken over a guest of ours gets its past, by its certificate for migrations; others get nothing but metrics,
 * those by a token, and whether we are well. Certificates are read again when their files change.
 */
import { type FSWatcher, readFileSync, watch } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { certificateNames } from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import {
  answerMetrics,
  type ComponentHealth,
  isHealthRequest,
  type Log,
  type MetricsEndpoint,
  nodeOfCertificate,
} from '@podvisor/kube';
import { WebSocketServer } from 'ws';
import { relay } from './relay.ts';
import { answer, answerOtherNode, type RequestContext, send } from './requests.ts';
import { parseRoute } from './route.ts';
import { Sessions } from './sessions.ts';

const SUBPROTOCOL = 'plain.kubevirt.io';
const MAX_MESSAGE_BYTES = 1024 * 1024;

export interface RestServerOptions extends RequestContext {
  /** Directory with `server.crt`, `server.key`, `ca.crt`. */
  readonly tlsDir: string;
  readonly address: string;
  readonly port: number;
  readonly metrics: MetricsEndpoint;
  readonly health: Pick<ComponentHealth, 'answer'>;
  readonly log: Log;
}

export class RestServer {
  readonly #options: RestServerOptions;
  readonly #server: Server;
  readonly #sockets: WebSocketServer;
  readonly #sessions = new Sessions();
  #watcher: FSWatcher | undefined;
  /** PEM of what it serves with. */
  #certificate: string;

  private constructor(options: RestServerOptions) {
    this.#options = options;
    const tls = certificates(options.tlsDir);
    this.#certificate = tls.cert;
    this.#server = createServer(
      // Who reads metrics brings a token instead of a certificate, so nobody is turned away before they asked.
      {
        ...tls,
        requestCert: true,
        rejectUnauthorized: false,
        minVersion: 'TLSv1.2',
      },
      (request, response) => this.#onRequest(request, response),
    );
    this.#sockets = new WebSocketServer({
      noServer: true,
      maxPayload: MAX_MESSAGE_BYTES,
      handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
    });
    this.#server.on('upgrade', (request, socket, head) => this.#onUpgrade(request, socket, head));
  }

  static async start(options: RestServerOptions): Promise<RestServer> {
    const server = new RestServer(options);
    await new Promise<void>((resolve, reject) => {
      server.#server.once('error', reject);
      server.#server.listen(options.port, options.address, resolve);
    });
    server.#watcher = watch(options.tlsDir, { persistent: false }, () => server.#reload());
    return server;
  }

  /** The port listened on, which the system chose when 0 was asked for. */
  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** PEM of the certificate that it serves with. */
  get certificate(): string {
    return this.#certificate;
  }

  async close(): Promise<void> {
    this.#watcher?.close();
    for (const client of this.#sockets.clients) client.terminate();
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  #reload(): void {
    try {
      const tls = certificates(this.#options.tlsDir);
      this.#server.setSecureContext(tls);
      this.#certificate = tls.cert;
    } catch (error) {
      // Half-written files: the event of the other half brings us here again.
      this.#options.log.warn(
        { error: messageOf(error) },
        'certificates could not be read, the old ones stay',
      );
    }
  }

  #onRequest(request: IncomingMessage, response: ServerResponse): void {
    if (isHealthRequest(request)) {
      void this.#options.health.answer().then(({ code, body }) => {
        response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
      return;
    }
    if (request.method === 'GET' && pathOf(request) === '/metrics') {
      void answerMetrics(request, response, this.#options.metrics);
      return;
    }
    const route = parseRoute(pathOf(request));
    const failed = (error: unknown): void => {
      this.#options.log.error({ path: request.url, error: messageOf(error) }, 'request failed');
      if (!response.headersSent) send(response, 500, `${messageOf(error)}\n`);
    };
    const otherNode = request.method === 'GET' ? nodeThatAsks(request) : undefined;
    if (otherNode !== undefined)
      return void answerOtherNode(otherNode, route, response, this.#options).catch(failed);
    if (!isVirtApi(request)) return send(response, 403, 'the client certificate is not of virt-api\n');
    if (route === undefined) return send(response, 404, 'no such path\n');
    if (route.kind === 'stream') return send(response, 400, 'this path takes websockets\n');
    answer(route, request, response, this.#options).catch(failed);
  }

  #onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const refuse = (status: string, why: string): void =>
      void socket.end(
        `HTTP/1.1 ${status}\r\ncontent-type: text/plain\r\ncontent-length: ${Buffer.byteLength(why)}\r\nconnection: close\r\n\r\n${why}`,
      );
    // The client may leave at any time; there is nobody to tell then.
    socket.on('error', () => socket.destroy());
    if (!isVirtApi(request)) return refuse('403 Forbidden', 'the client certificate is not of virt-api');
    const route = parseRoute(pathOf(request));
    if (route?.kind !== 'stream') return refuse('404 Not Found', 'no such stream');
    const found = this.#options.launchers.connectionOf(route.namespace, route.name);
    if (found === undefined)
      return refuse(
        '404 Not Found',
        `no launcher of VMI ${route.namespace}/${route.name} is connected on this node`,
      );
    const admission = this.#sessions.admit(route, new URLSearchParams(request.url?.split('?')[1]));
    if (admission.kind === 'refused') return refuse('503 Service Unavailable', admission.why);
    this.#sockets.handleUpgrade(request, socket, head, (websocket) => {
      const leave = admission.enter({
        // Without a close frame: to KubeVirt's clients a polite end would mean that the guest has ended.
        close: (why) => {
          this.#options.log.info({ path: request.url, why }, 'stream cut off');
          websocket.terminate();
        },
      });
      relay(websocket, found.connection, admission)
        .catch((error: unknown) => {
          this.#options.log.info({ path: request.url, error: messageOf(error) }, 'stream ended');
        })
        .finally(leave);
    });
  }
}

function isVirtApi(request: IncomingMessage): boolean {
  // https gives every request a TLS socket. `authorized`: its certificate is of our own CA.
  const socket = request.socket as TLSSocket;
  return socket.authorized && socket.getPeerCertificate().subject?.CN === certificateNames.virtApiClient;
}

/** The node whose virt-handler shows its certificate for migrations. */
function nodeThatAsks(request: IncomingMessage): string | undefined {
  const socket = request.socket as TLSSocket;
  if (!socket.authorized) return undefined;
  const certificate = socket.getPeerCertificate();
  return certificate.subject?.CN === certificateNames.migrationClient
    ? nodeOfCertificate(certificate)
    : undefined;
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? '/').split('?')[0] ?? '/';
}

function certificates(directory: string): { cert: string; key: string; ca: string } {
  const read = (file: string): string => readFileSync(join(directory, file), 'utf8');
  return { cert: read('server.crt'), key: read('server.key'), ca: read('ca.crt') };
}
