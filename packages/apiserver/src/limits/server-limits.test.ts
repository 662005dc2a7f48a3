/** Clients that are slow, many or greedy, against a server with small limits. */
import { systemClock } from '@podvisor/base';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import { issueCertificate, type KeyPair } from '@podvisor/kube';
import { adminRequest } from '../testing/admin-request.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import type { ServerLimits } from './server-limits.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const LIMITS: Partial<ServerLimits> = {
  headersMs: 400,
  bodyMs: 800,
  requestMs: 1_000,
  headerBytes: 8 * 1024,
  connections: 40,
  writesInFlight: 4,
};

let home: TestServer;
let tenant: KeyPair;
let webhook: Server;
/** Answers that the webhook owes. */
const waiting: (() => void)[] = [];
const unexpected: string[] = [];

before(async () => {
  const log = {
    info: () => undefined,
    warn: () => undefined,
    error: (fields: object, message: string) => unexpected.push(`${message} ${JSON.stringify(fields)}`),
  };
  home = await startTestServer({ overrides: { limits: LIMITS, log } });
  const now = systemClock.now();
  tenant = issueCertificate(home.ca, { commonName: 'tenant', usages: ['client'], now });
  const serving = issueCertificate(home.ca, {
    commonName: 'webhook',
    usages: ['server'],
    names: ['127.0.0.1'],
    now,
  });
  webhook = createServer({ cert: serving.certificate, key: serving.key }, (incoming, response) => {
    void incoming.toArray().then((chunks) => {
      const { request: review } = JSON.parse(Buffer.concat(chunks as Buffer[]).toString()) as {
        request: { uid: string };
      };
      const answer = { uid: review.uid, allowed: true };
      waiting.push(() =>
        response.end(
          JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: answer }),
        ),
      );
    });
  });
  webhook.listen(0, '127.0.0.1');
  await once(webhook, 'listening');
  await prepare();
});
after(async () => {
  webhook.closeAllConnections();
  webhook.close();
  await home[Symbol.asyncDispose]();
  assert.deepEqual(unexpected, []);
});

async function prepare(): Promise<void> {
  const make = async (path: string, object: object): Promise<void> => {
    const { code, body } = await adminRequest(home, 'POST', path, { body: JSON.stringify(object) });
    assert.equal(code, 201, String(body['message']));
  };
  const { port } = webhook.address() as AddressInfo;
  await make('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
    metadata: { name: 'slow' },
    webhooks: [
      {
        name: 'slow.example.com',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        timeoutSeconds: 10,
        failurePolicy: 'Fail',
        clientConfig: {
          url: `https://127.0.0.1:${port}/`,
          caBundle: Buffer.from(home.ca.certificate).toString('base64'),
        },
        objectSelector: { matchLabels: { slow: 'yes' } },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
      },
    ],
  });
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  await make(`${rbac}/clusterrolebindings`, {
    metadata: { name: 'tenant' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'User', name: 'tenant', apiGroup: 'rbac.authorization.k8s.io' }],
  });
}

function slowMap(name: string): string {
  return JSON.stringify({ metadata: { name, labels: { slow: 'yes' } } });
}

/** A create that the webhook holds up, as the tenant. */
async function createAsTenant(name: string): Promise<{ code: number; retry: string | undefined }> {
  const call = request({
    host: '127.0.0.1',
    port: home.server.port,
    ca: home.ca.certificate,
    cert: tenant.certificate,
    key: tenant.key,
    agent: false,
    method: 'POST',
    path: MAPS,
    headers: { 'content-type': 'application/json' },
  });
  call.end(slowMap(name));
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  response.resume();
  return { code: response.statusCode ?? 0, retry: response.headers['retry-after'] };
}

async function open(): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port: home.server.port, ca: home.ca.certificate });
  socket.on('error', () => undefined);
  await once(socket, 'secureConnect');
  return socket;
}

/** All that the server says until it closes the connection. */
async function untilClosed(socket: TLSSocket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  if (!socket.closed) await once(socket, 'close', { signal: AbortSignal.timeout(5_000) });
  return Buffer.concat(chunks).toString();
}

async function whenAsked(count: number): Promise<void> {
  while (waiting.length < count) await pause(5);
}

function answerAll(): void {
  for (const answer of waiting.splice(0)) answer();
}

test('headers that never end', async () => {
  const socket = await open();
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n');
  assert.match(await untilClosed(socket), /^HTTP\/1.1 408 /);
});

test('a body that never ends', async () => {
  const socket = await open();
  socket.write(
    `POST ${MAPS} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
  );
  const said = await untilClosed(socket);
  assert.ok(said.startsWith('HTTP/1.1 4') || said === '', said);
});

test('headers without measure', async () => {
  const socket = await open();
  socket.write(`GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`);
  assert.match(await untilClosed(socket), /^HTTP\/1.1 431 /);
});

test('a TLS handshake that never begins', async () => {
  const { connect: plain } = await import('node:net');
  const socket = plain({ host: '127.0.0.1', port: home.server.port });
  socket.on('error', () => undefined);
  await once(socket, 'close', { signal: AbortSignal.timeout(5_000) });
});

test('a watch outlives all of them', async () => {
  const call = request({
    host: '127.0.0.1',
    port: home.server.port,
    ca: home.ca.certificate,
    cert: home.admin.certificate,
    key: home.admin.key,
    agent: false,
    path: `${MAPS}?watch=1`,
  });
  call.end();
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  await pause(1_600);
  const heard = once(response, 'data', { signal: AbortSignal.timeout(5_000) });
  const body = JSON.stringify({ metadata: { name: 'late' } });
  assert.equal((await adminRequest(home, 'POST', MAPS, { body })).code, 201);
  assert.match(String(await heard), /late/);
  call.destroy();
});

test('an answer that takes too long is 504, and what comes later harms nobody', async () => {
  const { code, body } = await adminRequest(home, 'POST', MAPS, { body: slowMap('slow') });
  assert.equal(code, 504);
  assert.equal(body['message'], 'Timeout: request did not complete within the allotted timeout');
  assert.equal(body['reason'], 'Timeout');
  answerAll();
  assert.equal((await adminRequest(home, 'GET', `${MAPS}/late`)).code, 200);
});

test('one user has half of the places, and the system always has one', async () => {
  const held = [createAsTenant('a'), createAsTenant('b')];
  await whenAsked(2);
  assert.deepEqual(await createAsTenant('c'), { code: 429, retry: '1' });
  const administrator = adminRequest(home, 'POST', MAPS, { body: slowMap('d') });
  await whenAsked(3);
  answerAll();
  assert.equal((await administrator).code, 201);
  assert.deepEqual(
    (await Promise.all(held)).map(({ code }) => code),
    [201, 201],
  );
  const again = createAsTenant('c');
  await whenAsked(1);
  answerAll();
  assert.equal((await again).code, 201, 'places become free');
});

test('more connections than there is room for', async () => {
  const sockets: TLSSocket[] = [];
  let refused = 0;
  for (let i = 0; i < 60; i += 1) {
    const socket = connect({ host: '127.0.0.1', port: home.server.port, ca: home.ca.certificate });
    const outcome = await Promise.race([
      once(socket, 'secureConnect').then(() => true),
      once(socket, 'error').then(() => false),
      once(socket, 'close').then(() => false),
    ]).catch(() => false);
    socket.on('error', () => undefined);
    if (outcome) sockets.push(socket);
    else refused += 1;
  }
  assert.ok(sockets.length <= 40 && sockets.length > 20, `${sockets.length} were taken`);
  assert.ok(refused >= 20);
  for (const socket of sockets) socket.destroy();
  await pause(50);
  assert.equal((await adminRequest(home, 'GET', '/readyz')).code, 200);
});
