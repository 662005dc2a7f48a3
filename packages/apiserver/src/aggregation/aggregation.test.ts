/** An extension server behind an APIService: when it is available, what reaches it, and who it thinks is calling. */
import { systemClock } from '@podvisor/base';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:http2';
import { createServer, type Server } from 'node:https';
import { after, before, test } from 'node:test';
import { createCa, issueCertificate } from '@podvisor/kube';
import { TestClient } from '../testing/test-client.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { arrayAt, at, type JsonObject, stringAt } from '../wire/json.ts';

const GROUP = 'extension.example.com';
const APISERVICES = '/apis/apiregistration.k8s.io/v1/apiservices';

let server: TestServer;
let client: TestClient;
let extension: Server;
let caBundle = '';
let port = 0;
const received: IncomingMessage[] = [];
const bodies: string[] = [];

before(async () => {
  const now = systemClock.now();
  const ca = createCa({ commonName: 'extension-ca', now });
  const serving = issueCertificate(ca, {
    commonName: 'extension',
    usages: ['server'],
    names: ['extension.default.svc'],
    now,
  });
  caBundle = Buffer.from(ca.certificate).toString('base64');
  extension = createServer({ cert: serving.certificate, key: serving.key }, (request, response) => {
    if (request.headers['x-remote-user'] !== 'system:kube-aggregator') received.push(request);
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => bodies.push(body));
    response.setHeader('keep-alive', 'timeout=5');
    response.setHeader('content-type', 'application/json');
    const resources = [{ name: 'things', kind: 'Thing', namespaced: true, verbs: ['get'] }];
    response.end(
      JSON.stringify({ kind: 'APIResourceList', groupVersion: `${GROUP}/v1`, resources, path: request.url }),
    );
  });
  await new Promise<void>((resolve) => extension.listen(0, '127.0.0.1', resolve));
  const address = extension.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
  server = await startTestServer({
    overrides: { mayUseLoopback: ({ name }) => name === 'extension' },
  });
  client = new TestClient(server);
});
after(async () => {
  await server[Symbol.asyncDispose]();
  extension.closeAllConnections();
  extension.close();
});

/** Waits for the Available condition to have the status; the watch tells. */
async function available(status: string): Promise<JsonObject> {
  const path = `${APISERVICES}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`;
  for await (const { object } of client.watch(path)) {
    if (stringAt(object, 'metadata', 'name') !== `v1.${GROUP}`) continue;
    const condition = arrayAt(object, 'status', 'conditions').find(
      (item) => stringAt(item, 'type') === 'Available',
    );
    if (stringAt(condition, 'status') === status) return condition as JsonObject;
  }
  throw new Error('the watch ended');
}

test('an APIService without its Service is not available and says why', async () => {
  const made = await client.send('POST', APISERVICES, {
    metadata: { name: `v1.${GROUP}` },
    spec: {
      group: GROUP,
      version: 'v1',
      groupPriorityMinimum: 1000,
      versionPriority: 15,
      caBundle,
      service: { namespace: 'default', name: 'extension', port },
    },
  });
  assert.equal(made.code, 201, JSON.stringify(made.body));
  assert.equal(stringAt(await available('False'), 'reason'), 'ServiceNotFound');
  assert.equal((await client.send('GET', `/apis/${GROUP}/v1/things`)).code, 503);
});

test('it is available when its server answers, and discovery shows it', async () => {
  const service = await client.send('POST', '/api/v1/namespaces/default/services', {
    metadata: { name: 'extension' },
    spec: { type: 'ExternalName', externalName: 'localhost', ports: [{ port }] },
  });
  assert.equal(service.code, 201, JSON.stringify(service.body));
  await available('True');
  const groups = (await client.send('GET', '/apis')).body;
  assert.ok(arrayAt(groups, 'groups').some((group) => stringAt(group, 'name') === GROUP));
});

test('a request reaches it with the name of the caller, and without the caller’s own credentials', async () => {
  const reply = await client.send('GET', `/apis/${GROUP}/v1/namespaces/a/things/b?x=1`, undefined, {
    authorization: 'Bearer secret',
    'x-remote-user': 'somebody-else',
    'x-remote-group': 'system:masters',
  });
  // The certificate says who it is; a token beside it is not looked at.
  assert.equal(reply.code, 200, JSON.stringify(reply.body));
  assert.equal(at(reply.body, 'path'), `/apis/${GROUP}/v1/namespaces/a/things/b?x=1`);
  const last = received.at(-1);
  assert.equal(last?.headers['x-remote-user'], 'admin');
  assert.equal(last?.headers['authorization'], undefined);
});

test('a name that would lead elsewhere is refused before it is sent on', async () => {
  const before = received.length;
  for (const path of [`/apis/${GROUP}/v1/../../../api/v1/secrets`, `/apis/${GROUP}/v1/things/%2e%2e/x`])
    assert.equal((await client.send('GET', path)).code, 400, path);
  assert.equal(received.length, before);
});

test('over HTTP/2, a body of unknown length reaches it whole, and nothing of either connection is passed on', async () => {
  const session = connect(server.server.url, {
    ca: server.ca.certificate,
    cert: server.admin.certificate,
    key: server.admin.key,
  });
  for (const method of ['POST', 'DELETE']) {
    const path = `/apis/${GROUP}/v1/things`;
    const stream = session.request({ ':method': method, ':path': path }, { endStream: false });
    const answered = once(stream, 'response') as Promise<[Record<string, unknown>]>;
    stream.write('{"first":1,');
    stream.end('"second":2}');
    const [headers] = await answered;
    await stream.resume().toArray();
    assert.equal(headers[':status'], 200);
    assert.equal(headers['keep-alive'], undefined);
    assert.equal(bodies.at(-1), '{"first":1,"second":2}', method);
    assert.deepEqual(
      Object.keys(received.at(-1)?.headers ?? {}).filter((name) => name.startsWith(':')),
      [],
    );
  }
  session.close();
});
