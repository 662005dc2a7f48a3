/** How the load reaches an API server: HTTP/1.1 with as many connections as there are requests, or HTTP/2 with few. */
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import { Agent, request } from 'node:https';
import { connect as connectTls, type SecureContextOptions } from 'node:tls';
import type { ClusterAccess } from '@podvisor/kube';

/** As many as Go's clients put on one connection to a Kubernetes server. */
const STREAMS_PER_CONNECTION = 250;

export interface Answer {
  readonly code: number;
  readonly bytes: number;
  /** How it begins. */
  readonly start: string;
}

export interface Transport {
  call(method: string, path: string, body?: string): Promise<Answer>;
  /** Resolves when the answer has begun; the result ends it. */
  open(path: string, onData: (chunk: Buffer) => void): Promise<() => void>;
  close(): void;
}

function headersOf({ token }: ClusterAccess, method = 'GET'): Record<string, string> {
  return {
    'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
    accept: 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
}

function startOf(chunk: Buffer): string {
  return chunk.toString('latin1', 0, 1024);
}

function tlsOf({ ca, certificate, key }: ClusterAccess): Pick<SecureContextOptions, 'ca' | 'cert' | 'key'> {
  return { ca, cert: certificate, key };
}

export class Http1Transport implements Transport {
  readonly #access: ClusterAccess;
  readonly #agent: Agent;

  constructor(access: ClusterAccess) {
    this.#access = access;
    this.#agent = new Agent({ keepAlive: true, maxSockets: 64, ...tlsOf(access) });
  }

  call(method: string, path: string, body?: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const options = { method, agent: this.#agent, headers: headersOf(this.#access, method) };
      const sent = request(`${this.#access.server}${path}`, options, (response) => {
        let [bytes, start] = [0, ''];
        response.on('data', (chunk: Buffer) => {
          if (bytes === 0) start = startOf(chunk);
          bytes += chunk.length;
        });
        response.on('end', () => resolve({ code: response.statusCode ?? 0, bytes, start }));
        response.on('error', reject);
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  open(path: string, onData: (chunk: Buffer) => void): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const options = { agent: false as const, headers: headersOf(this.#access), ...tlsOf(this.#access) };
      const sent = request(`${this.#access.server}${path}`, options, (response) => {
        response.on('data', onData);
        response.on('error', () => undefined);
        resolve(() => response.destroy());
      });
      sent.on('error', reject);
      sent.end();
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

export class Http2Transport implements Transport {
  readonly #access: ClusterAccess;
  readonly #calls: ClientHttp2Session;
  readonly #watches: ClientHttp2Session[] = [];
  #opened = 0;

  constructor(access: ClusterAccess) {
    this.#access = access;
    this.#calls = this.#connect();
  }

  async call(method: string, path: string, body?: string): Promise<Answer> {
    const stream = this.#request(this.#calls, method, path);
    return new Promise((resolve, reject) => {
      let [code, bytes, start] = [0, 0, ''];
      stream.on('response', (headers) => {
        code = headers[':status'] ?? 0;
      });
      stream.on('data', (chunk: Buffer) => {
        if (bytes === 0) start = startOf(chunk);
        bytes += chunk.length;
      });
      stream.on('end', () => resolve({ code, bytes, start }));
      stream.on('error', reject);
      stream.end(body);
    });
  }

  open(path: string, onData: (chunk: Buffer) => void): Promise<() => void> {
    if (this.#opened % STREAMS_PER_CONNECTION === 0) this.#watches.push(this.#connect());
    this.#opened += 1;
    const stream = this.#request(this.#watches.at(-1) ?? this.#calls, 'GET', path);
    stream.end();
    return new Promise((resolve, reject) => {
      stream.on('error', reject);
      stream.on('data', onData);
      stream.once('response', () => resolve(() => stream.close()));
    });
  }

  close(): void {
    for (const session of [this.#calls, ...this.#watches]) session.destroy();
  }

  #connect(): ClientHttp2Session {
    const { hostname: host, port } = new URL(this.#access.server);
    // Without noDelay the body of a request waits for the acknowledgement of its headers; Go's clients never do.
    const socket = { ...tlsOf(this.#access), host, port: Number(port), noDelay: true, ALPNProtocols: ['h2'] };
    const session = connect(this.#access.server, { createConnection: () => connectTls(socket) });
    session.setMaxListeners(0);
    return session;
  }

  #request(session: ClientHttp2Session, method: string, path: string): ClientHttp2Stream {
    return session.request(
      { ':method': method, ':path': path, ...headersOf(this.#access, method) },
      { endStream: false },
    );
  }
}
