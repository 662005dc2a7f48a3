import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { listenOn } from './listen-on.ts';

test('a server answers behind its second address', async () => {
  const server = createServer((request, response) => response.end(request.socket.localAddress));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const listener = await listenOn('127.0.0.2', port, (socket) => server.emit('connection', socket));
  try {
    for (const host of ['127.0.0.1', '127.0.0.2'])
      assert.equal(await (await fetch(`http://${host}:${port}/`)).text(), host);
    await assert.rejects(
      listenOn('192.0.2.77', port, () => undefined),
      { code: 'EADDRNOTAVAIL' },
    );
  } finally {
    listener.close();
    server.closeAllConnections();
    server.close();
  }
});
