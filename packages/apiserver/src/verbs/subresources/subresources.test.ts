/** status, scale, binding, eviction and tokens: what each changes, and what it refuses. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Reply, TestClient } from '../../testing/test-client.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { at, type JsonObject } from '../../wire/json.ts';

let server: TestServer;
let client: TestClient;
before(async () => {
  server = await startTestServer();
  client = new TestClient(server);
  // A Pod runs as somebody; the controller that makes this account does not run here.
  await made(`${NAMESPACE}/serviceaccounts`, { metadata: { name: 'default' } });
});
after(() => server[Symbol.asyncDispose]());

const NAMESPACE = '/api/v1/namespaces/default';
const PODS = `${NAMESPACE}/pods`;
const SETS = '/apis/apps/v1/namespaces/default/replicasets';
const BUDGETS = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
const MERGE = { 'content-type': 'application/merge-patch+json' };

async function made(path: string, object: JsonObject): Promise<JsonObject> {
  const { code, body } = await client.send('POST', path, object);
  assert.equal(code, 201, String(body['message']));
  return body;
}
const newPod = (name: string): Promise<JsonObject> =>
  made(PODS, {
    metadata: { name, labels: { app: name } },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  });
const newSet = (name: string, replicas: number): Promise<JsonObject> =>
  made(SETS, {
    metadata: { name },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  });
const bind = (pod: string, target: JsonObject, metadata: JsonObject = {}): Promise<Reply> =>
  client.send('POST', `${PODS}/${pod}/binding`, { metadata: { name: pod, ...metadata }, target });
const evict = (pod: string, more: JsonObject = {}): Promise<Reply> =>
  client.send('POST', `${PODS}/${pod}/eviction`, { metadata: { name: pod }, ...more });
/** As a kubelet would say it. */
const runs = (pod: string): Promise<Reply> =>
  client.send('PATCH', `${PODS}/${pod}/status`, { status: { phase: 'Running' } }, MERGE);

describe('status', () => {
  test('a write of the status leaves the spec, and a write of the object leaves the status', async () => {
    const set = await newSet('split', 1);
    const status = { replicas: 3, observedGeneration: 1 };
    const written = await client.send('PUT', `${SETS}/split/status`, {
      ...set,
      spec: { ...(set['spec'] as JsonObject), replicas: 9 },
      status,
    });
    assert.equal(written.code, 200);
    assert.equal(at(written.body, 'spec', 'replicas'), 1);
    assert.equal(at(written.body, 'status', 'replicas'), 3);
    const object = await client.send('PUT', `${SETS}/split`, { ...written.body, status: { replicas: 7 } });
    assert.equal(at(object.body, 'status', 'replicas'), 3);
  });

  test('of an object that is not there is not found', async () => {
    assert.equal((await client.send('PATCH', `${SETS}/none/status`, {}, MERGE)).code, 404);
  });

  test('of a kind that has none is not found', async () => {
    await made(`${NAMESPACE}/configmaps`, { metadata: { name: 'plain' } });
    assert.equal((await client.send('GET', `${NAMESPACE}/configmaps/plain/status`)).code, 404);
  });
});

describe('scale', () => {
  test('shows replicas and selector, and changes the replicas alone', async () => {
    await newSet('sized', 2);
    const seen = await client.send('GET', `${SETS}/sized/scale`);
    assert.equal(seen.body['kind'], 'Scale');
    assert.equal(at(seen.body, 'spec', 'replicas'), 2);
    assert.equal(at(seen.body, 'status', 'selector'), 'app=sized');
    const patched = await client.send('PATCH', `${SETS}/sized/scale`, { spec: { replicas: 5 } }, MERGE);
    assert.equal(patched.code, 200);
    const set = (await client.send('GET', `${SETS}/sized`)).body;
    assert.equal(at(set, 'spec', 'replicas'), 5);
    assert.deepEqual(at(set, 'spec', 'selector'), { matchLabels: { app: 'sized' } });
  });

  test('of an old version is a conflict', async () => {
    await newSet('raced', 1);
    const scale = (await client.send('GET', `${SETS}/raced/scale`)).body;
    assert.equal(
      (await client.send('PUT', `${SETS}/raced/scale`, { ...scale, spec: { replicas: 2 } })).code,
      200,
    );
    assert.equal(
      (await client.send('PUT', `${SETS}/raced/scale`, { ...scale, spec: { replicas: 3 } })).code,
      409,
    );
  });

  test('below zero is refused', async () => {
    await newSet('negative', 1);
    const refused = await client.send('PATCH', `${SETS}/negative/scale`, { spec: { replicas: -1 } }, MERGE);
    assert.equal(refused.code, 422);
    assert.match(String(refused.body['message']), /spec\.replicas/);
  });
});

describe('binding', () => {
  test('names the node once', async () => {
    await newPod('bound');
    assert.equal((await bind('bound', { kind: 'Node', name: 'a' })).code, 201);
    const pod = (await client.send('GET', `${PODS}/bound`)).body;
    assert.equal(at(pod, 'spec', 'nodeName'), 'a');
    const conditions = at(pod, 'status', 'conditions') as JsonObject[];
    assert.equal(conditions.find((c) => c['type'] === 'PodScheduled')?.['status'], 'True');
    const again = await bind('bound', { name: 'b' });
    assert.equal(again.code, 409);
    assert.match(String(again.body['message']), /already assigned to node "a"/);
  });

  test('of another Pod of the name, to no node, or to something else is refused', async () => {
    await newPod('free');
    assert.equal((await bind('free', { name: 'a' }, { uid: 'other' })).code, 409);
    assert.equal((await bind('free', {})).code, 500);
    assert.equal((await bind('free', { kind: 'Service', name: 'a' })).code, 500);
    assert.equal((await bind('free', { name: 'a' }, { name: 'another' })).code, 400);
    assert.equal((await bind('missing', { name: 'a' })).code, 404);
    assert.equal(at((await client.send('GET', `${PODS}/free`)).body, 'spec', 'nodeName'), undefined);
  });
});

describe('eviction', () => {
  test('of a Pod that nobody protects deletes it', async () => {
    await newPod('plain');
    assert.equal((await evict('plain', { deleteOptions: { gracePeriodSeconds: 0 } })).code, 201);
    assert.equal((await client.send('GET', `${PODS}/plain`)).code, 404);
  });

  test('a budget that allows none refuses; one that allows it is used up', async () => {
    await newPod('kept');
    assert.equal((await runs('kept')).code, 200);
    const budget = { spec: { minAvailable: 1, selector: { matchLabels: { app: 'kept' } } } };
    const { metadata } = await made(BUDGETS, { metadata: { name: 'keep' }, ...budget });
    const unread = await evict('kept');
    assert.equal(unread.code, 429, 'its controller has not looked at it yet');
    const allow = (disruptionsAllowed: number): Promise<Reply> => {
      const status = {
        observedGeneration: (metadata as JsonObject)['generation'] as number,
        disruptionsAllowed,
        currentHealthy: 1,
        desiredHealthy: 1,
        expectedPods: 1,
      };
      return client.send('PATCH', `${BUDGETS}/keep/status`, { status }, MERGE);
    };
    assert.equal((await allow(0)).code, 200);
    const refused = await evict('kept');
    assert.equal(refused.code, 429);
    assert.match(JSON.stringify(refused.body['details']), /needs 1 healthy pods and has 1 currently/);
    await allow(1);
    assert.equal((await evict('kept', { deleteOptions: { dryRun: ['All'] } })).code, 201);
    assert.equal((await client.send('GET', `${PODS}/kept`)).code, 200, 'a dry run takes nobody');
    assert.equal((await evict('kept')).code, 201);
    const used = (await client.send('GET', `${BUDGETS}/keep`)).body;
    assert.equal(at(used, 'status', 'disruptionsAllowed') ?? 0, 0);
    assert.ok(at(used, 'status', 'disruptedPods', 'kept') !== undefined);
  });

  test('of another name than the path says, or of no Pod, is refused', async () => {
    await newPod('named');
    assert.equal((await evict('named', { metadata: { name: 'other' } })).code, 400);
    assert.equal((await evict('missing')).code, 404);
  });
});

describe('token', () => {
  const TOKENS = `${NAMESPACE}/serviceaccounts/robot/token`;
  before(() => made(`${NAMESPACE}/serviceaccounts`, { metadata: { name: 'robot' } }));

  test('is given for the time that was asked for', async () => {
    const { code, body } = await client.send('POST', TOKENS, { spec: { expirationSeconds: 600 } });
    assert.equal(code, 201);
    assert.match(String(at(body, 'status', 'token')), /^[\w-]+\.[\w-]+\.[\w-]+$/);
    assert.equal(at(body, 'spec', 'expirationSeconds'), 600);
  });

  test('for less than ten minutes, or for no account, is refused', async () => {
    assert.equal((await client.send('POST', TOKENS, { spec: { expirationSeconds: 1 } })).code, 422);
    const path = `${NAMESPACE}/serviceaccounts/nobody/token`;
    assert.equal((await client.send('POST', path, { spec: {} })).code, 404);
  });
});
