/**
 * The page's server. Paths: the page's files; `/session`, which takes a key or a token; `/k8s/…`, which is the API
 * server, and `/watch/…`, which is the same for watches, as websockets; `/why/NAMESPACE/NAME`, which is `virtctl why`; `/upload/NAMESPACE/CLAIM`, which takes a disk image;
 * `/export/NAMESPACE/NAME/VOLUME/FORMAT`, which gives one; `/cluster`, which is what only a program knows: certificates, and the checks and alerts of a home.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { messageOf, StatusError } from '@podvisor/base';
import type { KubeClient } from '@podvisor/kube';
import { gather } from '../why/gather.ts';
import { reportOf } from '../why/report.ts';
import type { PageAccess } from './access.ts';
import { PAGE_HEADERS, type PageFile, sendFile } from './files.ts';
import { bodyOf, passOn, passOnUpgrade, passOnWatch, refuse } from './pass-on.ts';
import { originProblem } from './same-origin.ts';
import { clusterFacts, type EmbeddedFacts } from './cluster-facts.ts';
import { sendExport } from './export.ts';
import { takeUpload, uploadedBytes } from './upload.ts';

const API = '/k8s/';
const WATCH = '/watch/';
const WHY = /^\/why\/([^/]+)\/([^/]+)$/;
const EXPORT = /^\/export\/([^/]+)\/([^/]+)\/([^/]+)\/([^/]+)$/;
const UPLOAD = /^\/upload\/([^/]+)\/([^/]+)$/;

type HttpServer = Server | TlsServer;

export interface PageServerOptions {
  readonly access: PageAccess;
  readonly files: ReadonlyMap<string, PageFile>;
  readonly now: () => number;
  /** Of an embedded home; absent: a cluster. */
  readonly home?: EmbeddedFacts | undefined;
}

export class PageServer implements AsyncDisposable {
  readonly #options: PageServerOptions;
  readonly #servers: HttpServer[] = [];

  constructor(options: PageServerOptions) {
    this.#options = options;
  }

  /** Answers what comes to `server`, whoever makes it listen. */
  serve<T extends HttpServer>(server: T): T {
    this.#servers.push(server);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void this.#answer(request, response).catch((error: unknown) => {
        if (response.headersSent) response.destroy();
        else refuse(response, error);
      });
    });
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on('error', () => socket.destroy());
      void this.#upgrade(request, socket, head).catch((error: unknown) => {
        const code = error instanceof StatusError ? error.code : 502;
        socket.end(`HTTP/1.1 ${code} Refused\r\nconnection: close\r\n\r\n${messageOf(error)}`);
      });
    });
    return server;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = this.#servers.map((server) => new Promise((resolve) => server.close(resolve)));
    for (const server of this.#servers) server.closeAllConnections();
    await Promise.all(closed);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value);
    const { pathname, search } = locationOf(request);
    const file = request.method === 'GET' ? this.#options.files.get(pathname) : undefined;
    const problem = originProblem(request.headers, this.#options.access, file !== undefined);
    if (problem !== undefined) throw new StatusError('Forbidden', problem);
    if (file !== undefined) {
      sendFile(request, response, file);
      return;
    }
    if (pathname === '/session') {
      await this.#session(request, response);
      return;
    }
    const client = this.#clientOf(request);
    if (pathname.startsWith(API)) {
      await passOn(client, request, response, pathname.slice(API.length - 1) + search);
      return;
    }
    const upload = UPLOAD.exec(pathname);
    if (upload !== null) {
      const [namespace = '', claim = ''] = upload.slice(1).map(decodeURIComponent);
      if (request.method === 'POST') await takeUpload(client, namespace, claim, request, response);
      else sendJson(response, await uploadedBytes(client, namespace, claim, request));
      return;
    }
    const exported = EXPORT.exec(pathname);
    if (exported !== null) {
      const [namespace = '', name = '', volume = '', format = ''] = exported.slice(1).map(decodeURIComponent);
      await sendExport(client, { namespace, name, volume, format }, response);
      return;
    }
    if (pathname === '/cluster') {
      sendJson(response, await clusterFacts({ ...this.#options, client }));
      return;
    }
    const why = WHY.exec(pathname);
    if (why === null) throw new StatusError('NotFound', `there is nothing at ${pathname}`);
    const [namespace = '', name = ''] = why.slice(1).map(decodeURIComponent);
    sendJson(response, reportOf(await gather(client, namespace, name, this.#options.now())));
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { pathname, search } = locationOf(request);
    // Browsers send an Origin with every websocket; what sends none is no browser, and has no business here.
    const problem =
      request.headers.origin === undefined
        ? 'websockets are for the page'
        : originProblem(request.headers, this.#options.access, false);
    if (problem !== undefined) throw new StatusError('Forbidden', problem);
    if (pathname.startsWith(WATCH)) {
      const path = pathname.slice(WATCH.length - 1) + search;
      passOnWatch(() => this.#clientOf(request), request, socket, head, path);
      return;
    }
    const client = this.#clientOf(request);
    if (!pathname.startsWith(API)) throw new StatusError('NotFound', `there is nothing at ${pathname}`);
    await passOnUpgrade(client, request, socket, head, pathname.slice(API.length - 1) + search);
  }

  /** POST opens a session or tells about the one there is; DELETE ends it. */
  async #session(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { access } = this.#options;
    if (request.method === 'DELETE') {
      sendJson(response, {}, { 'set-cookie': access.close(request.headers) });
      return;
    }
    if (request.method !== 'POST') throw new StatusError('MethodNotAllowed', 'a session is opened by POST');
    const session = await access.open(await bodyOf(request), request.headers);
    if (session === undefined) throw noSession(access);
    const { cookie, ...told } = session;
    const { opensWith } = access;
    sendJson(response, { ...told, opensWith }, cookie === undefined ? {} : { 'set-cookie': cookie });
  }

  #clientOf(request: IncomingMessage): KubeClient {
    const client = this.#options.access.clientOf(request.headers);
    if (client === undefined) throw noSession(this.#options.access);
    return client;
  }
}

/** `details.kind` tells the page what would open one. */
function noSession({ opensWith }: PageAccess): StatusError {
  const words = opensWith === 'key' ? 'run the command again for a new address' : 'log in with a token';
  return new StatusError('Unauthorized', `there is no session here, or it has ended: ${words}`, {
    details: { kind: opensWith },
  });
}

function sendJson(
  response: ServerResponse,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers });
  response.end(JSON.stringify(body));
}

function locationOf(request: IncomingMessage): URL {
  return new URL(request.url ?? '/', 'http://page');
}
