/** One request of the administrator to a test server. */
import { request } from 'node:https';
import type { JsonObject } from '../wire/json.ts';
import type { TestServer } from './test-server.ts';

export interface Reply {
  readonly code: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The answer as JSON; text of another kind is its `message`. */
  readonly body: JsonObject;
}

export interface AdminRequest {
  readonly body?: string | Buffer;
  /** `application/json` unless given. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function adminRequest(
  { server, ca, admin }: TestServer,
  method: string,
  path: string,
  { body, type = 'application/json', headers = {} }: AdminRequest = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const call = request(
      {
        host: '127.0.0.1',
        port: server.port,
        ca: ca.certificate,
        cert: admin.certificate,
        key: admin.key,
        method,
        path,
        headers: { ...(body === undefined ? {} : { 'content-type': type }), ...headers },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const json = text.startsWith('{') ? (JSON.parse(text) as JsonObject) : { message: text };
          resolve({ code: response.statusCode ?? 0, headers: response.headers, body: json });
        });
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}
