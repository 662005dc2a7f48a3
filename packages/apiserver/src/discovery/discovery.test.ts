import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { TestClient } from '../testing/test-client.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { arrayAt, asString, at, type JsonObject, stringAt } from '../wire/json.ts';

let server: TestServer;
let client: TestClient;
before(async () => {
  server = await startTestServer();
  client = new TestClient(server);
});
after(() => server[Symbol.asyncDispose]());

const get = async (path: string, accept = 'application/json'): Promise<JsonObject> => {
  const { code, body } = await client.send('GET', path, undefined, { accept });
  assert.equal(code, 200, path);
  return body;
};
const names = (body: JsonObject, list: string): string[] =>
  arrayAt(body, list).map((item) => stringAt(item, 'name'));

describe('discovery', () => {
  test('groups prefer one of their versions, and lists of resources say what may be done', async () => {
    const groups = await get('/apis');
    const apps = arrayAt(groups, 'groups').find((group) => stringAt(group, 'name') === 'apps');
    assert.equal(at(apps, 'preferredVersion', 'groupVersion'), 'apps/v1');
    const core = await get('/api/v1');
    const pods = arrayAt(core, 'resources').find((resource) => stringAt(resource, 'name') === 'pods');
    assert.deepEqual(
      [at(pods, 'kind'), at(pods, 'namespaced'), at(pods, 'shortNames', 0), at(pods, 'categories', 0)],
      ['Pod', true, 'po', 'all'],
    );
    for (const verb of ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'])
      assert.ok(arrayAt(pods, 'verbs').map(asString).includes(verb), verb);
    for (const name of ['pods/status', 'pods/exec', 'pods/eviction', 'namespaces/finalize'])
      assert.ok(names(core, 'resources').includes(name), name);
  });

  test('in one answer for clients that can read it', async () => {
    const body = await get('/apis', 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList');
    assert.equal(body['kind'], 'APIGroupDiscoveryList');
    const apps = arrayAt(body, 'items').find((item) => stringAt(item, 'metadata', 'name') === 'apps');
    const deployments = arrayAt(apps, 'versions', 0, 'resources').find(
      (resource) => stringAt(resource, 'resource') === 'deployments',
    );
    assert.deepEqual(
      [
        at(deployments, 'responseKind', 'kind'),
        at(deployments, 'scope'),
        at(deployments, 'singularResource'),
      ],
      ['Deployment', 'Namespaced', 'deployment'],
    );
  });

  test('follows a CRD: its group comes, its versions change, it goes', async () => {
    const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const version = (name: string, storage: boolean): JsonObject => ({
      name,
      storage,
      served: true,
      schema: { openAPIV3Schema: { type: 'object' } },
    });
    const made = await client.send('POST', crds, {
      metadata: { name: 'things.discovery.example.com' },
      spec: {
        group: 'discovery.example.com',
        scope: 'Cluster',
        names: { plural: 'things', kind: 'Thing', shortNames: ['th'] },
        versions: [version('v1alpha1', false), version('v1', true)],
      },
    });
    assert.equal(made.code, 201);
    const group = await get('/apis/discovery.example.com');
    assert.equal(at(group, 'preferredVersion', 'version'), 'v1', 'a stable version before an alpha one');
    assert.deepEqual(names(await get('/apis/discovery.example.com/v1'), 'resources'), ['things']);
    await client.send('DELETE', `${crds}/things.discovery.example.com`);
    assert.equal((await client.send('GET', '/apis/discovery.example.com/v1')).code, 404);
  });

  test('says which Kubernetes it follows and that it is itself', async () => {
    const version = await get('/version');
    assert.match(stringAt(version, 'gitVersion'), /^v1\.\d+\.\d+/);
    assert.equal(
      `v${stringAt(version, 'major')}.${stringAt(version, 'minor')}`,
      stringAt(version, 'gitVersion').split('.').slice(0, 2).join('.'),
    );
  });

  test('tells its health', async () => {
    for (const path of ['/healthz', '/livez', '/readyz']) assert.equal((await get(path))['text'], 'ok');
    const verbose = await get('/readyz?verbose');
    assert.match(stringAt(verbose, 'text'), /readyz check passed/);
  });

  test('has a schema of every kind for kubectl explain', async () => {
    const index = await get('/openapi/v3');
    assert.notEqual(at(index, 'paths', 'api/v1'), undefined);
    const document = await get('/openapi/v3/api/v1');
    assert.equal(at(document, 'components', 'schemas', 'io.k8s.api.core.v1.Pod', 'type'), 'object');
    assert.equal((await get('/openapi/v2'))['swagger'], '2.0');
  });

  test('offers what is served and nothing else', async () => {
    const document = await get('/openapi/v3/api/v1');
    const methods = (path: string): readonly string[] =>
      Object.keys(at(document, 'paths', path) ?? {}).toSorted();
    assert.deepEqual(methods('/api/v1/componentstatuses'), ['get']);
    assert.deepEqual(methods('/api/v1/componentstatuses/{name}'), ['get']);
    assert.deepEqual(methods('/api/v1/namespaces/{namespace}/bindings'), ['post']);
    assert.deepEqual(methods('/api/v1/namespaces/{namespace}/bindings/{name}'), []);
    assert.deepEqual(methods('/api/v1/namespaces/{namespace}/configmaps'), ['get', 'post']);
    const named = methods('/api/v1/namespaces/{namespace}/configmaps/{name}');
    assert.deepEqual(named, ['delete', 'get', 'patch', 'put']);
  });
});

test('paths that nobody serves are not found, also for those who may do everything', async () => {
  for (const path of ['/nothing', '/apis/none.example.com/v1', '/api/v2', '/api/v1/nothings'])
    assert.equal((await client.send('GET', path)).code, 404, path);
});
