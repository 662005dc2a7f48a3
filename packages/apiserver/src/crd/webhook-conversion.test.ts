/** A CRD with two versions, converted by a real webhook on loopback. */
import assert from 'node:assert/strict';
import { createServer, type Server, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { createCa, issueCertificate } from '@podvisor/kube';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import type { JsonObject, KubeObject } from '../wire/json.ts';

let home: TestServer;
let hook: Server;
let calls = 0;
let broken = false;

interface Review {
  readonly request: {
    uid: string;
    desiredAPIVersion: string;
    objects: (KubeObject & { spec: JsonObject })[];
  };
}

/** v1 has `host: a:1`, v2 has host and port apart. */
function convert(object: KubeObject & { spec: JsonObject }, to: string): JsonObject {
  const { spec } = object;
  const [host, port] = String(spec['host']).split(':');
  const next = to.endsWith('/v2')
    ? { host, port }
    : { host: `${String(spec['host'])}:${String(spec['port'])}` };
  return { ...object, apiVersion: to, spec: next as JsonObject };
}

before(async () => {
  home = await startTestServer();
  const now = Date.now();
  const ca = createCa({ commonName: 'hook-ca', now });
  const serving = issueCertificate(ca, { commonName: 'hook', usages: ['server'], names: ['127.0.0.1'], now });
  hook = createServer({ cert: serving.certificate, key: serving.key }, (incoming, answer) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      calls += 1;
      const { request: review } = JSON.parse(Buffer.concat(chunks).toString()) as Review;
      const result = broken ? { status: 'Failed', message: 'out of order' } : { status: 'Success' };
      const convertedObjects = review.objects.map((object) => convert(object, review.desiredAPIVersion));
      answer.end(JSON.stringify({ response: { uid: review.uid, result, convertedObjects } }));
    });
  });
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  const { port } = hook.address() as AddressInfo;
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const crd = {
    metadata: { name: 'doors.conv.example.com' },
    spec: {
      group: 'conv.example.com',
      scope: 'Namespaced',
      names: { plural: 'doors', kind: 'Door' },
      versions: [
        { name: 'v1', served: true, storage: true, schema },
        { name: 'v2', served: true, storage: false, schema },
      ],
      conversion: {
        strategy: 'Webhook',
        webhook: {
          conversionReviewVersions: ['v1'],
          clientConfig: {
            url: `https://127.0.0.1:${port}/convert`,
            caBundle: Buffer.from(ca.certificate).toString('base64'),
          },
        },
      },
    },
  };
  assert.equal(
    (await call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd)).code,
    201,
  );
});
after(async () => {
  hook.close();
  await home[Symbol.asyncDispose]();
});

interface Called {
  readonly code: number;
  readonly body: { spec?: JsonObject; items?: { spec: JsonObject }[]; message?: string };
}

function call(method: string, path: string, body?: object): Promise<Called> {
  const { server, ca, admin } = home;
  const options = { method, ca: ca.certificate, cert: admin.certificate, key: admin.key };
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  return new Promise((resolve, reject) => {
    const sent = request(
      `${server.url}${path}`,
      { ...options, headers: { 'content-type': type } },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () =>
          resolve({
            code: answer.statusCode ?? 0,
            body: JSON.parse(Buffer.concat(chunks).toString()) as Called['body'],
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const doors = (version: string, name = ''): string =>
  `/apis/conv.example.com/${version}/namespaces/default/doors${name === '' ? '' : `/${name}`}`;

test('an object is stored in one version and shown in both', async () => {
  const made = await call('POST', doors('v2'), {
    apiVersion: 'conv.example.com/v2',
    kind: 'Door',
    metadata: { name: 'd' },
    spec: { host: 'a', port: '1' },
  });
  assert.equal(made.code, 201, JSON.stringify(made.body));
  assert.deepEqual(made.body.spec, { host: 'a', port: '1' });
  assert.deepEqual((await call('GET', doors('v1', 'd'))).body.spec, { host: 'a:1' });
  assert.deepEqual((await call('GET', doors('v2', 'd'))).body.spec, { host: 'a', port: '1' });
  assert.deepEqual(
    (await call('GET', doors('v2'))).body.items?.map(({ spec }) => spec),
    [{ host: 'a', port: '1' }],
  );
});

test('a patch in one version is seen in the other; what did not change is not asked again', async () => {
  assert.equal((await call('PATCH', doors('v2', 'd'), { spec: { port: '2' } })).code, 200);
  assert.deepEqual((await call('GET', doors('v1', 'd'))).body.spec, { host: 'a:2' });
  const before = calls;
  await call('GET', doors('v2', 'd'));
  await call('GET', doors('v2'));
  assert.equal(calls, before);
});

test('a webhook that fails is named, and deletion works all the same', async () => {
  broken = true;
  await call('PATCH', doors('v1', 'd'), { spec: { host: 'b:3' } });
  const failed = await call('GET', doors('v2', 'd'));
  assert.equal(failed.code, 500);
  assert.equal(
    failed.body.message,
    'conversion webhook for conv.example.com/v1, Kind=Door failed: out of order',
  );
  assert.equal((await call('DELETE', doors('v2', 'd'))).code, 200);
  assert.equal((await call('GET', doors('v1', 'd'))).code, 404);
});
