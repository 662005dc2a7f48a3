import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { FakeClock } from '@podvisor/base';
import { Informer, type InformerOptions, KubeClient } from '../index.ts';
import { eventually, type Thing, things, TinyApiServer } from '../testing/tiny-api-server.ts';

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
let server: TinyApiServer;
let client: KubeClient;
let abort: AbortController;
let heard: string[];

beforeEach(async () => {
  server = new TinyApiServer();
  await server.start();
  client = KubeClient.fromAccess(server.access());
  abort = new AbortController();
  heard = [];
});
afterEach(async () => {
  abort.abort();
  await client.close();
  await server.stop();
});

function follow(options: Partial<InformerOptions<Thing>> = {}): Informer<Thing> {
  const informer = new Informer({
    client,
    resource: things,
    namespace: 'ns',
    indexers: { color: (thing) => (thing.spec?.color === undefined ? [] : [thing.spec.color]) },
    backoff: { firstMs: 5, maxMs: 20 },
    log: quiet,
    ...options,
  });
  informer.on({
    add: (thing, initial) => heard.push(`${initial ? 'initial' : 'add'} ${thing.metadata?.name}`),
    update: (thing, old) =>
      heard.push(`update ${thing.metadata?.name} ${old.spec?.color}>${thing.spec?.color}`),
    delete: (thing) => heard.push(`delete ${thing.metadata?.name}`),
  });
  informer.start(abort.signal);
  return informer;
}

const lists = (): number => server.requests(({ url }) => url.searchParams.get('watch') === null).length;

for (const watchList of [false, true]) {
  test(`tells the first state and every change, and keeps indexes (watchList ${watchList})`, async () => {
    server.put('a', 'red');
    const informer = follow({ watchList });
    await informer.synced();
    assert.deepEqual(heard, ['initial a']);
    await eventually(() => server.watchers === 1, 'watch');
    server.put('b', 'red');
    server.put('a', 'blue');
    server.remove('b');
    await eventually(() => heard.length === 4, 'changes');
    assert.deepEqual(heard, ['initial a', 'add b', 'update a red>blue', 'delete b']);
    assert.deepEqual(informer.byIndex('color', 'red'), []);
    assert.deepEqual(
      informer.byIndex('color', 'blue').map((thing) => thing.metadata?.name),
      ['a'],
    );
    assert.equal(informer.get('ns/a')?.spec?.color, 'blue');
    assert.equal(lists(), watchList ? 0 : 1);
  });
}

test('falls back to a list where the server does not know streaming lists', async () => {
  server.put('a', 'red');
  server.answer = ({ url }, response) => {
    if (url.searchParams.get('sendInitialEvents') === null) return false;
    response.writeHead(422).end('{"reason":"Invalid","message":"sendInitialEvents is forbidden","code":422}');
    return true;
  };
  await follow({ watchList: true }).synced();
  assert.deepEqual(heard, ['initial a']);
});

for (const how of ['destroy', 'end'] as const) {
  test(`goes on where it stopped after the watch was dropped (${how}), without a new list`, async () => {
    server.put('a', 'red');
    const informer = follow();
    await informer.synced();
    await eventually(() => server.watchers === 1, 'watch');
    server.dropWatches(how);
    server.put('b', 'green');
    server.remove('a');
    await eventually(() => heard.length === 3, 'missed changes');
    assert.deepEqual(heard, ['initial a', 'add b', 'delete a']);
    assert.equal(lists(), 1);
  });
}

test('survives a restart of the server, and nobody hears "deleted" while lists fail', async () => {
  server.put('a', 'red');
  server.put('b', 'red');
  const informer = follow();
  await informer.synced();
  await eventually(() => server.watchers === 1, 'watch');
  server.compact();
  await server.stop();
  server.listsFail = true;
  server.put('c', 'red');
  server.compact();
  await server.start();
  await eventually(() => lists() >= 3, 'failing lists');
  assert.deepEqual(heard, ['initial a', 'initial b']);
  assert.equal(informer.size, 2);
  server.remove('b');
  server.listsFail = false;
  await eventually(() => heard.length === 4, 'relist');
  assert.deepEqual(heard.toSorted(), ['add c', 'delete b', 'initial a', 'initial b']);
});

test('410 makes a new list, whose differences are told', async () => {
  server.put('a', 'red');
  server.put('b', 'red');
  const informer = follow();
  await informer.synced();
  await eventually(() => server.watchers === 1, 'watch');
  server.mute = true;
  server.put('a', 'blue');
  server.remove('b');
  server.compact();
  server.mute = false;
  server.dropWatches('destroy');
  await eventually(() => heard.length === 4, 'differences');
  assert.deepEqual(heard, ['initial a', 'initial b', 'delete b', 'update a red>blue']);
  assert.equal(lists(), 2);
});

test('a silent watch is opened again; an event or bookmark counts as a sign of life', async () => {
  const clock = new FakeClock(1_000_000);
  const informer = follow({ clock, silenceMs: 90_000 });
  await informer.synced();
  const watches = (): number => server.requests(({ url }) => url.searchParams.get('watch') === 'true').length;
  await eventually(() => server.watchers === 1, 'watch');
  clock.advance(60_000);
  server.put('a', 'red');
  await eventually(() => heard.length === 1, 'event');
  clock.advance(60_000);
  // Told by the watch of before; one that was opened again would have told it too, but as a second one.
  server.put('b', 'red');
  await eventually(() => heard.length === 2, 'another event');
  assert.equal(watches(), 1, 'heard 60 s ago');
  server.mute = true;
  server.put('c', 'red');
  clock.advance(91_000);
  await eventually(() => watches() === 2, 'second watch');
  await eventually(() => heard.length === 3, 'what the dead watch did not tell');
  assert.deepEqual(heard, ['add a', 'add b', 'add c']);
});

test('duplicates and old events change nothing', async () => {
  server.duplicate = true;
  const informer = follow();
  await informer.synced();
  await eventually(() => server.watchers === 1, 'watch');
  server.put('a', 'red');
  server.remove('a');
  server.put('b', 'red');
  await eventually(() => heard.length >= 3, 'events');
  server.bookmark();
  // A stream is in order: when this is heard, all before it was.
  server.put('last', 'red');
  await eventually(() => heard.includes('add last'), 'the last event');
  assert.deepEqual(heard, ['add a', 'delete a', 'add b', 'add last']);
});

test('a handler that throws is reported, and the others still hear', async () => {
  const errors: unknown[] = [];
  server.put('a', 'red');
  const informer = new Informer({
    client,
    resource: things,
    log: quiet,
    onHandlerError: (error) => errors.push(error),
  });
  informer.on({
    add: () => {
      throw new Error('boom');
    },
  });
  informer.on({ add: (thing) => heard.push(`add ${thing.metadata?.name}`) });
  informer.start(abort.signal);
  await informer.synced();
  assert.deepEqual(heard, ['add a']);
  assert.match(String(errors[0]), /boom/);
});

test('a handler that comes late hears of what is there', async () => {
  server.put('a', 'red');
  const informer = follow();
  await informer.synced();
  const late: string[] = [];
  const off = informer.on({ add: (thing) => late.push(thing.metadata?.name ?? '') });
  assert.deepEqual(late, ['a']);
  off();
  await eventually(() => server.watchers === 1, 'watch');
  server.put('b', 'red');
  await eventually(() => heard.length === 2, 'event');
  assert.deepEqual(late, ['a']);
});
