/** A client that hides nothing: every answer, every lost connection and every event is told as it is. */
import { Agent, type RequestOptions, request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { KubeClient } from '@podvisor/kube';

/** How the server is reached. PEM. */
export interface Access {
  readonly port: number;
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
}

export interface Reply {
  readonly code: number;
  readonly body: ReplyBody;
}

/** The parts of an object, a list or a Status that the clients look at. */
export interface ReplyBody {
  readonly metadata?: {
    readonly name?: string;
    readonly resourceVersion?: string;
    readonly continue?: string;
  };
  readonly data?: Readonly<Record<string, string>>;
  readonly items?: readonly ReplyBody[];
  readonly message?: string;
  readonly code?: number;
}

export interface StreamLine {
  readonly type: string;
  readonly object: ReplyBody;
}

const REQUEST_TIMEOUT_MS = 5_000;

export class ApiClient {
  readonly #options: RequestOptions;
  readonly #agent: Agent;
  readonly #shared: KubeClient | undefined;

  /** `shared`: the client that watches go through, over one connection of HTTP/2; without, each has its own. */
  constructor({ port, ca, certificate, key }: Access, shared?: KubeClient) {
    this.#shared = shared;
    this.#agent = new Agent({ keepAlive: true, ca, cert: certificate, key });
    this.#options = { host: '127.0.0.1', port, agent: this.#agent };
  }

  /** Rejects when no whole answer came: then nobody knows what the server did. */
  async send(method: string, path: string, body?: object): Promise<Reply> {
    const response = await this.#open(method, path, body, AbortSignal.timeout(REQUEST_TIMEOUT_MS));
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    if (!response.complete) throw new Error('the answer was cut off');
    return {
      code: response.statusCode ?? 0,
      body: JSON.parse(Buffer.concat(chunks).toString()) as ReplyBody,
    };
  }

  /** The lines of a watch until it ends; an answer other than 200 is thrown as its code. */
  async *watch(path: string, signal: AbortSignal): AsyncGenerator<StreamLine> {
    const body = await this.#openWatch(path, signal);
    // A connection that is cut leaves half a line; the watch resumes after the last whole one.
    let rest = '';
    for await (const chunk of body.setEncoding('utf8')) {
      const lines = (rest + (chunk as string)).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield JSON.parse(line) as StreamLine;
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  async #openWatch(path: string, signal: AbortSignal): Promise<Readable> {
    if (this.#shared !== undefined)
      return (await this.#shared.stream({ method: 'GET', path, streaming: 'watch' }, signal)).body;
    const response = await this.#open('GET', path, undefined, signal);
    if (response.statusCode === 200) return response;
    response.resume();
    throw new Error(`the watch was answered with ${response.statusCode}`);
  }

  #open(
    method: string,
    path: string,
    body: object | undefined,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const call = request({ ...this.#options, method, path, signal }, resolve);
      call.once('error', reject);
      if (body === undefined) {
        call.end();
        return;
      }
      const bytes = Buffer.from(JSON.stringify(body));
      call.setHeader('content-type', 'application/json');
      // Node itself gives the body of a DELETE neither a length nor chunks.
      call.setHeader('content-length', bytes.length);
      call.end(bytes);
    });
  }
}
