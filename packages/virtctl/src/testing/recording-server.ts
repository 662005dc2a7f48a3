/** An API server that answers from a table and remembers what it was asked, websockets included. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { WebSocketServer } from 'ws';

export interface SeenRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
  readonly websocket: boolean;
}

/** The answer's JSON, or undefined for 404. */
export type Answer = (request: SeenRequest) => unknown;

export interface RecordingServer {
  readonly url: string;
  readonly seen: SeenRequest[];
  close(): void;
}

/** Starts it on a free port. A websocket gets `greeting` and is closed soon after. */
export async function startRecordingServer(
  answer: Answer,
  greeting = 'hello from guest\r\n',
): Promise<RecordingServer> {
  const seen: SeenRequest[] = [];
  const sockets = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => [...offered][0] ?? false,
  });
  const record = (request: IncomingMessage, body: unknown, websocket: boolean): SeenRequest => {
    const one = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body,
      websocket,
    };
    seen.push(one);
    return one;
  };
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const result = answer(record(request, text === '' ? null : JSON.parse(text), false));
      response.statusCode = result === undefined ? 404 : 200;
      response.setHeader('content-type', 'application/json');
      const missing = {
        kind: 'Status',
        apiVersion: 'v1',
        status: 'Failure',
        reason: 'NotFound',
        message: 'not found',
        code: 404,
      };
      response.end(JSON.stringify(result ?? missing));
    });
  });
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    record(request, null, true);
    sockets.handleUpgrade(request, socket, head, (client) => {
      client.send(Buffer.from(greeting));
      setTimeout(() => client.close(), 20);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    close() {
      sockets.close();
      server.closeAllConnections();
      server.close();
    },
  };
}
