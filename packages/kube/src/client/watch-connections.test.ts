/** Watches of a client share a connection, where the server speaks HTTP/2, and no other's fate. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createSecureServer, type Http2ServerResponse } from 'node:http2';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { afterEach, describe, test } from 'node:test';
import { connect, createServer as createTlsServer } from 'node:tls';
import { createCa, issueCertificate } from '../pki/certificate.ts';
import { Transport } from './transport.ts';
import { type StreamedAnswer, WatchConnections } from './watch-connections.ts';

type Answer = (request: { readonly url?: string }, response: Writable & { statusCode: number }) => void;

const now = Date.now();
const ca = createCa({ commonName: 'test', now });
const leaf = issueCertificate(ca, { commonName: 'server', names: ['127.0.0.1'], usages: ['server'], now });
const tls = { cert: leaf.certificate, key: leaf.key };
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** A server of one of the kinds, and a client for it. */
async function begin(
  answer: Answer,
  { http2 = true, maxConcurrentStreams = 250 } = {},
): Promise<{ transport: Transport; sockets: Set<Socket>; renew: () => void }> {
  const server = http2
    ? createSecureServer({ ...tls, settings: { maxConcurrentStreams }, maxSessionMemory: 128 }, answer)
    : createServer(tls, answer);
  const sockets = new Set<Socket>();
  server.on('secureConnection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const access = {
    server: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ca: ca.certificate,
  };
  let current = access;
  const transport = new Transport({ current: () => current });
  ends.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  ends.push(() => transport.close());
  return { transport, sockets, renew: () => void (current = { ...access }) };
}

const watchOf = (transport: Transport, path = '/', signal?: AbortSignal): Promise<StreamedAnswer> =>
  transport.watch({ method: 'GET', path, streaming: 'watch' }, signal);

const watches = (transport: Transport, count: number): Promise<StreamedAnswer[]> =>
  Promise.all(Array.from({ length: count }, () => watchOf(transport)));

const greeting: Answer = (_request, response) => void response.write('{}\n');

async function firstOf({ body }: StreamedAnswer): Promise<string> {
  for await (const chunk of body) return String(chunk);
  return '';
}

describe('watches', () => {
  test('that begin at once share one connection', async () => {
    const { transport, sockets } = await begin(greeting);
    const all = await watches(transport, 40);
    assert.deepEqual(await Promise.all(all.map(firstOf)), Array<string>(40).fill('{}\n'));
    assert.equal(sockets.size, 1);
  });

  test('do not wait for ever for a server that takes the connection and says nothing', {
    timeout: 20_000,
  }, async () => {
    const sockets: Socket[] = [];
    const server = createTlsServer({ ...tls, ALPNProtocols: ['h2'] }, (socket) => {
      socket.on('error', () => {});
      sockets.push(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ends.push(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const connections = new WatchConnections({
      answerWithinMs: 100,
      connect: async () => {
        const socket = connect({ host: '127.0.0.1', port, ca: ca.certificate, ALPNProtocols: ['h2'] });
        await once(socket, 'secureConnect');
        return socket;
      },
    });
    ends.push(() => connections.destroy());
    const ask = connections.send(new URL(`https://127.0.0.1:${port}`), 'me', { path: '/', headers: {} });
    await assert.rejects(ask, /did not begin to speak HTTP\/2/);
  });

  test('have their own where the server speaks HTTP/1.1 alone', async () => {
    const { transport, sockets } = await begin(greeting, { http2: false });
    const all = await watches(transport, 3);
    assert.deepEqual(await Promise.all(all.map(firstOf)), ['{}\n', '{}\n', '{}\n']);
    // One more was opened to see what the server speaks; it may have been closed before the server knew.
    assert.ok(sockets.size >= 3, `${sockets.size}`);
  });

  test('go to a further connection when the server takes no more on one', async () => {
    const { transport, sockets } = await begin(greeting, { maxConcurrentStreams: 2 });
    const first = await watchOf(transport);
    const others = await watches(transport, 4);
    assert.deepEqual(await Promise.all([first, ...others].map(firstOf)), Array<string>(5).fill('{}\n'));
    assert.equal(sockets.size, 3);
  });

  test('are told the status and the words of a refusal', async () => {
    const { transport } = await begin((_request, response) => {
      response.statusCode = 403;
      response.end('no');
    });
    const { statusCode, body } = await watchOf(transport);
    assert.deepEqual([statusCode, await body.text()], [403, 'no']);
  });

  test('end alone when they are given up', async () => {
    const ended: string[] = [];
    const { transport, sockets } = await begin((request, response) => {
      response.write('{}\n');
      response.once('close', () => void ended.push(request.url ?? ''));
    });
    const stop = new AbortController();
    const given = await watchOf(transport, '/given-up', stop.signal);
    const kept = await watchOf(transport, '/kept');
    stop.abort(new Error('enough'));
    await assert.rejects(async () => {
      for await (const chunk of given.body) void chunk;
    }, /enough/);
    assert.equal(await firstOf(kept), '{}\n');
    while (!ended.includes('/given-up')) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(sockets.size, 1);
  });

  test('fail with the reason when they are given up before they began', async () => {
    const { transport } = await begin(() => {});
    const stop = new AbortController();
    const asked = watchOf(transport, '/', stop.signal);
    setTimeout(() => stop.abort(new Error('enough')), 50);
    await assert.rejects(asked, /enough/);
    await assert.rejects(watchOf(transport, '/', stop.signal), /enough/);
  });

  test('fail together when the connection is lost, and begin again on another', async () => {
    const { transport, sockets } = await begin(greeting);
    const all = await watches(transport, 3);
    const readers = all.map(async ({ body }) => {
      for await (const chunk of body) void chunk;
    });
    for (const socket of sockets) socket.destroy();
    const told = await Promise.allSettled(readers);
    assert.equal(told.length, 3, 'every reader is told, be it by an error or by the end');
    assert.equal(await firstOf(await watchOf(transport)), '{}\n');
    assert.equal(sockets.size, 2);
  });

  test('stay where they are when the server sends the connection away; new ones get another', async () => {
    const responses: Http2ServerResponse[] = [];
    const { transport, sockets } = await begin((_request, response) => {
      response.write('{}\n');
      responses.push(response as Http2ServerResponse);
    });
    const first = await watchOf(transport);
    const lines = first.body[Symbol.asyncIterator]();
    assert.equal(String((await lines.next()).value), '{}\n');
    responses[0]?.stream.session?.goaway();
    // Until the client has heard of it, the server refuses.
    while (sockets.size < 2) await watchOf(transport).then(firstOf, () => {});
    responses[0]?.write('later\n');
    assert.equal(String((await lines.next()).value), 'later\n');
  });

  test('get another connection when the credentials have changed', async () => {
    const { transport, sockets, renew } = await begin(greeting);
    await watchOf(transport);
    renew();
    assert.equal(await firstOf(await watchOf(transport)), '{}\n');
    assert.equal(sockets.size, 2);
  });

  test('that nobody reads do not hold up the others', async () => {
    const line = `${'x'.repeat(1023)}\n`;
    const { transport, sockets } = await begin((request, response) => {
      if (request.url === '/read') response.write('{}\n');
      else for (let i = 0; i < 1_000; i += 1) response.write(line);
    });
    const unread = await Promise.all(Array.from({ length: 50 }, () => watchOf(transport, '/unread')));
    assert.equal(await firstOf(await watchOf(transport, '/read')), '{}\n');
    assert.deepEqual([unread.length, sockets.size], [50, 1]);
  });
});
