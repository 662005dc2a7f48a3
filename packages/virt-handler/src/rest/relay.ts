/** Console and VNC: bytes between a websocket and a stream of the launcher, with back-pressure both ways. */
import { Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { launcherProto } from '@podvisor/api';
import { createWebSocketStream, type WebSocket } from 'ws';
import type { LauncherConnection } from '../launcher-client/connection.ts';

/** Relays to a stream of the launcher until either side ends; then both are closed. */
export async function relay(
  socket: WebSocket,
  connection: LauncherConnection,
  { target, scrollback }: { readonly target: string; readonly scrollback: boolean },
): Promise<void> {
  const remote = connection.openStream(target, scrollback);
  const local = createWebSocketStream(socket);
  const toRemote = new Writable({
    write: (data: Buffer, _encoding, done) => {
      if (remote.write({ target: '', data, scrollback: false })) done();
      else remote.once('drain', () => done());
    },
    final: (done) => {
      remote.end();
      done();
    },
  });
  const toBytes = new Transform({
    writableObjectMode: true,
    readableObjectMode: false,
    transform: (chunk: launcherProto.StreamChunk, _encoding, done) => done(null, chunk.data),
  });
  try {
    await Promise.race([pipeline(local, toRemote), pipeline(remote, toBytes, local)]);
  } finally {
    remote.cancel();
    socket.close();
    local.destroy();
  }
}
