/**
 * The page's server, on this machine's loopback only. Paths: the page's files; `/session`, which takes the key;
 * `/k8s/…`, which is the API server; `/why/NAMESPACE/NAME`, which is `virtctl why`; `/upload/NAMESPACE/CLAIM`, which
 * takes a disk image; `/cluster`, which is what only a program knows: certificates, and the checks and alerts of a home.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { messageOf, StatusError } from '@podvisor/base';
import type { KubeClient } from '@podvisor/kube';
import { gather } from '../why/gather.ts';
import { reportOf } from '../why/report.ts';
import { PAGE_HEADERS, type PageFile } from './files.ts';
import { bodyOf, passOn, passOnUpgrade, refuse } from './pass-on.ts';
import { originProblem } from './same-origin.ts';
import { clusterFacts, type EmbeddedFacts } from './cluster-facts.ts';
import { takeUpload } from './upload.ts';
import { Sessions } from './sessions.ts';

const API = '/k8s/';
const WHY = /^\/why\/([^/]+)\/([^/]+)$/;
const UPLOAD = /^\/upload\/([^/]+)\/([^/]+)$/;

export interface PageServerOptions {
  readonly client: KubeClient;
  /** Where a user looks first who may not look everywhere. */
  readonly namespace: string;
  readonly files: ReadonlyMap<string, PageFile>;
  readonly now: () => number;
  /** Of an embedded home; absent: a cluster. */
  readonly home?: EmbeddedFacts | undefined;
}

export class PageServer implements AsyncDisposable {
  readonly #options: PageServerOptions;
  readonly #sessions = new Sessions();
  readonly #server: Server;
  #port = 0;

  constructor(options: PageServerOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => {
      void this.#answer(request, response).catch((error: unknown) => {
        if (response.headersSent) response.destroy();
        else refuse(response, error);
      });
    });
    this.#server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on('error', () => socket.destroy());
      void this.#upgrade(request, socket, head).catch((error: unknown) => {
        const code = error instanceof StatusError ? error.code : 502;
        socket.end(`HTTP/1.1 ${code} Refused\r\nconnection: close\r\n\r\n${messageOf(error)}`);
      });
    });
  }

  /** Resolves when it listens. 0 takes a free port. */
  listen(port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', (error) =>
        reject(new Error(`cannot listen on 127.0.0.1:${port}; choose another --port`, { cause: error })),
      );
      this.#server.listen(port, '127.0.0.1', () => {
        const address = this.#server.address();
        this.#port = typeof address === 'object' && address !== null ? address.port : port;
        resolve(this.#port);
      });
    });
  }

  /** An address that opens the page once. The key stands behind `#`: browsers keep that part to themselves. */
  address(): string {
    return `http://127.0.0.1:${this.#port}/#key=${this.#sessions.issueKey()}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise<void>((resolve) => void this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value);
    const { pathname, search } = locationOf(request);
    const file = request.method === 'GET' ? this.#options.files.get(pathname) : undefined;
    const problem = originProblem(request.headers, this.#port, file !== undefined);
    if (problem !== undefined) throw new StatusError('Forbidden', problem);
    if (file !== undefined) {
      response.writeHead(200, {
        'content-type': file.type,
        'cache-control': file.isFixed ? 'max-age=31536000, immutable' : 'no-cache',
      });
      response.end(file.body);
      return;
    }
    if (pathname === '/session') {
      await this.#openSession(request, response);
      return;
    }
    this.#demandSession(request);
    if (pathname.startsWith(API)) {
      await passOn(this.#options.client, request, response, pathname.slice(API.length - 1) + search);
      return;
    }
    const upload = request.method === 'POST' ? UPLOAD.exec(pathname) : null;
    if (upload !== null) {
      const [namespace = '', claim = ''] = upload.slice(1).map(decodeURIComponent);
      await takeUpload(this.#options.client, namespace, claim, request, response);
      return;
    }
    if (pathname === '/cluster') {
      sendJson(response, await clusterFacts(this.#options));
      return;
    }
    const why = WHY.exec(pathname);
    if (why === null) throw new StatusError('NotFound', `there is nothing at ${pathname}`);
    await this.#why(decodeURIComponent(why[1] ?? ''), decodeURIComponent(why[2] ?? ''), response);
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { pathname, search } = locationOf(request);
    // Browsers send an Origin with every websocket; what sends none is no browser, and has no business here.
    const problem =
      request.headers.origin === undefined
        ? 'websockets are for the page'
        : originProblem(request.headers, this.#port, false);
    if (problem !== undefined) throw new StatusError('Forbidden', problem);
    this.#demandSession(request);
    if (!pathname.startsWith(API)) throw new StatusError('NotFound', `there is nothing at ${pathname}`);
    await passOnUpgrade(this.#options.client, request, socket, head, pathname.slice(API.length - 1) + search);
  }

  async #openSession(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const key = request.method === 'POST' ? await bodyOf(request) : '';
    const cookie = this.#sessions.redeem(key);
    if (cookie === undefined && !this.#sessions.has(request.headers.cookie))
      throw new StatusError('Unauthorized', 'this key was used already; run the command again for a new one');
    response.writeHead(200, {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      ...(cookie === undefined ? {} : { 'set-cookie': cookie }),
    });
    response.end(JSON.stringify({ namespace: this.#options.namespace }));
  }

  #demandSession(request: IncomingMessage): void {
    if (!this.#sessions.has(request.headers.cookie))
      throw new StatusError('Unauthorized', 'this page was opened without its key');
  }

  async #why(namespace: string, name: string, response: ServerResponse): Promise<void> {
    const { client, now } = this.#options;
    sendJson(response, reportOf(await gather(client, namespace, name, now())));
  }
}

function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}

function locationOf(request: IncomingMessage): URL {
  return new URL(request.url ?? '/', 'http://page');
}
