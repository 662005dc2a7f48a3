import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { TestClient } from '../testing/test-client.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { at } from '../wire/json.ts';

let server: TestServer;
let client: TestClient;
before(async () => {
  server = await startTestServer();
  client = new TestClient(server);
});
after(() => server[Symbol.asyncDispose]());

const MAPS = '/api/v1/namespaces/default/configmaps';

/** Title, path, body, code, reason, words of the message. */
const refusals: readonly (readonly [string, string, unknown, number, string, RegExp])[] = [
  ['a body that is no JSON', MAPS, '{bad', 400, 'BadRequest', /invalid character 'b'/],
  ['a list as body', MAPS, '[]', 400, 'BadRequest', /./],
  [
    'another kind',
    MAPS,
    { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'a' } },
    400,
    'BadRequest',
    /Pod in version "v1" cannot be handled as a ConfigMap/,
  ],
  [
    'a version that nobody serves',
    MAPS,
    { kind: 'ConfigMap', apiVersion: 'v2', metadata: { name: 'a' } },
    400,
    'BadRequest',
    /does not match the expected API version|no kind "ConfigMap" is registered/,
  ],
  [
    'another namespace than the path says',
    MAPS,
    { metadata: { name: 'a', namespace: 'b' } },
    400,
    'BadRequest',
    /the namespace of the provided object does not match the namespace sent on the request/,
  ],
  ['no name', MAPS, { metadata: {} }, 422, 'Invalid', /name or generateName is required/],
  [
    'a name that is none',
    MAPS,
    { metadata: { name: 'No Name' } },
    422,
    'Invalid',
    /a lowercase RFC 1123 subdomain/,
  ],
  [
    'a namespace that is not there',
    '/api/v1/namespaces/gone/configmaps',
    { metadata: { name: 'a' } },
    404,
    'NotFound',
    /namespaces "gone" not found/,
  ],
  [
    'a resourceVersion',
    MAPS,
    { metadata: { name: 'a', resourceVersion: '1' } },
    500,
    'InternalError',
    /resourceVersion should not be set on objects to be created/,
  ],
  [
    'a bad label and a bad annotation',
    MAPS,
    { metadata: { name: 'a', labels: { '-': 'x' }, annotations: { '/': 'y' } } },
    422,
    'Invalid',
    /metadata\.labels: Invalid value.*metadata\.annotations: Invalid value/s,
  ],
  [
    'an unknown dryRun',
    `${MAPS}?dryRun=some`,
    { metadata: { name: 'a' } },
    422,
    'Invalid',
    /supported values: "All"/,
  ],
  [
    'an unknown fieldValidation',
    `${MAPS}?fieldValidation=some`,
    { metadata: { name: 'a' } },
    422,
    'Invalid',
    /supported values: "", "Ignore", "Strict", "Warn"|fieldValidation/,
  ],
  [
    'a field that is unknown, strictly',
    `${MAPS}?fieldValidation=Strict`,
    { metadata: { name: 'a' }, dta: {} },
    400,
    'BadRequest',
    /unknown field "dta"/,
  ],
];

describe('create refuses', () => {
  for (const [title, path, body, code, reason, words] of refusals)
    test(title, async () => {
      const reply = await client.send('POST', path, body);
      assert.equal(reply.code, code, JSON.stringify(reply.body));
      if (code !== 500) assert.equal(reply.body['reason'], reason);
      assert.match(String(reply.body['message']), words);
    });

  test('what exists already', async () => {
    assert.equal((await client.send('POST', MAPS, { metadata: { name: 'twice' } })).code, 201);
    const again = await client.send('POST', MAPS, { metadata: { name: 'twice' } });
    assert.equal(again.code, 409);
    assert.equal(again.body['reason'], 'AlreadyExists');
  });
});

describe('create', () => {
  test('fills in what the server owns, and ignores what only it may write', async () => {
    const { code, body } = await client.send('POST', MAPS, {
      metadata: { name: 'owned', uid: 'x', creationTimestamp: '2000-01-01T00:00:00Z', generation: 7 },
      data: { a: '1' },
    });
    assert.equal(code, 201);
    assert.match(String(at(body, 'metadata', 'uid')), /^[0-9a-f-]{36}$/);
    assert.notEqual(at(body, 'metadata', 'creationTimestamp'), '2000-01-01T00:00:00Z');
    assert.equal(at(body, 'metadata', 'managedFields', 0, 'manager'), 'tester');
    assert.equal(at(body, 'metadata', 'namespace'), 'default');
  });

  test('makes a name from generateName', async () => {
    const { body } = await client.send('POST', MAPS, { metadata: { generateName: 'made-' } });
    assert.match(String(at(body, 'metadata', 'name')), /^made-[a-z0-9]{5}$/);
  });

  test('stores nothing in a dry run', async () => {
    assert.equal((await client.send('POST', `${MAPS}?dryRun=All`, { metadata: { name: 'dry' } })).code, 201);
    assert.equal((await client.send('GET', `${MAPS}/dry`)).code, 404);
  });

  test('warns of unknown fields unless told otherwise', async () => {
    const warned = await client.send('POST', `${MAPS}?dryRun=All`, { metadata: { name: 'w' }, dta: {} });
    assert.match(String(warned.headers['warning']), /299 - "unknown field \\"dta\\""/);
    const silent = await client.send('POST', `${MAPS}?dryRun=All&fieldValidation=Ignore`, {
      metadata: { name: 'w' },
      dta: {},
    });
    assert.equal(silent.headers['warning'], undefined);
  });
});
