/**
 * A real https server with one collection, for tests of the client and the informer: list, watch with
 * versions, and faults on demand. It speaks just enough of the protocol to be wrong in interesting ways.
 */
import { createServer, type Server } from 'node:https';
import type { Socket } from 'node:net';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { KubernetesObject } from '@podvisor/api';
import { StatusError } from '@podvisor/base';
import { type ClusterAccess, createCa, defineResource, issueCertificate, type KeyPair } from '../index.ts';

export interface Thing extends KubernetesObject {
  readonly spec?: { readonly color?: string };
}

export const things = defineResource<Thing>('Thing', 'things', 'example.io/v1');

export interface SeenRequest {
  readonly method: string;
  readonly url: URL;
  readonly user: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export class TinyApiServer {
  readonly seen: SeenRequest[] = [];
  readonly #ca: KeyPair;
  readonly #pair: KeyPair;
  #server: Server;
  #port = 0;
  #version = 100;
  #oldest = 0;
  #log: { readonly version: number; readonly line: string }[] = [];
  readonly #objects = new Map<string, Thing>();
  readonly #watchers = new Set<ServerResponse>();
  readonly #sockets = new Set<Socket>();
  /** Faults. */
  listsFail = false;
  mute = false;
  duplicate = false;
  /** Answers a request before the collection does. */
  answer: ((request: SeenRequest, response: ServerResponse) => boolean) | undefined;

  constructor() {
    const now = Date.now();
    this.#ca = createCa({ commonName: 'test-ca', now });
    this.#pair = issueCertificate(this.#ca, {
      commonName: 'server',
      names: ['127.0.0.1'],
      usages: ['server'],
      now,
    });
    this.#server = this.#create();
  }

  async start(): Promise<void> {
    if (!this.#server.listening) this.#server = this.#create();
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Like kill -9: every connection breaks. State stays, as on disk. */
  async stop(): Promise<void> {
    this.#watchers.clear();
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    // Connections in the middle of their handshake are not known to the HTTP server.
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  get http(): Server {
    return this.#server;
  }

  access(commonName = 'tester'): ClusterAccess {
    const pair = issueCertificate(this.#ca, { commonName, usages: ['client'], now: Date.now() });
    return {
      server: `https://127.0.0.1:${this.#port}`,
      ca: this.#ca.certificate,
      certificate: pair.certificate,
      key: pair.key,
    };
  }

  get watchers(): number {
    return this.#watchers.size;
  }

  requests(filter: (request: SeenRequest) => boolean): SeenRequest[] {
    return this.seen.filter(filter);
  }

  put(name: string, color: string): void {
    const known = this.#objects.has(name);
    this.#version += 1;
    const metadata = { namespace: 'ns', name, uid: `uid-${name}`, resourceVersion: String(this.#version) };
    const thing: Thing = { apiVersion: 'example.io/v1', kind: 'Thing', metadata, spec: { color } };
    this.#objects.set(name, thing);
    this.#emit(known ? 'MODIFIED' : 'ADDED', thing);
  }

  remove(name: string): void {
    const thing = this.#objects.get(name);
    if (thing === undefined) return;
    this.#version += 1;
    this.#objects.delete(name);
    this.#emit('DELETED', {
      ...thing,
      metadata: { ...thing.metadata, resourceVersion: String(this.#version) },
    });
  }

  /** Name → version of what is there now. */
  snapshot(): Record<string, string | undefined> {
    return Object.fromEntries(
      [...this.#objects].map(([name, thing]) => [name, thing.metadata?.resourceVersion]),
    );
  }

  bookmark(): void {
    this.#send('BOOKMARK', { kind: 'Thing', metadata: { resourceVersion: String(this.#version) } });
  }

  /** Ends every watch: by closing the connection, or politely. */
  dropWatches(how: 'destroy' | 'end'): void {
    for (const watcher of this.#watchers) {
      if (how === 'destroy') watcher.destroy();
      else watcher.end();
    }
    this.#watchers.clear();
  }

  /** Forgets history: watches from before now get 410. */
  compact(): void {
    this.#oldest = this.#version;
    this.#log = [];
  }

  #emit(type: string, thing: Thing): void {
    const line = JSON.stringify({ type, object: thing });
    this.#log.push({ version: this.#version, line });
    this.#broadcast(line);
    // What a confused proxy would do: old news again, then the last.
    if (this.duplicate) for (const old of this.#log.slice(-2)) this.#broadcast(old.line);
  }

  #send(type: string, object: KubernetesObject): void {
    this.#broadcast(JSON.stringify({ type, object }));
  }

  #broadcast(line: string): void {
    if (this.mute) return;
    for (const watcher of this.#watchers) watcher.write(`${line}\n`);
  }

  #create(): Server {
    const options = {
      cert: this.#pair.certificate,
      key: this.#pair.key,
      ca: this.#ca.certificate,
      requestCert: true,
    };
    return createServer({ ...options, rejectUnauthorized: false }, (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => this.#handle(request, response, Buffer.concat(chunks).toString()));
    });
  }

  #handle(request: IncomingMessage, response: ServerResponse, body: string): void {
    const url = new URL(request.url ?? '/', 'https://tiny');
    const socket = request.socket as import('node:tls').TLSSocket;
    const subject = socket.getPeerCertificate().subject as { CN?: string } | undefined;
    const seen = { method: request.method ?? '', url, user: subject?.CN, headers: request.headers, body };
    this.seen.push(seen);
    if (this.answer?.(seen, response) === true) return;
    if (url.searchParams.get('watch') === 'true') return this.#watch(url, response);
    if (this.listsFail) return fail(response, new StatusError('ServiceUnavailable', 'starting'));
    const metadata = { resourceVersion: String(this.#version) };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ kind: 'ThingList', metadata, items: [...this.#objects.values()] }));
  }

  #watch(url: URL, response: ServerResponse): void {
    const from = Number(url.searchParams.get('resourceVersion') ?? '0');
    if (url.searchParams.get('sendInitialEvents') !== 'true' && from < this.#oldest) {
      return fail(response, new StatusError('Expired', 'too old resource version'));
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    if (url.searchParams.get('sendInitialEvents') === 'true') this.#initialEvents(response);
    else for (const { version, line } of this.#log) if (version > from) response.write(`${line}\n`);
    this.#watchers.add(response);
    response.on('close', () => this.#watchers.delete(response));
  }

  #initialEvents(response: ServerResponse): void {
    for (const object of this.#objects.values())
      response.write(`${JSON.stringify({ type: 'ADDED', object })}\n`);
    const annotations = { 'k8s.io/initial-events-end': 'true' };
    const object = { kind: 'Thing', metadata: { resourceVersion: String(this.#version), annotations } };
    response.write(`${JSON.stringify({ type: 'BOOKMARK', object })}\n`);
  }
}

function fail(response: ServerResponse, error: StatusError): void {
  response.writeHead(error.code, { 'content-type': 'application/json' });
  response.end(JSON.stringify(error.toBody()));
}

/** Resolves when `check` holds, looking again at every turn of the event loop; fails after 5 s. */
export async function eventually(check: () => boolean, what: string): Promise<void> {
  const deadline = Date.now() + 5000;
  while (!check()) {
    if (Date.now() > deadline) throw new Error(`never happened: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
