import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { KubeClient } from '@podvisor/kube';
import { request } from 'undici';
import { type WebSocket, WebSocketServer } from 'ws';
import { uploadProxy } from './proxy.ts';

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
const listening = async (server: Server): Promise<Server> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
};
let pod: Server;
let api: Server;
let client: KubeClient;
let received = '';
let asked: string | undefined;
/** Connections to the Pod that fail before its program listens. */
let refusals = 2;

const claimOf = (name: string): object => ({
  metadata: { annotations: { 'cdi.kubevirt.io/storage.uploadPodName': `cdi-upload-${name}` } },
});
const OBJECTS: Readonly<Record<string, object>> = {
  '/apis/cdi.kubevirt.io/v1beta1/cdiconfigs/config': { status: {} },
  '/api/v1/namespaces/n/persistentvolumeclaims/ours': claimOf('ours'),
  '/api/v1/namespaces/n/pods/cdi-upload-ours': {
    metadata: { annotations: { 'podvisor.io/upload-port': '8443' } },
  },
  '/api/v1/namespaces/n/persistentvolumeclaims/theirs': claimOf('theirs'),
  '/api/v1/namespaces/n/pods/cdi-upload-theirs': { metadata: {} },
};

/** As the node of a cluster does it: two channels, each with its port first. */
function serveChannels(socket: WebSocket): void {
  const named = (channel: number): Buffer => Buffer.of(channel, 0xfb, 0x20);
  socket.send(named(0));
  socket.send(named(1));
  if (refusals > 0) {
    refusals -= 1;
    socket.send(Buffer.concat([Buffer.of(1), Buffer.from('connection refused')]));
    socket.close(1000);
    return;
  }
  const inner = connect(portOf(pod), '127.0.0.1');
  socket.on('message', (message: Buffer) => inner.write(message.subarray(1)));
  socket.on('close', () => inner.destroy());
  inner.on('data', (bytes: Buffer) => socket.send(Buffer.concat([Buffer.of(0), bytes])));
  inner.on('close', () => socket.close(1000));
}

before(async () => {
  pod = await listening(
    createServer((message: IncomingMessage, response) => {
      void text(message).then((body) => {
        if (message.method === 'POST') received = body;
        response.end(message.method === 'POST' ? 'taken' : '');
      });
    }),
  );
  const sockets = new WebSocketServer({ noServer: true });
  api = await listening(
    createServer(({ url = '' }, response) => {
      const found = OBJECTS[url];
      response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify(found ?? { kind: 'Status', status: 'Failure', reason: 'NotFound', code: 404 }),
      );
    }),
  );
  api.on('upgrade', (message: IncomingMessage, socket, head) => {
    asked = message.url;
    sockets.handleUpgrade(message, socket, head, serveChannels);
  });
  client = KubeClient.fromAccess({ server: `http://127.0.0.1:${portOf(api)}` });
});
after(async () => {
  await client.close();
  for (const server of [api, pod]) {
    server.closeAllConnections();
    server.close();
  }
});

test('without a proxy an image goes through the API server to the Pod that takes it, once it listens', async () => {
  const told: string[] = [];
  const { url, headers, dispatcher } = await uploadProxy(client, 'n', 'ours', {}, (base) => told.push(base));
  const image = 'x'.repeat(300_000);
  const response = await request(url, { method: 'POST', headers, dispatcher, body: image });
  assert.equal(await response.body.text(), 'taken');
  assert.equal(received.length, image.length);
  assert.equal(asked, '/api/v1/namespaces/n/pods/cdi-upload-ours/portforward?ports=8443');
  assert.deepEqual(told, ['Pod cdi-upload-ours, through the API server']);
  assert.equal(refusals, 0);
  await dispatcher.destroy();
});

test('a Pod of others is not meant, and what KubeVirt says is said', async () => {
  await assert.rejects(uploadProxy(client, 'n', 'theirs'), /^Error: uploadproxy URL not found$/);
});
