import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { POD_UID } from '../testing/objects.ts';
import { createCa, issueCertificate, type KeyPair, stderrLog } from '@podvisor/kube';
import { WebSocket } from 'ws';
import { LauncherConnection } from '../launcher-client/connection.ts';
import { openLauncherSocket } from '../launcher-client/socket.ts';
import type { EventText } from '../sync/events.ts';
import { FakeLauncher } from '../testing/fake-launcher.ts';
import { vmiOf } from '../testing/objects.ts';
import { durationSeconds } from './requests.ts';
import { RestServer } from './server.ts';

const VIRT_API = 'kubevirt.io:system:client:virt-api';
const BASE = '/v1/namespaces/shop/virtualmachineinstances/web';

describe('REST server', () => {
  let directory: string;
  let launcher: FakeLauncher;
  let connection: LauncherConnection;
  let server: RestServer;
  let ca: KeyPair;
  const told: EventText[] = [];
  const quiet = { ...stderrLog, info: () => {} };

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'pvr-'));
    launcher = new FakeLauncher(join(directory, 'sockets'));
    await launcher.start();
    const uid = process.getuid?.() ?? 0;
    connection = new LauncherConnection(
      await openLauncherSocket(join(directory, 'sockets'), POD_UID, { uid, isInPod: () => true }),
    );
    ca = createCa({ commonName: 'kubevirt-ca', now: Date.now() });
    const pair = issueCertificate(ca, {
      commonName: 'handler',
      names: ['127.0.0.1'],
      usages: ['server'],
      now: Date.now(),
    });
    const tlsDir = join(directory, 'tls');
    mkdirSync(tlsDir);
    writeFileSync(join(tlsDir, 'server.crt'), pair.certificate);
    writeFileSync(join(tlsDir, 'server.key'), pair.key);
    writeFileSync(join(tlsDir, 'ca.crt'), ca.certificate);
    const vmi = vmiOf({ phase: 'Running' });
    server = await RestServer.start({
      tlsDir,
      address: '127.0.0.1',
      port: 0,
      launchers: {
        connectionOf: (ns, name) => (ns === 'shop' && name === 'web' ? { vmi, connection } : undefined),
      },
      tell: (_vmi, event) => told.push(event),
      networkPath: () => Promise.resolve([{ name: 'default' }]),
      usage: {
        ofGuest: async () => ({ nowMs: 2, points: [] }),
        ofGuestThatLeft: async (node, _namespace, name) =>
          node === 'node-2' && name === 'gone' ? { nowMs: 1, points: [] } : undefined,
      },
      metrics: {
        access: { judge: async (header) => (header === 'Bearer good' ? 200 : 401) },
        families: () => [],
      },
      health: { answer: async () => ({ code: 200, body: { 'config-resource-version': '7' } }) },
      log: quiet,
    });
  });
  after(async () => {
    await server.close();
    connection.close();
    launcher.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  const clientPair = (
    commonName: string,
    authority = ca,
    organizationalUnits: readonly string[] = [],
  ): { cert: string; key: string; ca: string } => {
    const pair = issueCertificate(authority, {
      commonName,
      organizationalUnits,
      usages: ['client'],
      now: Date.now(),
    });
    return { cert: pair.certificate, key: pair.key, ca: ca.certificate };
  };

  function call(
    method: string,
    path: string,
    tls: object = clientPair(VIRT_API),
    body = '',
  ): Promise<{ code: number; text: string }> {
    return new Promise((resolve, reject) => {
      const sent = request(
        { host: '127.0.0.1', port: server.port, method, path, agent: false, ...tls },
        (response) => {
          let text = '';
          response.on('data', (chunk: Buffer) => (text += chunk.toString()));
          response.on('end', () => resolve({ code: response.statusCode ?? 0, text }));
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  }

  function typeOf(path: string): Promise<{ code: number; type: string }> {
    return new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port: server.port, path, agent: false, ...clientPair(VIRT_API) };
      request(options, ({ statusCode = 0, headers }) =>
        resolve({ code: statusCode, type: headers['content-type'] ?? '' }),
      )
        .on('error', reject)
        .end();
    });
  }

  test('only virt-api gets in', async () => {
    const other = createCa({ commonName: 'other', now: Date.now() });
    for (const [who, tls] of [
      ['without a certificate', { ca: ca.certificate }],
      [
        'with the name that virt-handlers of older homes had, too',
        { ...clientPair('kubevirt.io:system:client:virt-handler') },
      ],
      ['of another CA', { ...clientPair(VIRT_API, other), ca: ca.certificate }],
      ['of another name', clientPair('somebody')],
    ] as const) {
      assert.deepEqual(
        await call('GET', '//healthz', tls),
        { code: 200, text: '{"config-resource-version":"7"}' },
        who,
      );
      assert.equal((await call('GET', `${BASE}/userlist`, tls)).code, 403, who);
      assert.equal((await call('PUT', `${BASE}/pause`, tls)).code, 403, who);
    }
    assert.deepEqual(launcher.calls, []);
  });

  test('another node gets the past of a guest that it has now, and nothing else', async () => {
    const MIGRATION = 'kubevirt.io:system:client:migration';
    const gone = '/v1/namespaces/shop/virtualmachineinstances/gone';
    const two = clientPair(MIGRATION, ca, ['node:node-2']);
    assert.deepEqual(await call('GET', `${gone}/usagehistory`, two), {
      code: 200,
      text: '{"nowMs":1,"points":[]}',
    });
    for (const [who, path, tls] of [
      ['of a guest that it has not', `${BASE}/usagehistory`, two],
      ['another question', `${gone}/userlist`, two],
      ['a third node', `${gone}/usagehistory`, clientPair(MIGRATION, ca, ['node:node-3'])],
      ['no node', `${gone}/usagehistory`, clientPair(MIGRATION)],
      ['two nodes', `${gone}/usagehistory`, clientPair(MIGRATION, ca, ['node:node-2', 'node:node-3'])],
      ['another name', `${gone}/usagehistory`, clientPair('somebody', ca, ['node:node-2'])],
      [
        'another CA',
        `${gone}/usagehistory`,
        {
          ...clientPair(MIGRATION, createCa({ commonName: 'other', now: Date.now() }), ['node:node-2']),
          ca: ca.certificate,
        },
      ],
    ] as const)
      assert.equal((await call('GET', path, tls)).code, 403, who);
    assert.equal((await call('PUT', `${gone}/usagehistory`, two)).code, 403);
    assert.equal((await call('GET', `${BASE}/usagehistory`)).text, '{"nowMs":2,"points":[]}');
  });

  test('metrics are read by token, without a certificate', async () => {
    assert.equal((await call('GET', '/metrics', { ca: ca.certificate })).code, 401);
    const headers = { authorization: 'Bearer good' };
    assert.equal((await call('GET', '/metrics', { ca: ca.certificate, headers })).code, 200);
  });

  test('lifecycle and questions reach the launcher', async () => {
    for (const verb of ['pause', 'unpause', 'softreboot', 'reset', 'unfreeze'])
      assert.equal((await call('PUT', `${BASE}/${verb}`)).code, 202, verb);
    assert.equal((await call('PUT', `${BASE}/freeze`, undefined, '{"unfreezeTimeout":"1m30s"}')).code, 202);
    assert.deepEqual(launcher.calls, ['pause', 'unpause', 'soft-reboot', 'reset', 'unfreeze', 'freeze 90']);
    assert.deepEqual(
      told.map((e) => e.reason),
      ['Paused', 'Unpaused'],
    );
    assert.deepEqual(await call('GET', `${BASE}/userlist`), { code: 200, text: '{"from":"users"}' });
    assert.equal((await call('GET', `${BASE}/vnc/screenshot`)).text, 'png');
    assert.equal((await call('GET', `${BASE}/networkpath`)).text, '{"interfaces":[{"name":"default"}]}');
  });

  test('a launcher does not say as what a browser reads its pictures', async () => {
    for (const [said, type] of [
      ['image/png', 'image/png'],
      ['text/html', 'application/octet-stream'],
      ['image/svg+xml', 'application/octet-stream'],
      ['image/png\r\nset-cookie: a=b', 'application/octet-stream'],
    ] as const) {
      launcher.pictureType = said;
      const answer = await typeOf(`${BASE}/vnc/screenshot`);
      assert.deepEqual(answer, { code: 200, type }, said);
    }
  });

  test('errors keep their words and codes', async () => {
    launcher.failure = 'guest agent is away';
    assert.deepEqual(await call('PUT', `${BASE}/pause`), { code: 500, text: 'guest agent is away\n' });
    assert.equal((await call('PUT', `${BASE}/freeze`)).code, 400);
    launcher.failure = undefined;
    assert.equal((await call('GET', `${BASE}/pause`)).code, 405);
    assert.equal((await call('GET', '/v1/namespaces/shop/virtualmachineinstances/other/userlist')).code, 404);
    assert.equal((await call('GET', '/v1/anything')).code, 404);
  });

  test('the console is a websocket with bytes both ways', async () => {
    const socket = new WebSocket(
      `wss://127.0.0.1:${server.port}${BASE}/console`,
      ['plain.kubevirt.io'],
      clientPair(VIRT_API),
    );
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    assert.equal(socket.protocol, 'plain.kubevirt.io');
    const echo = new Promise((resolve) => socket.once('message', (data: Buffer) => resolve(data.toString())));
    socket.send(Buffer.from('ls\n'));
    assert.equal(await echo, 'serial0:ls\n');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.close();
    await closed;
    const refused = new WebSocket(`wss://127.0.0.1:${server.port}${BASE}/console`, clientPair('somebody'));
    await assert.rejects(
      new Promise((resolve, reject) => refused.once('open', resolve).once('error', reject)),
      /403/,
    );
  });

  test('Go durations', () => {
    for (const [text, seconds] of [
      ['5m0s', 300],
      ['1h', 3600],
      ['1.5s', 2],
      ['300ms', 1],
      ['0s', 0],
    ] as const)
      assert.equal(durationSeconds(text), seconds);
    assert.equal(durationSeconds(5_000_000_000), 5);
  });
});
