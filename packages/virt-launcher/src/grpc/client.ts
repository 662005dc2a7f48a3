/** One unary gRPC call on Node's own HTTP/2, over a unix socket and a connection of its own. */
import type { IncomingHttpHeaders } from 'node:http2';
import { createConnection } from 'node:net';
import { frame, FrameReader } from './frames.ts';
import type { Codec } from './server.ts';

const MAX_REPLY_BYTES = 8 * 1024 * 1024;

/** The server answered with a status other than OK, or not at all. */
export class GrpcCallError extends Error {
  override readonly name = 'GrpcCallError';
  /** gRPC's status code; absent when the connection failed. */
  readonly code: number | undefined;

  constructor(code: number | undefined, message: string) {
    super(message);
    this.code = code;
  }
}

export interface UnaryCall<Request, Reply> {
  readonly socket: string;
  /** `/package.Service/Method` */
  readonly path: string;
  readonly request: Codec<Request>;
  readonly reply: Codec<Reply>;
  readonly timeoutMs: number;
}

/** Throws GrpcCallError. */
export async function callUnary<Request, Reply>(
  { socket, path, request, reply, timeoutMs }: UnaryCall<Request, Reply>,
  message: Request,
  signal: AbortSignal,
): Promise<Reply> {
  // Only VMs with hooks call others: the rest do without Node's HTTP/2, which costs megabytes.
  const { connect } = await import('node:http2');
  const session = connect('http://localhost', { createConnection: () => createConnection({ path: socket }) });
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    return await new Promise<Reply>((resolve, reject) => {
      const fail = (code: number | undefined, reason: string): void =>
        reject(new GrpcCallError(code, reason));
      const stop = AbortSignal.any([signal, timeout]);
      const stopped = (): void =>
        fail(
          undefined,
          timeout.aborted ? `no answer within ${timeoutMs / 1000} s` : 'the call was cancelled',
        );
      if (stop.aborted) stopped();
      stop.addEventListener('abort', stopped, { once: true });
      session.on('error', (error) => fail(undefined, error.message));
      const stream = session.request({
        ':method': 'POST',
        ':path': path,
        'content-type': 'application/grpc',
        te: 'trailers',
      });
      const frames = new FrameReader(MAX_REPLY_BYTES);
      const replies: Buffer[] = [];
      let status: IncomingHttpHeaders | undefined;
      const learn = (headers: IncomingHttpHeaders): void => {
        if (headers['grpc-status'] !== undefined) status = headers;
      };
      stream.on('response', learn);
      stream.on('trailers', learn);
      stream.on('error', (error) => fail(undefined, error.message));
      stream.on('data', (chunk: Buffer) => {
        try {
          replies.push(...frames.push(chunk));
        } catch (error) {
          fail(undefined, String(error));
        }
      });
      stream.on('end', () => {
        const code = Number(status?.['grpc-status'] ?? Number.NaN);
        const [answer] = replies;
        if (code === 0 && answer !== undefined) resolve(reply.decode(answer));
        else fail(code, decoded(status?.['grpc-message']) || `the call ended with status ${code}`);
      });
      stream.end(frame(request.encode(message).finish()));
    });
  } finally {
    session.destroy();
  }
}

function decoded(message: string | string[] | undefined): string {
  const text = String(message ?? '');
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a peer that does not encode still has something to say
  }
}
