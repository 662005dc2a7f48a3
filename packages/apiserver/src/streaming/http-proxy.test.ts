/** `services/proxy` and `pods/proxy` lead to Pods, never back to the machine that the API server runs on. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { after, before, test } from 'node:test';
import { adminRequest, type Reply } from '../testing/admin-request.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

const SERVICES = '/api/v1/namespaces/default/services';
const ENDPOINTS = '/api/v1/namespaces/default/endpoints';
const PODS = '/api/v1/namespaces/default/pods';
const MERGE = 'application/merge-patch+json';

let home: TestServer;
const asked: string[] = [];
const secret = createServer((request, response) => {
  asked.push(request.url ?? '');
  response.end('of the machine');
});
let port = 0;

before(async () => {
  home = await startTestServer();
  secret.listen(0, '0.0.0.0');
  await once(secret, 'listening');
  ({ port } = secret.address() as AddressInfo);
});
after(async () => {
  secret.close();
  await home[Symbol.asyncDispose]();
});

async function make(path: string, object: object): Promise<void> {
  const { code, body } = await adminRequest(home, 'POST', path, { body: JSON.stringify(object) });
  assert.equal(code, 201, String(body['message']));
}

function proxied(resource: string, name: string, path = ''): Promise<Reply> {
  return adminRequest(home, 'GET', `/api/v1/namespaces/default/${resource}/${name}:${port}/proxy${path}`);
}

/** An address of this machine that is not loopback; undefined on a machine without a network. */
const own = Object.values(networkInterfaces())
  .flatMap((list = []) => list)
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

test('a Service that becomes ExternalName is not followed, whatever name it has', async () => {
  await make(SERVICES, { metadata: { name: 'turned' }, spec: { ports: [{ port }] } });
  await make(ENDPOINTS, {
    metadata: { name: 'turned' },
    subsets: [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port }] }],
  });
  for (const externalName of ['localhost', 'localhost.localdomain', '127.0.0.1.nip.io', 'ip6-localhost']) {
    const body = JSON.stringify({
      spec: { type: 'ExternalName', externalName, clusterIP: null, clusterIPs: null },
    });
    const turned = await adminRequest(home, 'PATCH', `${SERVICES}/turned`, { body, type: MERGE });
    assert.equal(turned.code, 200, String(turned.body['message']));
    const { code, body: answer } = await proxied('services', 'turned');
    assert.equal(code, 503, externalName);
    assert.equal(answer['message'], 'no endpoints available for service "turned"');
  }
  assert.deepEqual(asked, []);
});

test('endpoints lead to no address of the machine', async (t) => {
  await make(SERVICES, { metadata: { name: 'by-hand' }, spec: { ports: [{ port }] } });
  for (const ip of [
    '127.0.0.1',
    '::ffff:127.0.0.1',
    '0:0:0:0:0:ffff:7f00:1',
    '::1',
    '0.0.0.0',
    '169.254.169.254',
  ]) {
    const object = { metadata: { name: 'by-hand' }, subsets: [{ addresses: [{ ip }], ports: [{ port }] }] };
    const made = await adminRequest(home, 'POST', ENDPOINTS, { body: JSON.stringify(object) });
    assert.equal(made.code, 422, ip);
  }
  if (own === undefined) return t.skip('this machine has no address but loopback');
  await make(ENDPOINTS, {
    metadata: { name: 'by-hand' },
    subsets: [{ addresses: [{ ip: own }], ports: [{ port }] }],
  });
  const { code, body } = await proxied('services', 'by-hand');
  assert.equal(code, 400);
  assert.equal(body['message'], 'address not allowed');
  assert.deepEqual(asked, []);
});

test('a Pod whose status names the machine is not reached; one of the network of the node is', async (t) => {
  await make('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  await make(PODS, { metadata: { name: 'pod' }, spec: { containers: [{ name: 'c', image: 'i' }] } });
  const setIp = async (ip: string): Promise<void> => {
    const body = JSON.stringify({ status: { podIP: ip, podIPs: [{ ip }] } });
    assert.equal((await adminRequest(home, 'PATCH', `${PODS}/pod/status`, { body, type: MERGE })).code, 200);
  };
  for (const ip of ['127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:ffff:7f00:1', '::', 'fe80::1']) {
    await setIp(ip);
    assert.equal((await proxied('pods', 'pod')).code, 400, ip);
  }
  assert.deepEqual(asked, []);
  if (own === undefined) return t.skip('this machine has no address but loopback');
  await setIp(own);
  const answer = await proxied('pods', 'pod', '/a%2Fb/../c?x=/proxy');
  assert.equal(answer.code, 200);
  assert.deepEqual(asked.splice(0), ['/a%2Fb/../c?x=/proxy'], 'the rest of the path is as it came');
  assert.equal(
    (await proxied('services', 'by-hand')).code,
    200,
    'the endpoint is a Pod of the namespace now',
  );
});
