/** APIServices that the server keeps for what it answers itself. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { TestClient } from '../testing/test-client.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { arrayAt, at, type JsonObject, stringAt } from '../wire/json.ts';

const APISERVICES = '/apis/apiregistration.k8s.io/v1/apiservices';
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const AUTOMANAGED = 'kube-aggregator.kubernetes.io/automanaged';

let server: TestServer;
let client: TestClient;

before(async () => {
  server = await startTestServer();
  client = new TestClient(server);
});
after(() => server[Symbol.asyncDispose]());

const WATCH = `${APISERVICES}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`;

/** Follows the APIServices until one of that name is as asked for. */
async function until(name: string, fits: (object: JsonObject) => boolean): Promise<JsonObject> {
  for await (const { type, object } of client.watch(WATCH))
    if (type !== 'DELETED' && stringAt(object, 'metadata', 'name') === name && fits(object)) return object;
  throw new Error('the watch ended');
}

async function gone(name: string): Promise<void> {
  let isThere = false;
  for await (const { type, object } of client.watch(WATCH)) {
    // The bookmark comes after all that there is.
    if (type === 'BOOKMARK' && !isThere) return;
    if (stringAt(object, 'metadata', 'name') !== name) continue;
    if (type === 'DELETED') return;
    isThere = true;
  }
}

const isAvailable = (object: JsonObject): boolean =>
  arrayAt(object, 'status', 'conditions').some((condition) => stringAt(condition, 'status') === 'True');

test('Kubernetes’ own groups have theirs, with their priorities', async () => {
  const core = await until('v1.', isAvailable);
  assert.deepEqual(core['spec'], { groupPriorityMinimum: 18000, version: 'v1', versionPriority: 1 });
  assert.equal(at(core, 'metadata', 'labels', AUTOMANAGED), 'onstart');
  const [condition] = arrayAt(core, 'status', 'conditions');
  assert.equal(stringAt(condition, 'reason'), 'Local');
  const scaling = await until('v2.autoscaling', isAvailable);
  assert.equal(at(scaling, 'spec', 'versionPriority'), 30);
  // The group of APIServices has none itself.
  assert.equal((await client.send('GET', `${APISERVICES}/v1.apiregistration.k8s.io`)).code, 404);
});

function crd(group: string, versions: readonly string[]): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `things.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: versions.map((name, index) => ({
        name,
        served: true,
        storage: index === 0,
        schema: { openAPIV3Schema: { type: 'object' } },
      })),
    },
  };
}

test('a CRD brings one for each served version, which comes back when deleted and goes with the CRD', async () => {
  const made = await client.send('POST', CRDS, crd('local.example.com', ['v1', 'v1beta1']));
  assert.equal(made.code, 201, JSON.stringify(made.body));
  const { metadata } = await until('v1.local.example.com', isAvailable);
  await until('v1beta1.local.example.com', isAvailable);
  await client.send('DELETE', `${APISERVICES}/v1.local.example.com`);
  await until(
    'v1.local.example.com',
    (object) => stringAt(object, 'metadata', 'uid') !== stringAt(metadata, 'uid'),
  );
  await client.send('DELETE', `${CRDS}/things.local.example.com`);
  await gone('v1beta1.local.example.com');
});

test('one made by hand for the same group version is left alone', async () => {
  const name = 'v1.hand.example.com';
  const spec = {
    group: 'hand.example.com',
    version: 'v1',
    groupPriorityMinimum: 7,
    versionPriority: 7,
  };
  await client.send('POST', APISERVICES, { metadata: { name }, spec });
  await client.send('POST', CRDS, crd('hand.example.com', ['v1', 'v2']));
  await until('v2.hand.example.com', isAvailable);
  assert.equal(at(await until(name, isAvailable), 'spec', 'versionPriority'), 7);
  await client.send('DELETE', `${CRDS}/things.hand.example.com`);
  await gone('v2.hand.example.com');
  assert.equal((await client.send('GET', `${APISERVICES}/${name}`)).code, 200);
});
