import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, connect, type Server } from 'node:net';
import { after, before, test } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import type { NodeProxy, PodRef } from '@podvisor/home-contract';
import { portsOf, serveChannels } from './port-channels.ts';

const pod: PodRef = { namespace: 'default', name: 'web', uid: 'u-1', nodeName: 'n' };
let echo: Server;
let server: WebSocketServer;

/** Port 81 refuses; all others lead to a server that answers in capitals and ends with the line. */
const nodes = {
  portForward: async (_pod: PodRef, port: number) => {
    if (port === 81) throw new Error('connection refused');
    return connect((echo.address() as AddressInfo).port, '127.0.0.1');
  },
} as unknown as NodeProxy;

before(async () => {
  echo = createServer((socket) => {
    socket.on('data', (chunk) => {
      socket.write(chunk.toString().toUpperCase());
      if (chunk.toString().endsWith('\n')) socket.end();
    });
  }).listen(0, '127.0.0.1');
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', (socket, request) =>
    serveChannels(
      socket,
      portsOf(new URL(request.url ?? '/', 'http://x').searchParams),
      nodes,
      pod,
      new AbortController().signal,
    ),
  );
  await Promise.all([once(echo, 'listening'), once(server, 'listening')]);
});
after(() => {
  server.close();
  echo.close();
});

async function talk(
  ports: string,
  send: readonly (readonly [number, string])[],
): Promise<Map<number, string>> {
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/?ports=${ports}`);
  const heard = new Map<number, string>();
  client.on('message', (data: Buffer) => {
    const channel = data[0] ?? 0;
    heard.set(channel, (heard.get(channel) ?? '') + data.toString('latin1', 1));
  });
  await once(client, 'open');
  for (const [channel, text] of send) client.send(Buffer.concat([Buffer.from([channel]), Buffer.from(text)]));
  await once(client, 'close', { signal: AbortSignal.timeout(5_000) });
  return heard;
}

test('each port has a channel for data and one for errors, and says its number first', async () => {
  const heard = await talk('8080,9090', [
    [2, 'two\n'],
    [0, 'on'],
    [0, 'e\n'],
  ]);
  assert.equal(heard.get(0), '\x90\x1fONE\n');
  assert.equal(heard.get(1), '\x90\x1f');
  assert.equal(heard.get(2), '\x82\x23TWO\n');
  assert.equal(heard.get(3), '\x82\x23');
});

test('a port that refuses is told on its error channel, and the others go on', async () => {
  const heard = await talk('81&ports=8080', [[2, 'still\n']]);
  assert.equal(heard.get(1), 'Q\x00error forwarding port 81 to pod u-1: connection refused');
  assert.equal(heard.get(2), '\x90\x1fSTILL\n');
});

test('ports that are none', () => {
  for (const query of ['', 'ports=', 'ports=0', 'ports=65536', 'ports=x', `ports=${'1,'.repeat(127)}1`])
    assert.throws(() => portsOf(new URLSearchParams(query)), { code: 400 }, query);
});
