/** Port-forward: pairs of SPDY streams (data, error) for each connection, on SPDY itself or inside a websocket. */
import { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { NodeProxy, PodRef } from '@podvisor/home-contract';
import { SpdyConnection, type SpdyStream } from './spdy/connection.ts';

/** Joins every connection the client opens to a port of the Pod. */
export function servePortForward(
  socket: Duplex,
  head: Buffer,
  nodeProxy: NodeProxy,
  pod: PodRef,
  signal: AbortSignal,
): void {
  const errors = new Map<string, SpdyStream>();
  const connection = new SpdyConnection(socket, (stream) => {
    const id = stream.headers.get('requestid') ?? stream.headers.get('port') ?? '';
    if (stream.headers.get('streamtype') === 'error') {
      errors.set(id, stream);
      return;
    }
    void forward(stream, errors.get(id), nodeProxy, pod, Number(stream.headers.get('port')), signal).finally(
      () => errors.delete(id),
    );
  });
  connection.unshift(head);
}

async function forward(
  data: SpdyStream,
  error: SpdyStream | undefined,
  nodeProxy: NodeProxy,
  pod: PodRef,
  port: number,
  signal: AbortSignal,
): Promise<void> {
  try {
    const target = await nodeProxy.portForward(pod, port, signal);
    data.pipe(target).pipe(data);
    await new Promise<void>((resolve) => {
      target.once('close', resolve);
      target.once('error', () => resolve());
      data.once('close', () => target.destroy());
    });
    error?.end();
  } catch (problem) {
    error?.end(
      `error forwarding port ${port} to pod ${pod.uid}: ${problem instanceof Error ? problem.message : String(problem)}`,
    );
    data.end();
  }
}

/** A websocket as a plain byte stream: newer clients tunnel SPDY through it. */
export function websocketDuplex(socket: WebSocket): Duplex {
  const duplex = new Duplex({
    read: () => socket.resume(),
    write: (chunk: Buffer, _encoding, done) => {
      if (socket.readyState !== socket.OPEN) done();
      else socket.send(chunk, () => done());
    },
    final: (done) => {
      socket.close(1000);
      done();
    },
    destroy: (error, done) => {
      socket.terminate();
      done(error);
    },
  });
  socket.on('message', (data: Buffer) => {
    if (!duplex.push(Buffer.isBuffer(data) ? data : Buffer.from(data))) socket.pause();
  });
  socket.on('close', () => duplex.push(null));
  socket.on('error', () => duplex.destroy());
  return duplex;
}
