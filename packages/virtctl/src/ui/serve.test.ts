import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { test, type TestContext } from 'node:test';
import { StatusError } from '@podvisor/base';
import type { HttpRequest, KubeClient } from '@podvisor/kube';
import { WebSocket } from 'ws';
import type { PageAccess } from './access.ts';
import { PageServer } from './serve.ts';

const EVENT = '{"type":"ADDED","object":{}}\n';

/** A page whose API server has one event; `cookie: in` is a session. */
async function page(
  t: TestContext,
  stream: (request: HttpRequest) => Promise<unknown>,
  dial?: () => Promise<unknown>,
): Promise<string> {
  const client = { stream, dial } as unknown as KubeClient;
  const access: PageAccess = {
    opensWith: 'key',
    scheme: 'http',
    isOwnHost: (host) => host.startsWith('127.0.0.1:'),
    open: async () => undefined,
    close: () => '',
    clientOf: ({ cookie }) => (cookie === 'in' ? client : undefined),
  };
  const served = new PageServer({ access, files: new Map(), now: () => 0 });
  t.after(() => served[Symbol.asyncDispose]());
  const server = served.serve(createServer()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What a watch of the browser hears until its end. */
async function heard(host: string, cookie: string, origin = `http://${host}`): Promise<string> {
  const socket = new WebSocket(`ws://${host}/watch/api/v1/nodes?watch=1`, { headers: { cookie, origin } });
  let text = '';
  socket.on('message', (data) => (text += String(data)));
  await once(socket, 'close');
  return text;
}

test('a watch comes over a websocket as the API server sends it', async (t) => {
  const asked: string[] = [];
  const host = await page(t, async ({ path }) => {
    asked.push(path);
    return { body: Readable.from([Buffer.from(EVENT), Buffer.from(EVENT)]) };
  });
  assert.equal(await heard(host, 'in'), EVENT + EVENT);
  assert.deepEqual(asked, ['/api/v1/nodes?watch=1']);
});

test('why there is no watch is said as a watch says it, because browsers tell a page nothing else', async (t) => {
  const host = await page(t, async () => {
    throw new StatusError('Forbidden', 'you may not watch nodes');
  });
  const error = async (cookie: string): Promise<unknown> =>
    (JSON.parse(await heard(host, cookie)) as { object: { code: number } }).object.code;
  assert.equal(await error('in'), 403);
  assert.equal(await error(''), 401);
});

test('no other site watches', async (t) => {
  const host = await page(t, () => assert.fail('nobody may ask'));
  await assert.rejects(heard(host, 'in', 'https://evil.example'), /403/);
});

test('who watches says nothing: a long message is not collected, with a session or without', async (t) => {
  const host = await page(t, async () => ({
    body: (async function* () {
      yield Buffer.from(EVENT);
      await new Promise(() => undefined); // no more events, and no end
    })(),
  }));
  const headers = { cookie: 'in', origin: `http://${host}` };
  const socket = new WebSocket(`ws://${host}/watch/api/v1/nodes?watch=1`, { headers });
  await once(socket, 'open');
  socket.send(Buffer.alloc(1024 * 1024));
  const [code] = (await once(socket, 'close', { signal: AbortSignal.timeout(10_000) })) as [number];
  assert.equal(code, 1009); // RFC 6455: too big
});

for (const [who, key, leaves] of [
  ['has gone before it was there', Buffer.alloc(16).toString('base64'), true],
  ['asks for no websocket', 'none', false],
] as const)
  test(`a console is not kept for who ${who}`, { timeout: 10_000 }, async (t) => {
    const [dialled, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const answered = Promise.withResolvers<unknown>();
    const host = await page(
      t,
      () => assert.fail('nothing is watched'),
      () => {
        dialled.resolve();
        return answered.promise;
      },
    );
    const browser = connect(Number(host.split(':')[1]), '127.0.0.1').resume();
    t.after(() => browser.destroy());
    const headers = `Host: ${host}\r\nOrigin: http://${host}\r\nCookie: in\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}`;
    browser.write(`GET /k8s/console HTTP/1.1\r\n${headers}\r\n\r\n`);
    await dialled.promise;
    if (leaves) browser.resetAndDestroy();
    if (leaves) await new Promise((resolve) => setTimeout(resolve, 50)); // until the server has heard of it
    answered.resolve(Object.assign(new EventEmitter(), { terminate: () => ended.resolve() }));
    await ended.promise;
  });
