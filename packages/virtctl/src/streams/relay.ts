/**
 * Joins a websocket to a local stream. Each side is read only as fast as the other takes it; the end of one
 * is the end of both.
 */
import type { Duplex, Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createWebSocketStream, type WebSocket } from 'ws';

/** Resolves when both directions have ended. A connection that breaks is an end like any other. */
export async function relaySocket(socket: WebSocket, local: Duplex): Promise<void> {
  const remote = createWebSocketStream(socket, { allowHalfOpen: false });
  const end = (): void => {
    remote.destroy();
    local.destroy();
    socket.terminate();
  };
  const flow = (from: Duplex, to: Duplex): Promise<void> =>
    pipeline(from, to)
      .catch(() => undefined)
      .finally(end);
  await Promise.all([flow(remote, local), flow(local, remote)]);
}

const QUIET_MS = 1500;

/**
 * Joins a websocket to a pair of standard streams. A websocket cannot be closed on one side only, so after
 * the end of the input we stay as long as answers come.
 */
export async function relayStandard(socket: WebSocket, input: Readable, output: Writable): Promise<void> {
  const remote = createWebSocketStream(socket);
  const ended = Promise.withResolvers<void>();
  let quiet: NodeJS.Timeout | undefined;
  const waitForQuiet = (): void => {
    clearTimeout(quiet);
    quiet = setTimeout(() => ended.resolve(), QUIET_MS);
  };
  input.once('end', waitForQuiet);
  remote.on('data', (chunk: Buffer) => {
    if (quiet !== undefined) waitForQuiet();
    if (!output.write(chunk)) {
      remote.pause();
      output.once('drain', () => remote.resume());
    }
  });
  remote.once('end', () => ended.resolve());
  remote.once('close', () => ended.resolve());
  remote.once('error', ended.reject);
  output.once('error', () => ended.resolve());
  input.pipe(remote, { end: false });
  try {
    await ended.promise;
  } finally {
    clearTimeout(quiet);
    input.unpipe(remote);
    socket.terminate();
  }
}
