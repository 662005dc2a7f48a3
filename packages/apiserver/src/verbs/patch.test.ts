import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Reply, TestClient } from '../testing/test-client.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { at, type Json, type JsonObject } from '../wire/json.ts';

let server: TestServer;
let client: TestClient;
before(async () => {
  server = await startTestServer();
  client = new TestClient(server);
  await client.send('POST', MAPS, { metadata: { name: 'm' }, data: { a: '1', b: '2' } });
});
after(() => server[Symbol.asyncDispose]());

const MAPS = '/api/v1/namespaces/default/configmaps';
const TYPES = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

const patch = (type: keyof typeof TYPES, body: unknown, path = `${MAPS}/m`): Promise<Reply> =>
  client.send('PATCH', path, body, { 'content-type': TYPES[type] });

/** Type, patch, data afterwards (in a dry run). */
const effects: readonly (readonly [keyof typeof TYPES, Json, JsonObject | undefined])[] = [
  ['merge', { data: { a: null, c: '3' } }, { b: '2', c: '3' }],
  ['merge', { data: null }, undefined],
  ['strategic', { data: { a: null } }, { b: '2' }],
  ['strategic', { data: { $patch: 'replace', z: '9' } }, { z: '9' }],
  ['json', [{ op: 'add', path: '/data/c', value: '3' }], { a: '1', b: '2', c: '3' }],
  ['json', [{ op: 'remove', path: '/data/a' }], { b: '2' }],
  ['json', [{ op: 'move', from: '/data/a', path: '/data/z' }], { b: '2', z: '1' }],
  ['json', [{ op: 'copy', from: '/data/a', path: '/data/z' }], { a: '1', b: '2', z: '1' }],
  [
    'json',
    [
      { op: 'test', path: '/data/a', value: '1' },
      { op: 'replace', path: '/data/a', value: '7' },
    ],
    { a: '7', b: '2' },
  ],
];

describe('patch', () => {
  for (const [type, body, data] of effects)
    test(`${type} ${JSON.stringify(body)}`, async () => {
      const reply = await patch(type, body, `${MAPS}/m?dryRun=All`);
      assert.equal(reply.code, 200, JSON.stringify(reply.body));
      assert.deepEqual(reply.body['data'], data);
    });

  test('strategic lists are merged by their key', async () => {
    const path = '/apis/apps/v1/namespaces/default/deployments';
    const container = (name: string, image: string): JsonObject => ({ name, image });
    await client.send('POST', path, {
      metadata: { name: 'd' },
      spec: {
        selector: { matchLabels: { app: 'd' } },
        template: {
          metadata: { labels: { app: 'd' } },
          spec: { containers: [container('a', 'x'), container('b', 'x')] },
        },
      },
    });
    const spec = { template: { spec: { containers: [container('a', 'y')] } } };
    const { body } = await patch('strategic', { spec }, `${path}/d`);
    const images = [0, 1, 2].map((i) => at(body, 'spec', 'template', 'spec', 'containers', i, 'image'));
    assert.deepEqual(images, ['y', 'x', undefined]);
  });
});

/** Type, patch, code, words. */
const refusals: readonly (readonly [keyof typeof TYPES, unknown, number, RegExp])[] = [
  ['json', { op: 'add' }, 400, /cannot unmarshal object|json: /],
  [
    'json',
    [{ op: 'test', path: '/data/a', value: 'no' }],
    422,
    /testing value|test failed|the server rejected/i,
  ],
  [
    'json',
    [{ op: 'remove', path: '/data/none' }],
    422,
    /unable to remove nonexistent key|the server rejected/,
  ],
  [
    'json',
    [{ op: 'add', path: '/none/x', value: 1 }],
    422,
    /add operation does not apply|the server rejected/,
  ],
  ['merge', '[1]', 400, /./],
  ['merge', { metadata: { name: 'other' } }, 400, /the name of the object \(other\) does not match/],
  ['merge', { metadata: { resourceVersion: '1' } }, 409, /the object has been modified/],
];

describe('patch refuses', () => {
  for (const [type, body, code, words] of refusals)
    test(`${type} ${JSON.stringify(body)}`, async () => {
      const reply = await patch(type, body);
      assert.equal(reply.code, code, JSON.stringify(reply.body));
      assert.match(String(reply.body['message']), words);
    });

  test('a media type that is no patch', async () => {
    const reply = await client.send('PATCH', `${MAPS}/m`, '{}', { 'content-type': 'text/plain' });
    assert.equal(reply.code, 415);
    assert.equal(reply.body['reason'], 'UnsupportedMediaType');
  });

  test('strategic merges of custom resources', async () => {
    await client.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: 'things.patch.example.com' },
      spec: {
        group: 'patch.example.com',
        scope: 'Namespaced',
        names: { plural: 'things', kind: 'Thing' },
        versions: [
          { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
        ],
      },
    });
    const things = '/apis/patch.example.com/v1/namespaces/default/things';
    await client.send('POST', things, {
      apiVersion: 'patch.example.com/v1',
      kind: 'Thing',
      metadata: { name: 't' },
    });
    assert.equal((await patch('strategic', {}, `${things}/t`)).code, 415);
    assert.equal((await patch('merge', { metadata: { labels: { a: 'b' } } }, `${things}/t`)).code, 200);
  });
});
