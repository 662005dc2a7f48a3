/** Requests that a kube-apiserver refuses before it looks at the object, and what it says: code and message. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { TestClient } from '../testing/test-client.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { at, stringAt } from '../wire/json.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
let server: TestServer;
let client: TestClient;
before(async () => {
  server = await startTestServer();
  client = new TestClient(server);
  await client.send('POST', MAPS, { metadata: { name: 'a' }, data: { x: '1' } });
});
after(() => server[Symbol.asyncDispose]());

describe('selectors', () => {
  for (const [query, message] of [
    ['labelSelector==b', "found '=', expected: !, identifier, or 'end of string'"],
    ['labelSelector=a=b c', "found 'c', expected: ',' or 'end of string'"],
    ['labelSelector=a,,b', "found ',', expected: identifier after ','"],
    [
      'labelSelector=a foo b',
      "unable to parse requirement: found 'foo', expected: in, notin, =, ==, !=, gt, lt",
    ],
    ['labelSelector=a in (b', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['fieldSelector=metadata.name===x', 'invalid field selector: unescaped character in value: 61'],
    ['fieldSelector=metadata.name=a\\', 'invalid field selector: invalid escape sequence: \\'],
  ] as const)
    test(query, async () => {
      const [name = '', ...rest] = query.split('=');
      const { code, body } = await client.send(
        'GET',
        `${MAPS}?${name}=${encodeURIComponent(rest.join('='))}`,
      );
      assert.equal(code, 400);
      assert.equal(stringAt(body, 'message'), message);
    });

  test('what deletes a collection reads its version as a list does', async () => {
    const { code, body } = await client.send('DELETE', `${MAPS}?resourceVersion=x`);
    assert.equal(code, 400);
    assert.match(stringAt(body, 'message'), /^invalid resource version: /);
  });
});

describe('forms', () => {
  const TYPES = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';
  const STREAMS = 'application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch';
  const unmet = (types: string): string => `406: Not Acceptable\n\nAvailable representations: ${types}`;
  for (const [path, accept, message] of [
    [MAPS, 'text/plain', unmet(`${TYPES}, ${STREAMS}`)],
    [`${MAPS}?watch=1`, 'text/plain', unmet(`${TYPES}, ${STREAMS}`)],
    [`${MAPS}/a`, 'application/*', unmet(TYPES)],
    [`${MAPS}/a`, 'text/*, image/png', unmet(TYPES)],
  ] as const)
    test(`${path} as ${accept}`, async () => {
      const { code, body } = await client.send('GET', path, undefined, { accept });
      assert.equal(code, 406);
      assert.equal(stringAt(body, 'message'), message);
      assert.deepEqual(at(body, 'details'), {});
    });

  test('one object as a list of metadata', async () => {
    const { code, body } = await client.send('GET', `${MAPS}/a`, undefined, {
      accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
    });
    assert.equal(code, 406);
    assert.match(stringAt(body, 'message'), /the requested object is not a list \(\*core\.ConfigMap\)$/);
  });

  test('what is wanted least is still wanted', async () => {
    const { code } = await client.send('GET', `${MAPS}/a`, undefined, { accept: 'application/json;q=0' });
    assert.equal(code, 200);
  });

  test('a content type whose parameters cannot be read is none', async () => {
    const send = (type: string): Promise<number> =>
      client
        .send('POST', `${MAPS}?dryRun=All`, { metadata: { name: 'b' } }, { 'content-type': type })
        .then(({ code }) => code);
    assert.equal(await send('application/json; x'), 415);
    assert.equal(await send('application/json; charset=utf-8'), 201);
    assert.equal(await send('application/json;charset="utf-8"; a=b'), 201);
  });
});

describe('objects of another kind', () => {
  const scheme = 'in scheme "pkg/api/legacyscheme/scheme.go:30"';
  for (const [apiVersion, kind, message] of [
    [
      'v1',
      'Secret',
      'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
    ],
    [
      'apps/v1',
      'Deployment',
      'Deployment in version "v1" cannot be handled as a ConfigMap: converting (v1.Deployment) to (core.ConfigMap): unknown conversion',
    ],
    [
      'v9',
      'ConfigMap',
      `ConfigMap in version "v9" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "v9" ${scheme}`,
    ],
    [
      'foo/v1',
      'Bar',
      `Bar in version "v1" cannot be handled as a ConfigMap: no kind "Bar" is registered for version "foo/v1" ${scheme}`,
    ],
  ] as const)
    test(`${apiVersion} ${kind}`, async () => {
      const { code, body } = await client.send('POST', MAPS, { apiVersion, kind, metadata: { name: 'b' } });
      assert.equal(code, 400);
      assert.equal(stringAt(body, 'message'), message);
    });
});

describe('patches', () => {
  const patch = (name: string, type: string, body: unknown): ReturnType<TestClient['send']> =>
    client.send('PATCH', `${MAPS}/${name}?dryRun=All&fieldManager=t`, body, {
      'content-type': `application/${type}`,
    });
  const config = { apiVersion: 'v1', kind: 'ConfigMap', data: { y: '2' } };

  test('an object that is missing is said before a patch that is malformed', async () => {
    for (const type of ['json-patch+json', 'merge-patch+json', 'strategic-merge-patch+json'])
      assert.equal((await patch('missing', type, '5')).code, 404, type);
    assert.equal((await patch('a', 'merge-patch+json', '5')).code, 400);
  });

  test('a list of operations that is null is empty', async () => {
    assert.equal((await patch('a', 'json-patch+json', 'null')).code, 200);
  });

  test('a strategic merge goes into the type of the object, whatever it calls itself', async () => {
    const { code, body } = await patch('a', 'strategic-merge-patch+json', { kind: 'Foo', data: { y: '2' } });
    assert.equal(code, 200);
    assert.equal(stringAt(body, 'kind'), 'ConfigMap');
  });

  test('what is applied has the name and the namespace of its place', async () => {
    const apply = 'apply-patch+yaml';
    const unnamed = await patch('new', apply, config);
    assert.equal(unnamed.code, 400);
    assert.match(stringAt(unnamed.body, 'message'), /name must be provided/);
    const other = await patch('a', apply, { ...config, metadata: { name: 'a', namespace: 'q' } });
    assert.equal(other.code, 400);
    assert.match(stringAt(other.body, 'message'), /does not match the namespace sent/);
    const secret = await patch('a', apply, { ...config, kind: 'Secret' });
    assert.equal(stringAt(secret.body, 'message'), 'invalid object type: /v1, Kind=Secret');
  });
});
