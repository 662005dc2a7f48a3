import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { TestClient } from '../../testing/test-client.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { arrayAt, at, stringAt } from '../../wire/json.ts';

let server: TestServer;
let client: TestClient;
before(async () => {
  server = await startTestServer();
  client = new TestClient(server);
});
after(() => server[Symbol.asyncDispose]());

const MAPS = '/api/v1/namespaces/default/configmaps';

async function make(name: string, metadata: object = {}): Promise<string> {
  const { code, body } = await client.send('POST', MAPS, { metadata: { name, ...metadata } });
  assert.equal(code, 201);
  return stringAt(body, 'metadata', 'uid');
}

/** Query, body, code, words. */
const refusals: readonly (readonly [string, unknown, number, RegExp])[] = [
  ['?gracePeriodSeconds=x', undefined, 400, /ParseInt: parsing "x"/],
  ['?propagationPolicy=Sideways', undefined, 422, /supported values: "Foreground", "Background", "Orphan"/],
  [
    '',
    { propagationPolicy: 'Orphan', orphanDependents: true },
    422,
    /orphanDependents and deletionPropagation/,
  ],
  ['', { preconditions: { uid: 'other' } }, 409, /the UID in the precondition \(other\) does not match/],
  [
    '',
    { preconditions: { resourceVersion: '1' } },
    409,
    /the ResourceVersion in the precondition \(1\) does not match/,
  ],
  ['', { dryRun: ['some'] }, 422, /supported values: "All"/],
];

describe('delete refuses', () => {
  before(() => make('kept'));
  for (const [query, body, code, words] of refusals)
    test(`${query}${body === undefined ? '' : JSON.stringify(body)}`, async () => {
      const reply = await client.send('DELETE', `${MAPS}/kept${query}`, body);
      assert.equal(reply.code, code, JSON.stringify(reply.body));
      assert.match(String(reply.body['message']), words);
      assert.equal((await client.send('GET', `${MAPS}/kept`)).code, 200);
    });

  test('what is not there', async () => {
    const reply = await client.send('DELETE', `${MAPS}/none`);
    assert.equal(reply.code, 404);
    assert.equal(reply.body['message'], 'configmaps "none" not found');
  });
});

describe('delete', () => {
  test('answers with a Status that names what went', async () => {
    const uid = await make('plain');
    const { code, body } = await client.send('DELETE', `${MAPS}/plain`);
    assert.equal(code, 200);
    assert.deepEqual([body['kind'], body['status'], at(body, 'details', 'uid')], ['Status', 'Success', uid]);
  });

  test('waits for finalizers, which may only go from then on', async () => {
    await make('held', { finalizers: ['example.com/hold'] });
    const { body } = await client.send('DELETE', `${MAPS}/held`);
    assert.notEqual(at(body, 'metadata', 'deletionTimestamp'), undefined);
    const more = await client.send(
      'PATCH',
      `${MAPS}/held`,
      { metadata: { finalizers: ['example.com/hold', 'example.com/other'] } },
      { 'content-type': 'application/merge-patch+json' },
    );
    assert.equal(more.code, 422);
    assert.match(
      String(more.body['message']),
      /no new finalizers can be added if the object is being deleted/,
    );
    const freed = await client.send(
      'PATCH',
      `${MAPS}/held`,
      { metadata: { finalizers: null } },
      { 'content-type': 'application/merge-patch+json' },
    );
    assert.equal(freed.code, 200);
    assert.equal((await client.send('GET', `${MAPS}/held`)).code, 404);
  });

  test('marks foreground and orphan deletion with their finalizers', async () => {
    for (const [policy, finalizer] of [
      ['Foreground', 'foregroundDeletion'],
      ['Orphan', 'orphan'],
    ]) {
      await make(`with-${policy?.toLowerCase()}`);
      const path = `${MAPS}/with-${policy?.toLowerCase()}`;
      const { body } = await client.send('DELETE', `${path}?propagationPolicy=${policy}`);
      assert.deepEqual(at(body, 'metadata', 'finalizers'), [finalizer]);
    }
  });

  test('of a collection takes what the selectors choose', async () => {
    await make('x1', { labels: { del: 'yes' } });
    await make('x2', { labels: { del: 'yes' } });
    await make('x3', { labels: { del: 'no' } });
    const { code, body } = await client.send('DELETE', `${MAPS}?labelSelector=del%3Dyes`);
    assert.equal(code, 200);
    assert.deepEqual(
      arrayAt(body, 'items').map((item) => at(item, 'metadata', 'name')),
      ['x1', 'x2'],
    );
    assert.equal((await client.send('GET', `${MAPS}/x3`)).code, 200);
  });

  test('takes nothing in a dry run', async () => {
    await make('stays');
    assert.equal((await client.send('DELETE', `${MAPS}/stays?dryRun=All`)).code, 200);
    assert.equal((await client.send('GET', `${MAPS}/stays`)).code, 200);
  });
});
