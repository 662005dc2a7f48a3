import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { TestClient, type WatchEvent } from '../../testing/test-client.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { at, stringAt } from '../../wire/json.ts';

let server: TestServer;
let client: TestClient;
const MAPS = '/api/v1/namespaces/watched/configmaps';
const MERGE = { 'content-type': 'application/merge-patch+json' };

before(async () => {
  server = await startTestServer();
  client = new TestClient(server);
  await client.send('POST', '/api/v1/namespaces', { metadata: { name: 'watched' } });
});
after(() => server[Symbol.asyncDispose]());

const make = async (name: string, labels: object = {}): Promise<string> =>
  stringAt(
    (await client.send('POST', MAPS, { metadata: { name, labels } })).body,
    'metadata',
    'resourceVersion',
  );

/** Reads so many events of a watch. */
async function take(path: string, count: number): Promise<WatchEvent[]> {
  const events: WatchEvent[] = [];
  for await (const event of client.watch(path)) {
    events.push(event);
    if (events.length === count) break;
  }
  return events;
}

const told = (events: readonly WatchEvent[]): string[] =>
  events.map(({ type, object }) => `${type} ${stringAt(object, 'metadata', 'name')}`);

test('a watch from a revision tells everything after it, in order', async () => {
  const from = await make('a');
  await client.send('PATCH', `${MAPS}/a`, { data: { x: '1' } }, MERGE);
  await make('b');
  await client.send('DELETE', `${MAPS}/a`);
  assert.deepEqual(told(await take(`${MAPS}?watch=1&resourceVersion=${from}`, 3)), [
    'MODIFIED a',
    'ADDED b',
    'DELETED a',
  ]);
});

test('an object that starts or stops to fit the selector comes and goes', async () => {
  const from = await make('c', { on: 'no' });
  for (const on of ['yes', 'still', 'yes'])
    await client.send('PATCH', `${MAPS}/c`, { metadata: { labels: { on } } }, MERGE);
  const events = await take(`${MAPS}?watch=1&labelSelector=on%3Dyes&resourceVersion=${from}`, 3);
  assert.deepEqual(told(events), ['ADDED c', 'DELETED c', 'ADDED c']);
  assert.equal(at(events[1]?.object, 'metadata', 'labels', 'on'), 'yes', 'the last state that fitted');
});

test('initial events end with a bookmark that says so', async () => {
  const path = `${MAPS}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`;
  const events = await take(path, 3);
  assert.deepEqual(
    events.map(({ type }) => type),
    ['ADDED', 'ADDED', 'BOOKMARK'],
  );
  assert.equal(at(events[2]?.object, 'metadata', 'annotations', 'k8s.io/initial-events-end'), 'true');
});

test('a watch ends by itself after its time', async () => {
  const path = `${MAPS}?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Dnone`;
  const events: WatchEvent[] = [];
  for await (const event of client.watch(path)) events.push(event);
  assert.deepEqual(events, []);
});

/** Query → code and words. */
const refusals: readonly (readonly [string, number, RegExp])[] = [
  [
    'watch=1&sendInitialEvents=true',
    422,
    /sendInitialEvents requires setting resourceVersionMatch to NotOlderThan/,
  ],
  [
    'watch=1&resourceVersionMatch=NotOlderThan',
    422,
    /forbidden for watch unless sendInitialEvents is provided/,
  ],
  ['watch=1&labelSelector=a%20in%20b', 400, /unable to parse requirement/],
  ['watch=1&timeoutSeconds=x', 400, /ParseInt/],
];

for (const [query, code, words] of refusals)
  test(`refused: ${query}`, async () => {
    const reply = await client.send('GET', `${MAPS}?${query}`);
    assert.equal(reply.code, code, JSON.stringify(reply.body));
    assert.match(String(reply.body['message']), words);
  });
