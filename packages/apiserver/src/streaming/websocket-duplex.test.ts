import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import { websocketDuplex } from './port-forward.ts';

test('a client that sends faster than the Pod reads is made to wait', async () => {
  const http = createServer();
  const server = new WebSocketServer({ server: http });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const connected = once(server, 'connection') as Promise<[WebSocket]>;
  const client = new WebSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}`);
  try {
    await once(client, 'open');
    const [socket] = await connected;
    const duplex = websocketDuplex(socket);
    const chunk = Buffer.alloc(64 * 1024);
    const chunks = 512;
    let sent = 0;
    for (let i = 0; i < chunks; i += 1) client.send(chunk, () => (sent += 1));
    // Nothing more is taken from a socket that is paused.
    while (!socket.isPaused && sent < chunks) await new Promise(setImmediate);
    assert.ok(sent < chunks, 'not all was taken');
    assert.ok(duplex.readableLength <= 1024 * 1024, `${duplex.readableLength} bytes wait for a reader`);
    let received = 0;
    for await (const piece of duplex) {
      received += (piece as Buffer).length;
      if (received === chunks * chunk.length) break;
    }
    assert.equal(received, chunks * chunk.length, 'nothing is lost');
  } finally {
    client.terminate();
    server.close();
    http.close();
    http.closeAllConnections();
  }
});
