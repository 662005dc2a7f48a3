/**
 * A gRPC server on an HTTP/2 of our own, for one unix socket and few clients. It does what the launcher needs (unary
 * calls, streams either way, cancellation, statuses) and no more: no TLS, no compression, no deadlines of its own.
 * A gRPC library would cost each VM some megabytes.
 */
import { createServer, type Server } from 'node:net';
import { messageOf } from '@podvisor/base';
import { GrpcCall, STATUS } from './call.ts';
import { Http2Session } from './http2/session.ts';

/** A message's codec as `ts-proto` generates it. */
export interface Codec<T> {
  encode(message: T): { finish(): Uint8Array };
  decode(bytes: Uint8Array): T;
}

/** Handles one call from its first message to its end. */
export type CallHandler = (call: GrpcCall) => void;

/** One request, one reply. A rejection becomes a status. */
export function unary<Request, Reply>(
  request: Codec<Request>,
  reply: Codec<Reply>,
  work: (request: Request) => Promise<Reply>,
): CallHandler {
  return (call) => {
    let asked = false;
    call.onMessage((bytes) => {
      if (asked) return;
      asked = true;
      Promise.resolve()
        .then(() => work(request.decode(bytes)))
        .then(
          (answer) => {
            call.write(reply.encode(answer).finish());
            call.end();
          },
          (error: unknown) => call.end(STATUS.internal, messageOf(error)),
        );
    });
    call.onInputEnd(() => {
      if (!asked) call.end(STATUS.invalidArgument, 'the call came without a request');
    });
  };
}

export class GrpcServer {
  readonly #server: Server;
  readonly #sessions = new Set<Http2Session>();

  /** `handlers` by path, e.g. `/podvisor.launcher.v1.Launcher/Info`. */
  constructor(handlers: ReadonlyMap<string, CallHandler>) {
    this.#server = createServer((socket) => {
      const session = new Http2Session(socket, (stream, headers) => {
        const call = new GrpcCall(stream);
        const path = headers.get(':path') ?? '';
        const handler = handlers.get(path);
        if (handler === undefined) call.end(STATUS.unimplemented, `there is no call ${path}`);
        else handler(call);
      });
      this.#sessions.add(session);
      socket.on('close', () => this.#sessions.delete(session));
    });
  }

  listen(socketPath: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ path: socketPath }, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
  }

  /** Takes no more calls; those under way have `graceMs` to be answered. */
  close(graceMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        for (const session of this.#sessions) session.destroy();
      }, graceMs);
      this.#server.close(() => {
        clearTimeout(timer);
        resolve();
      });
      for (const session of this.#sessions) session.close();
    });
  }
}
