/**
 * What is authorised is what is served: a tenant with rights in one namespace sends paths of every shape through the
 * API server to the upload-token API, and never gets a token for another namespace.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { after, before, test } from 'node:test';
import { FakeClock, systemClock } from '@podvisor/base';
import { createCa, issueCertificate, type KeyPair } from '@podvisor/kube';
import * as fc from 'fast-check';
import { adminRequest } from '../../../apiserver/src/testing/admin-request.ts';
import { startTestServer, type TestServer } from '../../../apiserver/src/testing/test-server.ts';
import { startUploadProxy, type UploadProxy } from '../../../data-volumes/src/upload/proxy.ts';
import { UPLOAD_GROUP } from '../../../data-volumes/src/upload/token-requests.ts';
import { UploadTokens } from '../../../data-volumes/src/upload/token.ts';

const ROOT = `/apis/${UPLOAD_GROUP}/v1beta1/namespaces`;
const tokens = new UploadTokens(Buffer.alloc(32, 1), new FakeClock(1_000_000));

let home: TestServer;
let proxy: UploadProxy;
let tenant: Agent;
let proxyCa: KeyPair;

before(async () => {
  const now = systemClock.now();
  proxyCa = createCa({ commonName: 'front-proxy-ca', now });
  const ca = proxyCa;
  const client = issueCertificate(ca, { commonName: 'front-proxy-client', usages: ['client'], now });
  home = await startTestServer({
    overrides: {
      mayUseLoopback: ({ namespace }) => namespace === 'kubevirt',
      frontProxy: { clientCert: client.certificate, clientKey: client.key, ca: ca.certificate },
    },
  });
  const names = ['cdi-api.kubevirt.svc', 'localhost'];
  const serving = issueCertificate(home.ca, { commonName: 'cdi-api', usages: ['server'], names, now });
  proxy = await startUploadProxy({
    tls: { cert: serving.certificate, key: serving.key },
    frontProxyCa: ca.certificate,
    tokens,
    port: 0,
    claimExists: () => true,
    connect: () => Promise.reject(new Error('not here')),
    log: { info: silent, warn: silent, error: silent },
  });
  await register(home.ca);
  const { certificate: cert, key } = issueCertificate(home.ca, {
    commonName: 'tenant',
    usages: ['client'],
    now,
  });
  tenant = new Agent({ ca: home.ca.certificate, cert, key, keepAlive: true, maxSockets: 4 });
});
after(async () => {
  tenant.destroy();
  await proxy.close();
  await home[Symbol.asyncDispose]();
});

const silent = (): void => undefined;

async function register(ca: KeyPair): Promise<void> {
  const post = async (path: string, object: object): Promise<void> => {
    const { code, body } = await adminRequest(home, 'POST', path, { body: JSON.stringify(object) });
    assert.equal(code, 201, `${path}: ${String(body['message'])}`);
  };
  for (const name of ['kubevirt', 'mine', 'victim']) await post('/api/v1/namespaces', { metadata: { name } });
  await post('/api/v1/namespaces/kubevirt/services', {
    metadata: { name: 'cdi-api' },
    spec: { type: 'ExternalName', externalName: 'localhost', ports: [{ port: proxy.port }] },
  });
  await post('/apis/apiregistration.k8s.io/v1/apiservices', {
    metadata: { name: `v1beta1.${UPLOAD_GROUP}` },
    spec: {
      group: UPLOAD_GROUP,
      version: 'v1beta1',
      groupPriorityMinimum: 1000,
      versionPriority: 15,
      caBundle: Buffer.from(ca.certificate).toString('base64'),
      service: { namespace: 'kubevirt', name: 'cdi-api', port: proxy.port },
    },
  });
  const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/mine';
  await post(`${rbac}/roles`, {
    metadata: { name: 'uploader' },
    rules: [{ apiGroups: [UPLOAD_GROUP], resources: ['*'], verbs: ['*'] }],
  });
  await post(`${rbac}/rolebindings`, {
    metadata: { name: 'uploader' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'uploader' },
    subjects: [{ kind: 'User', name: 'tenant', apiGroup: 'rbac.authorization.k8s.io' }],
  });
}

interface Answer {
  readonly code: number;
  /** Of the token that was given. */
  readonly namespace: string | undefined;
}

async function ask(path: string, pvcName: unknown = 'disk'): Promise<Answer> {
  const call = request({
    host: '127.0.0.1',
    port: home.server.port,
    agent: tenant,
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json' },
  });
  call.end(JSON.stringify({ spec: { pvcName } }));
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  const text = Buffer.concat((await response.toArray()) as Buffer[]).toString();
  const token = (JSON.parse(text || '{}') as { status?: { token?: string } }).status?.token;
  return {
    code: response.statusCode ?? 0,
    namespace: token === undefined ? undefined : tokens.check(token)?.namespace,
  };
}

test('CVE-2025-64432: the token API answers the API server only, by CA and name of its certificate', async () => {
  const asked = async (ca: KeyPair, commonName: string): Promise<number> => {
    const { certificate: cert, key } = issueCertificate(ca, {
      commonName,
      usages: ['client'],
      now: systemClock.now(),
    });
    const path = `${ROOT}/victim/uploadtokenrequests`;
    const target = { host: '127.0.0.1', port: proxy.port, servername: 'localhost', method: 'POST', path };
    const call = request({ ...target, ca: home.ca.certificate, cert, key, agent: false });
    call.end(JSON.stringify({ spec: { pvcName: 'disk' } }));
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode ?? 0;
  };
  assert.equal(await asked(proxyCa, 'somebody'), 401);
  assert.equal(await asked(home.ca, 'front-proxy-client'), 401);
  assert.equal(await asked(proxyCa, 'front-proxy-client'), 201);
});

test('the plain path gives a token for its own namespace, and none for others', async () => {
  assert.deepEqual(await ask(`${ROOT}/mine/uploadtokenrequests`), { code: 201, namespace: 'mine' });
  assert.deepEqual(await ask(`${ROOT}/%6dine/uploadtokenrequests`), { code: 201, namespace: 'mine' });
  assert.equal((await ask(`${ROOT}/victim/uploadtokenrequests`)).code, 403);
});

test('dot segments and hidden slashes are refused before anybody is asked', async () => {
  for (const path of [
    `${ROOT}/mine/../victim/uploadtokenrequests`,
    `${ROOT}/mine/x/../../victim/uploadtokenrequests`,
    `${ROOT}/mine/%2e%2e/victim/uploadtokenrequests`,
    `${ROOT}/mine/..%2fvictim/uploadtokenrequests`,
    `${ROOT}/mine/..%5cvictim/uploadtokenrequests`,
    `${ROOT}/mine/..\\victim/uploadtokenrequests`,
    `${ROOT}/mine//uploadtokenrequests`,
    `${ROOT}/mine/./uploadtokenrequests`,
    `${ROOT}/mine%00/uploadtokenrequests`,
  ])
    assert.deepEqual(await ask(path), { code: 400, namespace: undefined }, path);
});

test('the name of a claim is a string', async () => {
  for (const name of [['disk'], { a: 1 }, 1, true])
    assert.equal((await ask(`${ROOT}/mine/uploadtokenrequests`, name)).code, 400);
});

test('no path at all gives a token for another namespace', async () => {
  const piece = fc.constantFrom(
    ...['/', '//', '..', '.', '%2e%2e', '%2E.', '%2f', '%5c', '\\', ';', '%3b', '%00', '%25', '?', '%3f'],
    ...['mine', 'victim', 'namespaces', 'uploadtokenrequests', '/mine', '/victim', '/..', '/../'],
    ...['/namespaces/victim/uploadtokenrequests', '/uploadtokenrequests', '/x'],
    ...['/../victim/uploadtokenrequests', '/%2e%2E/victim/uploadtokenrequests', '/x/..'],
  );
  const path = fc.array(piece, { maxLength: 6 }).map((pieces) => `${ROOT}/mine${pieces.join('')}`);
  await fc.assert(
    fc.asyncProperty(path, async (text) => {
      const { namespace = 'mine' } = await ask(text);
      assert.equal(namespace, 'mine', text);
    }),
    { numRuns: 500 },
  );
});
