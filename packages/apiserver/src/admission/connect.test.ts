import { systemClock } from '@podvisor/base';
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:https';
import { after, before, test } from 'node:test';
import { createCa, issueCertificate } from '@podvisor/kube';
import { TestClient } from '../testing/test-client.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { at, type JsonObject } from '../wire/json.ts';

let server: TestServer;
let client: TestClient;
let hook: Server;
const asked: JsonObject[] = [];

/** A webhook that refuses everything and remembers what it was asked. */
before(async () => {
  const now = systemClock.now();
  const ca = createCa({ commonName: 'hook-ca', now });
  const serving = issueCertificate(ca, {
    commonName: 'hook',
    usages: ['server'],
    names: ['127.0.0.1', 'localhost'],
    now,
  });
  hook = createServer({ cert: serving.certificate, key: serving.key }, (request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      const review = JSON.parse(text) as { request: JsonObject };
      asked.push(review.request);
      const answer = { uid: review.request['uid'], allowed: false, status: { message: 'not here' } };
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: answer }),
      );
    });
  });
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  const address = hook.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  server = await startTestServer();
  client = new TestClient(server);
  await client.send('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  assert.equal((await client.send('POST', '/api/v1/namespaces/default/pods', pod)).code, 201);
  const made = await client.send(
    'POST',
    '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
    {
      metadata: { name: 'connections' },
      webhooks: [
        {
          name: 'connections.example.com',
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          clientConfig: {
            url: `https://127.0.0.1:${port}/`,
            caBundle: Buffer.from(ca.certificate).toString('base64'),
          },
          rules: [
            {
              operations: ['CONNECT', 'CREATE'],
              apiGroups: [''],
              apiVersions: ['v1'],
              resources: ['pods/exec', 'pods/portforward', 'pods/proxy', 'pods/binding'],
            },
          ],
        },
      ],
    },
  );
  assert.equal(made.code, 201);
});
after(async () => {
  await server[Symbol.asyncDispose]();
  hook.closeAllConnections();
  hook.close();
});

const POD = '/api/v1/namespaces/default/pods/p';
const UPGRADE = { connection: 'Upgrade', upgrade: 'SPDY/3.1' };

test('exec and port-forward are refused by a webhook for CONNECT, which sees their options', async () => {
  const exec = await client.send(
    'POST',
    `${POD}/exec?command=id&command=-u&stdout=1&container=c`,
    undefined,
    UPGRADE,
  );
  assert.equal(exec.code, 400, JSON.stringify(exec.body));
  assert.match(
    String(exec.body['message']),
    /admission webhook "connections\.example\.com" denied the request: not here/,
  );
  const request = asked.at(-1);
  assert.deepEqual(
    [request?.['operation'], request?.['subResource'], at(request, 'kind', 'kind'), request?.['name']],
    ['CONNECT', 'exec', 'PodExecOptions', 'p'],
  );
  assert.deepEqual(
    [at(request, 'object', 'command'), at(request, 'object', 'stdout'), at(request, 'object', 'container')],
    [['id', '-u'], true, 'c'],
  );
  assert.equal((await client.send('POST', `${POD}/portforward`, undefined, UPGRADE)).code, 400);
  assert.equal(at(asked.at(-1), 'kind', 'kind'), 'PodPortForwardOptions');
});

test('a proxy request is refused before it is sent on', async () => {
  assert.equal((await client.send('GET', `${POD}/proxy/metrics`)).code, 400);
  assert.deepEqual(
    [at(asked.at(-1), 'kind', 'kind'), at(asked.at(-1), 'object', 'path')],
    ['PodProxyOptions', '/metrics'],
  );
});

test('a binding is judged as the Binding that it is', async () => {
  const reply = await client.send('POST', `${POD}/binding`, {
    metadata: { name: 'p' },
    target: { kind: 'Node', name: 'node-1' },
  });
  assert.equal(reply.code, 400, JSON.stringify(reply.body));
  const request = asked.at(-1);
  assert.deepEqual(
    [
      request?.['operation'],
      request?.['subResource'],
      at(request, 'kind', 'kind'),
      at(request, 'object', 'target', 'name'),
    ],
    ['CREATE', 'binding', 'Binding', 'node-1'],
  );
  assert.equal(at((await client.send('GET', POD)).body, 'spec', 'nodeName'), undefined);
});
