/** Passes what the page asks on to the API server, with the rights of whoever started this program. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { messageOf, StatusError } from '@podvisor/base';
import type { KubeClient } from '@podvisor/kube';
import { createWebSocketStream, WebSocketServer } from 'ws';
import { relaySocket } from '../streams/relay.ts';

/** What the page sends: objects and patches. Disk images go by `virtctl image-upload`. */
const MAX_BODY_BYTES = 3 * 1024 * 1024;
const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
const PASSED_HEADERS = ['accept', 'content-type'];
/** Whoever watches has nothing to say. The websocket is there before anybody has asked who he is. */
const MAX_WATCHER_BYTES = 1024;
/** The one protocol that consoles and screens speak. */
const PROTOCOL = 'plain.kubevirt.io';

interface StatusBody {
  readonly code: number;
  readonly [field: string]: unknown;
}

export class TooLarge extends Error {}

/** Answers `response` with what the API server says to the request at `path`. */
export async function passOn(
  client: KubeClient,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  try {
    const method = request.method ?? '';
    if (!METHODS.has(method)) throw new StatusError('MethodNotAllowed', `${method} is not for objects`);
    const body = method === 'GET' ? undefined : await bodyOf(request);
    const answer = await client.stream(
      {
        method: method as 'GET',
        path,
        headers: passedHeaders(request),
        ...(body === undefined || body === '' ? {} : { body }),
      },
      gone.signal,
    );
    response.writeHead(answer.statusCode, answerHeaders(answer.headers['content-type']));
    await pipeline(answer.body, response);
  } catch (error) {
    if (gone.signal.aborted) return;
    if (response.headersSent) response.destroy();
    else refuse(response, error);
  }
}

/** What the page reads: objects, and logs. */
const READ = /^(?:application\/json|text\/plain)(?:;|$)/;

/**
 * Behind the API server are pages and scripts of tenants, too (`services/NAME/proxy`). Here they would be of the page's
 * origin, with its session: so they are bytes to a browser, and neither a document nor a script.
 */
export function answerHeaders(type: unknown): Readonly<Record<string, string>> {
  return {
    'content-type': typeof type === 'string' && READ.test(type) ? type : 'application/octet-stream',
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    'cache-control': 'no-store',
  };
}

/** The Status that the server sent, or one that says why nobody answered. */
export function refuse(response: ServerResponse, error: unknown): void {
  const status = statusOf(error);
  response.writeHead(status.code, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(status));
}

function statusOf(error: unknown): StatusBody {
  const code = error instanceof StatusError ? error.code : error instanceof TooLarge ? 413 : 502;
  const reason = error instanceof StatusError ? error.reason : undefined;
  const details = error instanceof StatusError ? error.details : undefined;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    message: messageOf(error),
    reason,
    details,
    code,
  };
}

/** Joins the browser's websocket with one to the API server; a refusal is answered before anything is joined. */
export async function passOnUpgrade(
  client: KubeClient,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  path: string,
): Promise<void> {
  const gone = new AbortController();
  socket.once('close', () => gone.abort());
  const remote = await client.dial(path, { protocols: [PROTOCOL] }, gone.signal);
  // Whoever is gone by now, or has asked for no websocket, is joined with nothing.
  const end = (): void => remote.terminate();
  socket.once('close', end);
  const server = new WebSocketServer({ noServer: true, handleProtocols: () => PROTOCOL });
  server.handleUpgrade(request, socket, head, (local) => {
    const stream = createWebSocketStream(local, { allowHalfOpen: false });
    void relaySocket(remote, stream).finally(() => local.terminate());
  });
  if (socket.destroyed) end();
}

/**
 * A watch, as it comes from the API server, over a websocket. Browsers do not tell a page why a websocket was refused:
 * what is wrong is said as a watch says it.
 */
export function passOnWatch(
  clientOf: () => KubeClient,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  path: string,
): void {
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_WATCHER_BYTES });
  server.handleUpgrade(request, socket, head, (local) => {
    const gone = new AbortController();
    local.on('close', () => gone.abort());
    local.on('error', () => local.terminate());
    const watch = async (): Promise<void> => {
      const { body } = await clientOf().stream({ method: 'GET', path }, gone.signal);
      for await (const piece of body as AsyncIterable<Buffer>)
        await new Promise<void>((resolve, reject) =>
          local.send(piece, { binary: true }, (error) => (error == null ? resolve() : reject(error))),
        );
    };
    watch()
      .catch((error: unknown) => {
        if (gone.signal.aborted) return;
        const object = statusOf(error);
        local.send(Buffer.from(`${JSON.stringify({ type: 'ERROR', object })}\n`), { binary: true });
      })
      .finally(() => local.close(1000));
  });
}

function passedHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    PASSED_HEADERS.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}

export async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new TooLarge(`the request is larger than ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
