/** One question of the gRPC health protocol (grpc.health.v1.Health/Check) over HTTP/2 without TLS. */
import { connect } from 'node:http2';
import type { Socket } from 'node:net';
import { messageOf } from '@podvisor/base';

/** Answers are tiny; whatever is longer is no answer. */
const MAX_ANSWER_BYTES = 4096;
const SERVING = 1;

export interface GrpcAnswer {
  readonly ok: boolean;
  readonly message: string;
}

/** Asks over a connection that is being made. Never rejects. */
export function checkGrpc(
  dial: () => Socket,
  authority: string,
  service: string,
  timeoutMs: number,
): Promise<GrpcAnswer> {
  return new Promise((resolve) => {
    const session = connect(`http://${authority}`, { createConnection: dial });
    const end = (ok: boolean, message: string): void => {
      clearTimeout(timer);
      session.destroy();
      resolve({ ok, message });
    };
    const timer = setTimeout(
      () => end(false, `timeout: failed to connect service "${authority}" within ${timeoutMs / 1000}s`),
      timeoutMs,
    );
    session.on('error', (error) => end(false, messageOf(error)));
    const stream = session.request({
      ':method': 'POST',
      ':path': '/grpc.health.v1.Health/Check',
      'content-type': 'application/grpc',
      te: 'trailers',
      'user-agent': 'kube-probe/1.36',
    });
    const chunks: Buffer[] = [];
    let size = 0;
    let status = '';
    const note = (headers: Readonly<Record<string, unknown>>): void => {
      if (headers['grpc-status'] !== undefined) status = String(headers['grpc-status']);
    };
    stream.on('response', note);
    stream.on('trailers', note);
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_ANSWER_BYTES) chunks.push(chunk);
      else end(false, 'the answer of the health service is too long');
    });
    stream.on('error', (error) => end(false, messageOf(error)));
    stream.on('end', () => {
      if (status !== '0')
        end(false, `error: health rpc failed: status ${status === '' ? 'missing' : status}`);
      else if (servingStatus(Buffer.concat(chunks)) === SERVING) end(true, '');
      else end(false, 'service unhealthy (responded with "NOT_SERVING")');
    });
    stream.end(question(service));
  });
}

/** Length-prefixed HealthCheckRequest: the service is field 1. */
function question(service: string): Buffer {
  const name = Buffer.from(service);
  const message = name.length === 0 ? name : Buffer.concat([Buffer.from([0x0a, name.length]), name]);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** Field 1 of a HealthCheckResponse; 0 when it is not there. */
function servingStatus(answer: Buffer): number {
  return answer.length >= 7 && answer[5] === 0x08 ? (answer[6] ?? 0) : 0;
}
