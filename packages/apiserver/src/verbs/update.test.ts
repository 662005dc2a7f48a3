import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { TestClient, type Reply } from '../testing/test-client.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { at, type JsonObject, stringAt } from '../wire/json.ts';

let server: TestServer;
let client: TestClient;
before(async () => {
  server = await startTestServer();
  client = new TestClient(server);
});
after(() => server[Symbol.asyncDispose]());

const MAPS = '/api/v1/namespaces/default/configmaps';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';

async function make(name: string, rest: JsonObject = {}): Promise<JsonObject> {
  const { code, body } = await client.send('POST', MAPS, { metadata: { name }, ...rest });
  assert.equal(code, 201);
  return body;
}

const put = (object: JsonObject): Promise<Reply> =>
  client.send('PUT', `${MAPS}/${stringAt(object, 'metadata', 'name')}`, object);
const withMetadata = (object: JsonObject, metadata: JsonObject): JsonObject => ({
  ...object,
  metadata: { ...(object['metadata'] as JsonObject), ...metadata },
});

describe('update', () => {
  test('of an old version is a conflict, and changes nothing', async () => {
    const old = await make('conflict', { data: { a: '1' } });
    assert.equal((await put({ ...old, data: { a: '2' } })).code, 200);
    const late = await put({ ...old, data: { a: '3' } });
    assert.equal(late.code, 409);
    assert.match(
      String(late.body['message']),
      /Operation cannot be fulfilled on configmaps "conflict": the object has been modified/,
    );
    assert.deepEqual((await client.send('GET', `${MAPS}/conflict`)).body['data'], { a: '2' });
  });

  test('without a version takes the newest', async () => {
    const made = await make('blind');
    const reply = await put({ ...withMetadata(made, { resourceVersion: '' }), data: { b: '1' } });
    assert.equal(reply.code, 200);
  });

  test('that changes nothing keeps the version', async () => {
    const made = await make('same', { data: { a: '1' } });
    const reply = await put(made);
    assert.equal(at(reply.body, 'metadata', 'resourceVersion'), at(made, 'metadata', 'resourceVersion'));
  });

  test('with another uid is a conflict', async () => {
    const made = await make('uid');
    const reply = await put(withMetadata(made, { uid: '00000000-0000-4000-8000-000000000000' }));
    assert.equal(reply.code, 409);
    assert.match(String(reply.body['message']), /Precondition failed: UID in precondition/);
  });

  test('with another name than the path says is refused', async () => {
    const made = await make('named');
    const reply = await client.send('PUT', `${MAPS}/named`, withMetadata(made, { name: 'other' }));
    assert.equal(reply.code, 400);
    assert.match(String(reply.body['message']), /does not match the name on the URL/);
  });

  test('of what is not there is a 404 for most kinds', async () => {
    const reply = await client.send('PUT', `${MAPS}/none`, { metadata: { name: 'none' } });
    assert.equal(reply.code, 404);
  });

  test('of a Lease that is not there creates it', async () => {
    const path = '/apis/coordination.k8s.io/v1/namespaces/default/leases/fresh';
    assert.equal((await client.send('PUT', path, { metadata: { name: 'fresh' }, spec: {} })).code, 201);
  });

  test('keeps an immutable ConfigMap as it is', async () => {
    const made = await make('fixed', { immutable: true, data: { a: '1' } });
    const reply = await put({ ...made, data: { a: '2' } });
    assert.equal(reply.code, 422);
    assert.match(String(reply.body['message']), /field is immutable when `immutable` is set/);
  });
});

describe('status', () => {
  const deployment = {
    metadata: { name: 'web' },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'c', image: 'i' }] },
      },
    },
  };

  test('is written through its own path, and nothing else is', async () => {
    const made = (await client.send('POST', DEPLOYMENTS, { ...deployment, status: { replicas: 9 } })).body;
    assert.equal(at(made, 'status', 'replicas'), undefined);
    const reply = await client.send('PUT', `${DEPLOYMENTS}/web/status`, {
      ...made,
      spec: { ...(made['spec'] as JsonObject), replicas: 5 },
      status: { replicas: 3 },
    });
    assert.equal(reply.code, 200);
    assert.deepEqual([at(reply.body, 'spec', 'replicas'), at(reply.body, 'status', 'replicas')], [1, 3]);
    assert.equal(at(reply.body, 'metadata', 'generation'), 1);
    const main = await client.send('PUT', `${DEPLOYMENTS}/web`, {
      ...reply.body,
      spec: { ...(reply.body['spec'] as JsonObject), replicas: 2 },
      status: { replicas: 8 },
    });
    assert.deepEqual([at(main.body, 'spec', 'replicas'), at(main.body, 'status', 'replicas')], [2, 3]);
    assert.equal(at(main.body, 'metadata', 'generation'), 2);
  });

  test('scale reads and writes the number of replicas alone', async () => {
    const scale = (await client.send('GET', `${DEPLOYMENTS}/web/scale`)).body;
    assert.deepEqual([scale['kind'], at(scale, 'spec', 'replicas')], ['Scale', 2]);
    const reply = await client.send('PUT', `${DEPLOYMENTS}/web/scale`, { ...scale, spec: { replicas: 4 } });
    assert.equal(reply.code, 200);
    assert.equal(at((await client.send('GET', `${DEPLOYMENTS}/web`)).body, 'spec', 'replicas'), 4);
    const bad = await client.send('PUT', `${DEPLOYMENTS}/web/scale`, {
      metadata: { name: 'web', namespace: 'default' },
      spec: { replicas: -1 },
    });
    assert.equal(bad.code, 422);
  });
});
