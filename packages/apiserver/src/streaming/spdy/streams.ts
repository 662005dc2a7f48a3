/** Exec and attach over SPDY: the client opens one stream for each of stdin, stdout, stderr, errors and sizes. */
import type { Duplex } from 'node:stream';
import type { ExecOptions } from '@podvisor/home-contract';
import { parseResize, type RemoteStreams } from '../remote-process.ts';
import { SpdyConnection, type SpdyStream } from './connection.ts';

/** How long a client may take to open all its streams. */
const OPEN_MS = 30_000;

/** Resolves when the client has opened every stream that the options ask for. */
export function spdyStreams(socket: Duplex, head: Buffer, options: ExecOptions): Promise<RemoteStreams> {
  return new Promise((resolve, reject) => {
    const wanted = [
      'error',
      ...(options.stdin ? ['stdin'] : []),
      ...(options.stdout ? ['stdout'] : []),
      ...(options.stderr && !options.tty ? ['stderr'] : []),
      ...(options.tty ? ['resize'] : []),
    ];
    const found = new Map<string, SpdyStream>();
    const timer = setTimeout(() => {
      reject(new Error('the client did not open its streams'));
      socket.destroy();
    }, OPEN_MS);
    const connection = new SpdyConnection(socket, (stream) => {
      found.set(stream.headers.get('streamtype') ?? '', stream);
      if (!wanted.every((type) => found.has(type))) return;
      clearTimeout(timer);
      resolve(remoteOf(found, () => connection.close()));
    });
    connection.unshift(head);
  });
}

function remoteOf(streams: ReadonlyMap<string, SpdyStream>, close: () => void): RemoteStreams {
  const error = streams.get('error');
  return {
    stdin: streams.get('stdin'),
    stdout: streams.get('stdout'),
    stderr: streams.get('stderr'),
    sendStatus: (status) => error?.end(JSON.stringify(status)),
    onResize: (handler) => {
      streams.get('resize')?.on('data', (chunk: Buffer) => {
        const size = parseResize(chunk.toString());
        if (size !== undefined) handler(size.columns, size.rows);
      });
    },
    close: () => {
      for (const type of ['stdout', 'stderr']) streams.get(type)?.end();
      // The client closes when it has read the status; do not cut it off before.
      setTimeout(close, 1000).unref();
    },
  };
}
