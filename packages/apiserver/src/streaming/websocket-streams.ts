/**
 * The channel protocols over websocket: every message starts with its channel's number (0 stdin, 1 stdout,
 * 2 stderr, 3 status, 4 terminal size). In v5 channel 255 closes another one.
 */
import { PassThrough, Writable } from 'node:stream';
import type { WebSocket } from 'ws';
import type { ExecOptions } from '@podvisor/home-contract';
import { parseResize, type RemoteStreams } from './remote-process.ts';

export const CHANNEL_PROTOCOLS = [
  'v5.channel.k8s.io',
  'v4.channel.k8s.io',
  'v3.channel.k8s.io',
  'v2.channel.k8s.io',
  'channel.k8s.io',
];
const CLOSE = 255;

export function websocketStreams(socket: WebSocket, options: ExecOptions): RemoteStreams {
  const stdin = options.stdin ? new PassThrough() : undefined;
  /** What comes after the end of the input is dropped; a process that does not read makes the client wait. */
  const feed = (body: Buffer): void => {
    if (stdin === undefined || stdin.writableEnded || stdin.destroyed) return;
    if (stdin.write(body)) return;
    socket.pause();
    stdin.once('drain', () => socket.resume());
  };
  let resize: (columns: number, rows: number) => void = () => undefined;
  socket.on('message', (data: Buffer) => {
    const bytes = Buffer.isBuffer(data) ? data : Buffer.from(data);
    const body = bytes.subarray(1);
    if (bytes[0] === 0) feed(body);
    else if (bytes[0] === 4) {
      const size = parseResize(body.toString());
      if (size !== undefined) resize(size.columns, size.rows);
    } else if (bytes[0] === CLOSE && body[0] === 0) stdin?.end();
  });
  socket.on('close', () => stdin?.end());
  socket.on('error', () => socket.terminate());
  // Clients wait for a message on every channel that they asked for.
  for (const [channel, asked] of [
    [0, options.stdin],
    [1, options.stdout],
    [2, options.stderr],
  ] as const)
    if (asked) socket.send(Buffer.from([channel]));
  return {
    stdin,
    stdout: options.stdout ? channelWriter(socket, 1) : undefined,
    stderr: options.stderr ? channelWriter(socket, 2) : undefined,
    sendStatus: (status) => {
      if (socket.readyState === socket.OPEN)
        socket.send(Buffer.concat([Buffer.from([3]), Buffer.from(JSON.stringify(status))]));
    },
    onResize: (handler) => {
      resize = handler;
    },
    close: () => socket.close(1000),
  };
}

/** Writes to one channel of a websocket; what comes after its end is dropped. */
export function channelWriter(socket: WebSocket, channel: number): Writable {
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      if (socket.readyState !== socket.OPEN) {
        done();
        return;
      }
      socket.send(Buffer.concat([Buffer.from([channel]), chunk]), () => done());
    },
  });
}
