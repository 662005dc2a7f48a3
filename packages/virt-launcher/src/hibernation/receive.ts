/** The other end of QEMU's stream: a socket that is written to once. */
import { rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { MemoryEnd, RECEIVED } from './memory-end.ts';

export interface Receiver extends AsyncDisposable {
  readonly path: string;
  /** What QEMU sends; ends when it has sent all, and is told so. */
  memory(): AsyncIterable<Buffer>;
}

export async function receiveAt(path: string): Promise<Receiver> {
  await rm(path, { force: true });
  const connected = Promise.withResolvers<Socket>();
  // Nobody may be waiting when it is closed.
  connected.promise.catch(() => {});
  const server = createServer((socket) => {
    socket.on('error', () => {}); // the reader is told
    connected.resolve(socket);
  });
  server.maxConnections = 1;
  server.listen(path);
  await once(server, 'listening');
  return {
    path,
    memory: () => watched(connected.promise),
    [Symbol.asyncDispose]: async () => {
      connected.reject(new Error('QEMU did not connect'));
      server.close();
      await connected.promise.then(
        (socket) => void socket.destroy(),
        () => {},
      );
    },
  };
}

async function* watched(connected: Promise<Socket>): AsyncGenerator<Buffer> {
  const socket = await connected;
  const end = new MemoryEnd();
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    if (end.completes(chunk)) socket.write(RECEIVED);
    yield chunk;
  }
}
