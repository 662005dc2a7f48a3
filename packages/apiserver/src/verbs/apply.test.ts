import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Reply, TestClient } from '../testing/test-client.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { arrayAt, at, type JsonObject } from '../wire/json.ts';

let server: TestServer;
let client: TestClient;
before(async () => {
  server = await startTestServer();
  client = new TestClient(server);
});
after(() => server[Symbol.asyncDispose]());

const MAPS = '/api/v1/namespaces/default/configmaps';
const MERGE = { 'content-type': 'application/merge-patch+json' };

const apply = (name: string, data: JsonObject | undefined, manager: string, query = ''): Promise<Reply> =>
  client.send(
    'PATCH',
    `${MAPS}/${name}?fieldManager=${manager}${query}`,
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, ...(data === undefined ? {} : { data }) },
    { 'content-type': 'application/apply-patch+yaml' },
  );

const managers = (body: JsonObject): string[] =>
  arrayAt(body, 'metadata', 'managedFields').map(
    (entry) => `${String(at(entry, 'manager'))} ${String(at(entry, 'operation'))}`,
  );

describe('apply', () => {
  test('creates what is not there, and owns it', async () => {
    const { code, body } = await apply('made', { a: '1' }, 'one');
    assert.equal(code, 201);
    assert.deepEqual(managers(body), ['one Apply']);
  });

  test('of another value by another manager is a conflict that names the owner and the field', async () => {
    await apply('shared', { a: '1' }, 'one');
    const { code, body } = await apply('shared', { a: '2' }, 'two');
    assert.equal(code, 409);
    assert.match(String(body['message']), /Apply failed with 1 conflict: conflict with "one": \.data\.a/);
    assert.deepEqual(at(body, 'details', 'causes', 0, 'reason'), 'FieldManagerConflict');
    assert.equal(at(body, 'details', 'causes', 0, 'field'), '.data.a');
  });

  test('with force takes the field over', async () => {
    await apply('forced', { a: '1' }, 'one');
    const { code, body } = await apply('forced', { a: '2' }, 'two', '&force=true');
    assert.equal(code, 200);
    assert.deepEqual(body['data'], { a: '2' });
    assert.deepEqual(managers(body), ['two Apply']);
  });

  test('of the same value shares the field; it goes when nobody wants it any more', async () => {
    await apply('both', { a: '1', b: '1' }, 'one');
    assert.deepEqual(managers((await apply('both', { a: '1' }, 'two')).body).toSorted(), [
      'one Apply',
      'two Apply',
    ]);
    assert.deepEqual((await apply('both', undefined, 'one')).body['data'], { a: '1' });
    assert.equal((await apply('both', undefined, 'two')).body['data'], undefined);
  });

  test('takes over from an update only by force', async () => {
    await client.send('POST', MAPS, { metadata: { name: 'written' }, data: { a: '1' } });
    const { code, body } = await apply('written', { a: '2' }, 'one');
    assert.equal(code, 409);
    assert.match(String(body['message']), /conflict with "tester" using v1: \.data\.a/);
  });
});

describe('apply by kubectl, of what kubectl applied on its own side before', () => {
  const ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';
  const configuration = (name: string, data: JsonObject): JsonObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'default' },
    data,
  });
  /** As the older kubectl leaves it. */
  const applyOnClient = (name: string, data: JsonObject): Promise<Reply> => {
    const object = configuration(name, data);
    const annotations = { [ANNOTATION]: `${JSON.stringify(object)}\n` };
    return client.send('POST', `${MAPS}?fieldManager=kubectl-client-side-apply`, {
      ...object,
      metadata: { name, annotations },
    });
  };

  test('is no conflict, and the annotation follows', async () => {
    await applyOnClient('moved', { a: '1', b: '1' });
    const { code, body } = await apply('moved', { a: '2', b: '1' }, 'kubectl');
    assert.equal(code, 200, JSON.stringify(body));
    assert.deepEqual(body['data'], { a: '2', b: '1' });
    const annotation = String(at(body, 'metadata', 'annotations', ANNOTATION));
    assert.equal(annotation, `${JSON.stringify(sortedConfig('moved', { a: '2', b: '1' }))}\n`);
  });

  test('of what somebody else changed since is a conflict, about that alone', async () => {
    await applyOnClient('changed', { a: '1', b: '1' });
    await client.send('PATCH', `${MAPS}/changed?fieldManager=other`, { data: { b: '5' } }, MERGE);
    const { code, body } = await apply('changed', { a: '2', b: '2' }, 'kubectl');
    assert.equal(code, 409);
    assert.deepEqual(
      arrayAt(body, 'details', 'causes').map((cause) => at(cause, 'field')),
      ['.data.b'],
    );
  });

  test('by another manager is a conflict as ever, and leaves the annotation alone', async () => {
    const made = await applyOnClient('foreign', { a: '1' });
    assert.equal((await apply('foreign', { a: '2' }, 'gitops')).code, 409);
    const { body } = await apply('foreign', { a: '2' }, 'gitops', '&force=true');
    assert.equal(
      at(body, 'metadata', 'annotations', ANNOTATION),
      at(made.body, 'metadata', 'annotations', ANNOTATION),
    );
  });

  test('an annotation that is no configuration helps nobody', async () => {
    await client.send('POST', `${MAPS}?fieldManager=kubectl-client-side-apply`, {
      metadata: { name: 'broken', annotations: { [ANNOTATION]: '{' } },
      data: { a: '1' },
    });
    assert.equal((await apply('broken', { a: '2' }, 'kubectl')).code, 409);
  });

  /** What `apply` above sends, in order. */
  function sortedConfig(name: string, data: JsonObject): JsonObject {
    return { apiVersion: 'v1', data, kind: 'ConfigMap', metadata: { name, namespace: 'default' } };
  }
});

describe('apply refuses', () => {
  const cases: readonly (readonly [string, string, unknown, number, RegExp])[] = [
    [
      'no manager',
      '',
      { apiVersion: 'v1', kind: 'ConfigMap' },
      422,
      /fieldManager.*is required for apply patch/s,
    ],
    ['another kind', '?fieldManager=m', { apiVersion: 'v1', kind: 'Secret' }, 400, /./],
    [
      'fields that nobody knows',
      '?fieldManager=m',
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, dta: {} },
      500,
      /failed to create typed patch object.*field not declared in schema/s,
    ],
    [
      'managed fields',
      '?fieldManager=m',
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', managedFields: [{}] } },
      400,
      /metadata\.managedFields must be nil/,
    ],
  ];
  for (const [title, query, body, code, words] of cases)
    test(title, async () => {
      const reply = await client.send('PATCH', `${MAPS}/x${query}`, body, {
        'content-type': 'application/apply-patch+yaml',
      });
      assert.equal(reply.code, code, JSON.stringify(reply.body));
      assert.match(String(reply.body['message']), words);
    });

  test('force for other patches', async () => {
    await apply('plain', {}, 'one');
    const reply = await client.send(
      'PATCH',
      `${MAPS}/plain?force=true`,
      {},
      {
        'content-type': 'application/merge-patch+json',
      },
    );
    assert.equal(reply.code, 422);
    assert.match(String(reply.body['message']), /may not be specified for non-apply patch/);
  });
});
