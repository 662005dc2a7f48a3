/** Requests to a test server over TLS, one connection each, as its administrator unless told otherwise. */
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import type { JsonObject } from '../wire/json.ts';
import type { TestServer } from './test-server.ts';

export interface Reply {
  readonly code: number;
  readonly body: JsonObject;
  readonly headers: IncomingMessage['headers'];
}

export interface WatchEvent {
  readonly type: string;
  readonly object: JsonObject;
}

export class TestClient {
  readonly #files: { readonly ca: Buffer; readonly cert: Buffer; readonly key: Buffer };
  readonly #port: number;

  constructor({ directory, server }: TestServer) {
    const read = (name: string): Buffer => readFileSync(join(directory, name));
    this.#files = { ca: read('ca.crt'), cert: read('admin.crt'), key: read('admin.key') };
    this.#port = Number(new URL(server.url).port);
  }

  /** Sends and reads the whole answer. A text body is sent as it is. */
  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Reply> {
    const answer = await this.#open(method, path, body, headers);
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const json = text.startsWith('{') ? (JSON.parse(text) as JsonObject) : { text };
    return { code: answer.statusCode ?? 0, body: json, headers: answer.headers };
  }

  /** Opens a watch and gives its events as they come; ends when the caller stops reading. */
  async *watch(path: string): AsyncGenerator<WatchEvent> {
    const answer = await this.#open('GET', path, undefined, {});
    let rest = '';
    try {
      for await (const chunk of answer) {
        const lines = (rest + (chunk as Buffer).toString()).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) if (line !== '') yield JSON.parse(line) as WatchEvent;
      }
    } finally {
      answer.destroy();
    }
  }

  #open(
    method: string,
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>>,
  ): Promise<IncomingMessage> {
    const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const outgoing = request(
        {
          ...this.#files,
          host: '127.0.0.1',
          port: this.#port,
          method,
          path,
          agent: false,
          headers: {
            accept: 'application/json',
            'user-agent': 'tester/1.0',
            // Said here, because Node does not frame the body of a DELETE by itself.
            ...(text === undefined
              ? {}
              : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
            ...headers,
          },
        },
        resolve,
      );
      outgoing.on('error', reject);
      outgoing.end(text);
    });
  }
}
