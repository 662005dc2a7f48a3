/** HTTP/2 as clients see it: many requests on one connection, their ends, and the limits. */
import { systemClock } from '@podvisor/base';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { issueCertificate, type KeyPair } from '@podvisor/kube';
import type { ServerLimits } from './limits/server-limits.ts';
import { FRAME, RawHttp2 } from './testing/http2-frames.ts';
import { startTestServer, type TestServer } from './testing/test-server.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const LIMITS: Partial<ServerLimits> = {
  headerBytes: 8 * 1024,
  streamsPerConnection: 120,
  longRunning: 20,
};

/** For tests of these times alone: on a busy machine an honest client may be slower. */
const SHORT_TIMES: Partial<ServerLimits> = { headersMs: 300, bodyMs: 500, keepAliveMs: 600 };

let home: TestServer;
let hasty: TestServer;
let tenant: KeyPair;
const faults: unknown[] = [];

interface Reply {
  readonly code: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

function sessionOf(user: KeyPair | undefined, { server, ca }: TestServer = home): ClientHttp2Session {
  const session = connect(`https://127.0.0.1:${server.port}`, {
    ca: ca.certificate,
    ...(user === undefined ? {} : { cert: user.certificate, key: user.key }),
  });
  session.on('error', () => undefined);
  return session;
}

/** Rejects when the stream ends without an answer: its connection may be closed without an error of its own. */
function answerOf(stream: ClientHttp2Stream): Promise<[Record<string, unknown>]> {
  stream.on('error', () => undefined);
  const closed = new AbortController();
  stream.once('close', () => closed.abort());
  return once(stream, 'response', { signal: closed.signal }) as Promise<[Record<string, unknown>]>;
}

async function codeOf(stream: ClientHttp2Stream): Promise<number> {
  const [headers] = await answerOf(stream);
  return Number(headers[':status']);
}

async function send(
  session: ClientHttp2Session,
  method: string,
  path: string,
  body?: string | Buffer,
  more: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const stream = session.request({
    ':method': method,
    ':path': path,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...more,
  });
  const answered = answerOf(stream);
  stream.end(body);
  const [headers] = await answered;
  const chunks = (await stream.toArray()) as Buffer[];
  return { code: Number(headers[':status']), text: Buffer.concat(chunks).toString(), headers };
}

function configMap(name: string, data: object = {}): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });
}

async function untilEnded(stream: ClientHttp2Stream): Promise<void> {
  stream.on('error', () => undefined);
  await new Promise<void>((resolve) => stream.once('close', resolve));
}

before(async () => {
  const log = {
    info: () => undefined,
    warn: () => undefined,
    error: (fields: object, message: string) => faults.push([message, fields]),
  };
  home = await startTestServer({ overrides: { limits: LIMITS, log } });
  hasty = await startTestServer({ overrides: { limits: { ...LIMITS, ...SHORT_TIMES }, log } });
  tenant = issueCertificate(home.ca, { commonName: 'tenant', usages: ['client'], now: systemClock.now() });
  const admin = sessionOf(home.admin);
  const { code } = await send(
    admin,
    'POST',
    '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
    JSON.stringify({
      metadata: { name: 'tenant' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'User', name: 'tenant', apiGroup: 'rbac.authorization.k8s.io' }],
    }),
  );
  assert.equal(code, 201);
  admin.close();
});
after(async () => {
  await home[Symbol.asyncDispose]();
  await hasty[Symbol.asyncDispose]();
  assert.deepEqual(faults, []);
});

describe('which protocol a client gets', () => {
  for (const [offered, chosen] of [
    [['h2', 'http/1.1'], 'h2'],
    [['http/1.1', 'h2'], 'h2'],
    [['http/1.1'], 'http/1.1'],
    [undefined, false],
  ] as const)
    test(`${offered?.join(', ') ?? 'nothing'} offered: ${chosen || 'HTTP/1.1'}`, async () => {
      const socket = connectTls({
        host: '127.0.0.1',
        port: home.server.port,
        ca: home.ca.certificate,
        ...(offered === undefined ? {} : { ALPNProtocols: [...offered] }),
      });
      await once(socket, 'secureConnect');
      assert.equal(socket.alpnProtocol, chosen);
      if (chosen !== 'h2') await answers(socket);
      socket.destroy();
    });

  async function answers(socket: TLSSocket): Promise<void> {
    socket.write(
      'GET /api/v1/namespaces/default/pods/p/exec HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    );
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    assert.match(chunk.toString(), /^HTTP\/1\.1 403 /, 'an upgrade is looked at, and refused to strangers');
  }
});

describe('requests', () => {
  let session: ClientHttp2Session;
  before(() => {
    session = sessionOf(home.admin);
  });
  after(() => session.close());

  test('the certificate of the connection says who it is, for each request', async () => {
    assert.equal((await send(session, 'POST', MAPS, configMap('one'))).code, 201);
    assert.equal((await send(session, 'GET', `${MAPS}/one`)).code, 200);
    assert.equal((await send(session, 'HEAD', '/healthz')).text, '');
    const anonymous = sessionOf(undefined);
    assert.equal((await send(anonymous, 'GET', `${MAPS}/one`)).code, 403);
    const bad = { authorization: 'Bearer nonsense' };
    assert.equal((await send(anonymous, 'GET', `${MAPS}/one`, undefined, bad)).code, 401);
    anonymous.close();
  });

  test('methods that nobody knows', async () => {
    assert.equal((await send(session, 'BREW', MAPS)).code, 405);
    assert.equal((await send(session, 'CONNECT', MAPS).catch(() => ({ code: 405 }))).code, 405);
  });

  test('a large body, a large answer, and one that is too large', async () => {
    const data = { text: 'x'.repeat(900_000) };
    for (const name of ['large-a', 'large-b'])
      assert.equal((await send(session, 'POST', MAPS, configMap(name, data))).code, 201);
    const { text } = await send(session, 'GET', MAPS);
    assert.ok(text.length > 1_800_000);
    assert.ok(text.endsWith('}\n'));
    const zipped = await send(session, 'GET', MAPS, undefined, { 'accept-encoding': 'gzip' });
    assert.equal(zipped.headers['content-encoding'], 'gzip');
    const { code } = await send(session, 'POST', MAPS, configMap('huge', { text: 'x'.repeat(4_000_000) }));
    assert.equal(code, 413);
    for (const name of ['large-a', 'large-b'])
      assert.equal((await send(session, 'DELETE', `${MAPS}/${name}`)).code, 200);
  });

  test('a body that never ends loses its stream, and no other', async () => {
    const session = sessionOf(hasty.admin, hasty);
    const stream = session.request({
      ':method': 'POST',
      ':path': MAPS,
      'content-type': 'application/json',
    });
    stream.write('{');
    await untilEnded(stream);
    assert.equal((await send(session, 'GET', MAPS)).code, 200);
    session.destroy();
  });

  test('headers without measure lose their stream, and no other', async () => {
    const stream = session.request({ ':path': '/healthz', 'x-long': 'x'.repeat(12_000) });
    await untilEnded(stream);
    assert.notEqual(stream.rstCode, 0);
    assert.equal((await send(session, 'GET', `${MAPS}/one`)).code, 200);
  });
});

/** The server hears of what a client gave up a moment later, on a busy machine much later. */
async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!(await holds())) {
    assert.ok(performance.now() < deadline, `in vain: ${what}`);
    await pause(20);
  }
}

describe('watches', () => {
  test('a hundred on one connection hear the same, and go one by one', async () => {
    const session = sessionOf(home.admin);
    const watches = Array.from({ length: 100 }, () => session.request({ ':path': `${MAPS}?watch=1` }));
    const codes = await Promise.all(watches.map((stream) => codeOf(stream)));
    assert.deepEqual(new Set(codes), new Set([200]));
    const heard = Promise.all(watches.map((stream) => untilHeard(stream, 'for-all')));
    assert.equal((await send(session, 'POST', MAPS, configMap('for-all'))).code, 201);
    await heard;
    for (const stream of watches.slice(1)) stream.close(constants.NGHTTP2_CANCEL);
    const [left] = watches;
    assert.ok(left !== undefined);
    const again = untilHeard(left, 'for-one');
    assert.equal((await send(session, 'POST', MAPS, configMap('for-one'))).code, 201);
    await again;
    session.destroy();
  });

  async function untilHeard(stream: ClientHttp2Stream, word: string): Promise<void> {
    const signal = AbortSignal.timeout(5_000);
    for (;;) {
      const [chunk] = (await once(stream, 'data', { signal })) as [Buffer];
      if (chunk.toString().includes(word)) return;
    }
  }

  test('one that is given up ends at the server, and its place is free', async () => {
    const session = sessionOf(tenant);
    const open = (): ClientHttp2Stream => session.request({ ':path': `${MAPS}?watch=1` });
    const mine = Array.from({ length: 10 }, open);
    for (const stream of mine) assert.equal(await codeOf(stream), 200);
    assert.equal(await codeOf(open()), 429, 'half of twenty is for one user');
    mine[0]?.close(constants.NGHTTP2_CANCEL);
    await until('a place is free', async () => (await codeOf(open())) === 200);
    session.destroy();
    await until('a connection that ends gives all its places back', async () => {
      const other = sessionOf(tenant);
      const codes = await Promise.all(
        Array.from({ length: 10 }, () => codeOf(other.request({ ':path': `${MAPS}?watch=1` }))),
      );
      other.destroy();
      return codes.every((code) => code === 200);
    });
  });

  test('a client that does not answer a ping is gone, one that does stays', async () => {
    const raw = await RawHttp2.open(hasty);
    raw.get(1, `${MAPS}?watch=1`);
    const quiet = sessionOf(hasty.admin, hasty);
    const watch = quiet.request({ ':path': `${MAPS}?watch=1` });
    assert.equal(await codeOf(watch), 200);
    await raw.find(({ type }) => type === FRAME.ping);
    if (!raw.socket.closed) await once(raw.socket, 'close', { signal: AbortSignal.timeout(3_000) });
    await pause(1_000);
    assert.ok(!watch.closed);
    quiet.destroy();
  });
});

describe('limits of a connection', () => {
  test('more streams than the client was told: the connection ends', async () => {
    const raw = await RawHttp2.open(home);
    for (let stream = 1; stream <= 2 * 121; stream += 2) raw.get(stream, `${MAPS}?watch=1`);
    const { payload } = await raw.find(({ type }) => type === FRAME.goaway);
    assert.equal(payload.readUInt32BE(4), constants.NGHTTP2_PROTOCOL_ERROR);
    raw.socket.destroy();
  });

  test('as many streams as the client was told, and the place of one that ended', async () => {
    const session = sessionOf(home.admin);
    const watches = Array.from({ length: 120 }, () => session.request({ ':path': `${MAPS}?watch=1` }));
    for (const stream of watches) assert.equal(await codeOf(stream), 200);
    watches[0]?.close(constants.NGHTTP2_CANCEL);
    await until('its place is free', () =>
      send(session, 'GET', `${MAPS}/one`).then(
        ({ code }) => code === 200,
        () => false,
      ),
    );
    session.destroy();
  });

  test('half a manifest that was given up is no manifest', async () => {
    const raw = await RawHttp2.open(home);
    raw.post(1, MAPS, 'application/yaml');
    raw.send(FRAME.data, 0, 1, Buffer.from('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: half}\n'));
    await pause(50);
    raw.reset(1, 0);
    raw.post(3, MAPS, 'application/yaml');
    raw.send(FRAME.data, 0, 3, Buffer.from('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: half}\n'));
    await pause(50);
    raw.socket.destroy();
    await pause(50);
    const session = sessionOf(home.admin);
    assert.equal((await send(session, 'GET', `${MAPS}/half`)).code, 404);
    session.close();
  });

  test('resets without measure end the connection (CVE-2023-44487)', async () => {
    const raw = await RawHttp2.open(home);
    for (let stream = 1; stream < 4_000 && !raw.socket.closed; stream += 2) {
      raw.get(stream, MAPS);
      raw.reset(stream);
    }
    await raw.find(({ type }) => type === FRAME.goaway);
    if (!raw.socket.closed) await once(raw.socket, 'close', { signal: AbortSignal.timeout(3_000) });
    const session = sessionOf(home.admin);
    assert.equal((await send(session, 'GET', '/readyz')).code, 200);
    session.close();
  });

  test('one without requests is closed after a while, one that never says hello at once', async () => {
    const idle = sessionOf(hasty.admin, hasty);
    assert.equal((await send(idle, 'GET', '/readyz')).code, 200);
    const goodbye = once(idle, 'goaway', { signal: AbortSignal.timeout(3_000) });
    const silent = connectTls({
      host: '127.0.0.1',
      port: hasty.server.port,
      ca: hasty.ca.certificate,
      ALPNProtocols: ['h2'],
    });
    silent.on('error', () => undefined).resume();
    await Promise.all([goodbye, once(silent, 'close', { signal: AbortSignal.timeout(3_000) })]);
  });
});

test('a server that ends says goodbye, and its watches end', async () => {
  const ending = await startTestServer();
  const session = connect(`https://127.0.0.1:${ending.server.port}`, {
    ca: ending.ca.certificate,
    cert: ending.admin.certificate,
    key: ending.admin.key,
  });
  const watch = session.request({ ':path': `${MAPS}?watch=1` });
  assert.equal(await codeOf(watch), 200);
  const ended = once(watch.resume(), 'end', { signal: AbortSignal.timeout(30_000) });
  const goodbye = once(session, 'goaway', { signal: AbortSignal.timeout(30_000) });
  await ending[Symbol.asyncDispose]();
  assert.equal((await goodbye)[0], constants.NGHTTP2_NO_ERROR);
  await ended;
});
