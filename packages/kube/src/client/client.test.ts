import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { isStatus, StatusError } from '@podvisor/base';
import { WebSocketServer } from 'ws';
import { KubeClient, resources } from '../index.ts';
import { things, TinyApiServer } from '../testing/tiny-api-server.ts';

const server = new TinyApiServer();
let client: KubeClient;

before(async () => {
  await server.start();
  client = KubeClient.fromAccess(server.access('alice'), 'test-agent');
});
after(async () => {
  await client.close();
  await server.stop();
});
beforeEach(() => {
  server.answer = undefined;
  server.seen.length = 0;
});

test('a request carries the client certificate, the agent and an escaped path', async () => {
  server.answer = (_request, response) => {
    response.end('{"kind":"Pod","metadata":{"name":"a"}}');
    return true;
  };
  const pod = await client.get(resources.pods, { namespace: 'ns', name: 'a/b' });
  assert.equal(pod.metadata.name, 'a');
  const [request] = server.seen;
  assert.equal(request?.user, 'alice');
  assert.equal(request?.url.pathname, '/api/v1/namespaces/ns/pods/a%2Fb');
  assert.equal(request?.headers['user-agent'], 'test-agent');
});

test('a JSON patch has the text that Kubernetes compares with', async () => {
  server.answer = (_request, response) => {
    response.end('{}');
    return true;
  };
  const body = [{ op: 'test', path: '/spec', value: 'a > b' }] as const;
  await client.patch(things, { namespace: 'ns', name: 'x' }, { type: 'json', body });
  assert.equal(server.seen[0]?.body, String.raw`[{"op":"test","path":"/spec","value":"a \u003e b"}]`);
});

test('writes go to the right place in the right language', async () => {
  server.answer = (_request, response) => {
    response.end('{}');
    return true;
  };
  const key = { namespace: 'ns', name: 'x' };
  const thing = { metadata: key };
  await client.create(things, thing, { dryRun: true, fieldManager: 'me' });
  await client.update(things, thing);
  await client.updateStatus(things, thing);
  await client.patch(things, key, { type: 'json', body: [{ op: 'test', path: '/spec', value: 1 }] });
  await client.patch(things, key, { type: 'merge', body: {}, subresource: 'status' });
  await client.patch(things, key, { type: 'strategic', body: {} });
  await client.patch(things, key, { type: 'apply', body: {}, fieldManager: 'me', force: true });
  await client.delete(things, key, { propagationPolicy: 'Orphan', preconditions: { uid: 'u' } });
  const base = '/apis/example.io/v1/namespaces/ns/things';
  assert.deepEqual(
    server.seen.map(({ method, url, headers }) => [
      method,
      `${url.pathname}${url.search}`,
      headers['content-type'],
    ]),
    [
      ['POST', `${base}?dryRun=All&fieldManager=me`, 'application/json'],
      ['PUT', `${base}/x`, 'application/json'],
      ['PUT', `${base}/x/status`, 'application/json'],
      ['PATCH', `${base}/x`, 'application/json-patch+json'],
      ['PATCH', `${base}/x/status`, 'application/merge-patch+json'],
      ['PATCH', `${base}/x`, 'application/strategic-merge-patch+json'],
      ['PATCH', `${base}/x?fieldManager=me&force=true`, 'application/apply-patch+yaml'],
      ['DELETE', `${base}/x`, 'application/json'],
    ],
  );
  assert.deepEqual(JSON.parse(server.seen[0]?.body ?? ''), {
    apiVersion: 'example.io/v1',
    kind: 'Thing',
    metadata: key,
  });
  assert.deepEqual(JSON.parse(server.seen.at(-1)?.body ?? ''), {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    propagationPolicy: 'Orphan',
    preconditions: { uid: 'u' },
  });
});

test('an answer that is not success is a StatusError with the words of the server', async () => {
  server.answer = (_request, response) => {
    const error = new StatusError('Conflict', 'the object has been modified', { details: { name: 'x' } });
    response.writeHead(409).end(JSON.stringify(error.toBody()));
    return true;
  };
  await assert.rejects(client.get(things, { name: 'x' }), (error) => {
    return (
      isStatus(error, 'Conflict') &&
      error.message === 'the object has been modified' &&
      error.details?.name === 'x'
    );
  });
  server.answer = (_request, response) => {
    response.writeHead(503).end('bad gateway');
    return true;
  };
  await assert.rejects(client.get(things, { name: 'x' }), { code: 503, message: 'bad gateway' });
});

test('find gives undefined for NotFound only', async () => {
  server.answer = (request, response) => {
    const error = new StatusError(request.url.pathname.endsWith('/gone') ? 'NotFound' : 'Forbidden', 'no');
    response.writeHead(error.code).end(JSON.stringify(error.toBody()));
    return true;
  };
  assert.equal(await client.find(things, { name: 'gone' }), undefined);
  await assert.rejects(client.find(things, { name: 'secret' }), { reason: 'Forbidden' });
});

test('list fills in the type that servers leave out of items', async () => {
  server.answer = (_request, response) => {
    response.end('{"kind":"PodList","metadata":{"resourceVersion":"5"},"items":[{"metadata":{"name":"a"}}]}');
    return true;
  };
  const list = await client.list(resources.pods, { namespace: 'ns', labelSelector: 'a=b', limit: 3 });
  assert.deepEqual(list.items, [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } }]);
  assert.equal(list.metadata.resourceVersion, '5');
  assert.equal(server.seen[0]?.url.search, '?labelSelector=a%3Db&limit=3');
});

test('watch gives events across chunk borders and throws an ERROR event', async () => {
  server.answer = (_request, response) => {
    const line = JSON.stringify({ type: 'ADDED', object: { metadata: { name: 'größe' } } });
    const bytes = Buffer.from(`${line}\n${line.slice(0, 20)}`);
    response.write(bytes.subarray(0, bytes.indexOf(0xc3) + 1));
    setTimeout(() => {
      response.write(bytes.subarray(bytes.indexOf(0xc3) + 1));
      response.write(`${line.slice(20)}\n`);
      const status = new StatusError('Expired', 'too old').toBody();
      response.end(`${JSON.stringify({ type: 'ERROR', object: status })}\n`);
    }, 5);
    return true;
  };
  const names: (string | undefined)[] = [];
  await assert.rejects(
    async () => {
      for await (const event of client.watch(things)) names.push(event.object.metadata?.name);
    },
    { reason: 'Expired', code: 410 },
  );
  assert.deepEqual(names, ['größe', 'größe']);
});

test('an aborted request fails with the reason of the signal', async () => {
  server.answer = () => true;
  const abort = new AbortController();
  const pending = client.get(things, { name: 'x' }, abort.signal);
  setTimeout(() => abort.abort(new Error('enough')), 5);
  await assert.rejects(pending, /enough/);
});

test('dial opens a websocket with the subprotocol, or throws what the server answered', async () => {
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'plain.kubevirt.io' });
  server.http.on('upgrade', (request, socket, head) => {
    if (request.url?.startsWith('/refuse') === true) {
      const body = JSON.stringify(new StatusError('BadRequest', 'VMI is not running').toBody());
      socket.end(
        `HTTP/1.1 400 Bad Request\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
      );
      return;
    }
    sockets.handleUpgrade(request, socket, head, (peer) => {
      peer.send('first words');
      peer.on('message', (data) => peer.send(data));
    });
  });
  const socket = await client.dial('/console', { protocols: ['plain.kubevirt.io'], query: { a: 1 } });
  assert.equal(socket.protocol, 'plain.kubevirt.io');
  // Nobody listens yet: what the server says now must not be lost.
  await new Promise((resolve) => setTimeout(resolve, 5));
  const heard: string[] = [];
  const echoed = new Promise<void>((resolve) =>
    socket.on('message', (data: Buffer) => {
      heard.push(data.toString());
      if (heard.length === 2) resolve();
    }),
  );
  socket.resume();
  socket.send('hello');
  await echoed;
  assert.deepEqual(heard, ['first words', 'hello']);
  socket.terminate();
  await assert.rejects(client.dial('/refuse'), { reason: 'BadRequest', message: 'VMI is not running' });
});
