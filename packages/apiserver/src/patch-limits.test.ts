/** Patches that want to grow: each ends with Kubernetes' refusal, soon, and the object is as it was. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { adminRequest, type Reply } from './testing/admin-request.ts';
import { startTestServer, type TestServer } from './testing/test-server.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const REVISIONS = '/apis/apps/v1/namespaces/default/controllerrevisions';
const JSON_PATCH = 'application/json-patch+json';

let home: TestServer;
before(async () => {
  home = await startTestServer();
  const map = { metadata: { name: 'target' }, data: { a: 'x'.repeat(1000) } };
  assert.equal((await adminRequest(home, 'POST', MAPS, { body: JSON.stringify(map) })).code, 201);
});
after(() => home[Symbol.asyncDispose]());

function patch(operations: unknown, path = `${MAPS}/target`): Promise<Reply> {
  return adminRequest(home, 'PATCH', path, { body: JSON.stringify(operations), type: JSON_PATCH });
}

test('copies that double end at three mebibytes', async () => {
  const doubling = Array.from({ length: 62 }, (_, i) => ({ op: 'copy', from: '/data', path: `/data/c${i}` }));
  const before = process.cpuUsage();
  const { code, body } = await patch(doubling);
  assert.equal(code, 422);
  assert.equal(body['message'], 'the server rejected our request due to an error in our request');
  assert.equal(body['reason'], 'Invalid');
  assert.ok(process.cpuUsage(before).user < 2_000_000);
  const { body: now } = await adminRequest(home, 'GET', `${MAPS}/target`);
  assert.deepEqual(now['data'], { a: 'x'.repeat(1000) });
});

test('more than ten thousand operations', async () => {
  const many = (count: number): Promise<Reply> =>
    patch(Array.from({ length: count }, () => ({ op: 'test', path: '/kind', value: 'ConfigMap' })));
  assert.equal((await many(10_000)).code, 200);
  const { code, body } = await many(10_001);
  assert.equal(code, 413);
  assert.equal(
    body['message'],
    'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
  );
});

test('what is no list of operations', async () => {
  for (const [value, type] of [
    [{}, 'object into Go value of type jsonpatch.Patch'],
    ['x', 'string into Go value of type jsonpatch.Patch'],
    [[1], 'number into Go value of type jsonpatch.Operation'],
    [['x'], 'string into Go value of type jsonpatch.Operation'],
  ] as const) {
    const { code, body } = await patch(value);
    assert.equal(code, 400);
    assert.equal(body['message'], `error decoding patch: json: cannot unmarshal ${type}`);
  }
});

test('patches that each add a little do not add up to an object without end', async () => {
  const container = { name: 'c', image: 'i', args: ['x'.repeat(500_000)] };
  const labels = { a: 'b' };
  const spec = {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [container] } },
  };
  const deployments = '/apis/apps/v1/namespaces/default/deployments';
  const body = JSON.stringify({ metadata: { name: 'growing' }, spec });
  assert.equal((await adminRequest(home, 'POST', deployments, { body })).code, 201);
  const args = '/spec/template/spec/containers/0/args';
  const codes: number[] = [];
  for (let i = 0; i < 4; i += 1)
    codes.push(
      (await patch([{ op: 'copy', from: `${args}/0`, path: `${args}/-` }], `${deployments}/growing`)).code,
    );
  assert.deepEqual(codes, [200, 200, 413, 413]);
});

test('an object of the largest size can still change and go', async () => {
  const body = JSON.stringify({ metadata: { name: 'full' }, revision: 1, data: 'x'.repeat(1_572_000) });
  assert.equal((await adminRequest(home, 'POST', REVISIONS, { body })).code, 201);
  const label = { body: '{"metadata":{"labels":{"a":"b"}}}', type: 'application/merge-patch+json' };
  assert.equal((await adminRequest(home, 'PATCH', `${REVISIONS}/full`, label)).code, 200);
  const large = { ...label, body: JSON.stringify({ metadata: { annotations: { a: 'y'.repeat(2000) } } }) };
  assert.equal((await adminRequest(home, 'PATCH', `${REVISIONS}/full`, large)).code, 413);
  assert.equal((await adminRequest(home, 'DELETE', `${REVISIONS}/full`)).code, 200);
});
