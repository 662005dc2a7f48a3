import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteLog } from './sqlite-log.ts';
import { Store } from './store.ts';
import { type NamedValue, namedValues } from './testing/named-values.ts';
import type { Stored, StoreEvent } from './types.ts';

function configMap(store: Store<NamedValue>, name: string, value: string): Stored<NamedValue> {
  const revision = store.nextRevision();
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'ns' },
    data: { value },
  };
  return { key: `/configmaps/ns/${name}`, revision, object, text: JSON.stringify(object) };
}

test('writers see a write at once, readers and watchers when it is durable', async () => {
  const store = new Store(new SqliteLog(':memory:'), namedValues);
  const seen: StoreEvent<NamedValue>[] = [];
  store.subscribe('/configmaps', (events) => void seen.push(...events));
  const stored = configMap(store, 'a', '1');
  const committed = store.commit(stored);
  assert.equal(store.latest(stored.key)?.object, stored.object);
  assert.equal(store.get(stored.key), undefined);
  assert.equal(seen.length, 0);
  await committed;
  assert.equal(store.get(stored.key)?.object, stored.object);
  assert.deepEqual(
    seen.map(({ type, revision }) => [type, revision]),
    [['ADDED', stored.revision]],
  );
  store.close();
});

test('a list follows changes and deletions in order of key', async () => {
  const store = new Store(new SqliteLog(':memory:'), namedValues);
  const [b, a] = [configMap(store, 'b', '1'), configMap(store, 'a', '1')];
  await Promise.all([store.commit(b), store.commit(a)]);
  assert.deepEqual(
    store.list('/configmaps').map(({ key }) => key),
    [a.key, b.key],
  );
  const gone = { ...a, revision: store.nextRevision() };
  await store.commit(gone, true);
  assert.deepEqual(
    store.list('/configmaps', '/configmaps/ns/').map(({ key }) => key),
    [b.key],
  );
  assert.deepEqual(
    store.eventsAfter('/configmaps', b.revision)?.map(({ type }) => type),
    ['ADDED', 'DELETED'],
  );
  store.close();
});

test('what is left after compaction and a restart still knows what was before each event', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'podvisor-store-'));
  try {
    const path = join(directory, 'store.db');
    const limits = { ringLimit: 1000, compactEvery: 5 };
    const first = new Store(new SqliteLog(path), namedValues, limits);
    const write = (name: string, value: string): Promise<void> => first.commit(configMap(first, name, value));
    await write('changed', '0');
    await write('deleted', '0');
    for (let i = 0; i < 6; i += 1) await write('busy', String(i));
    await write('changed', '1');
    const gone = configMap(first, 'deleted', '0');
    await first.commit(gone, true);
    for (let i = 0; i < 4; i += 1) await write('busy', String(i));
    const compacted = first.compactedRevision;
    assert.ok(compacted > 1, 'history was forgotten');
    const before = first.eventsAfter('/configmaps', compacted);
    first.close();

    const second = new Store(new SqliteLog(path), namedValues, limits);
    assert.equal(second.compactedRevision, compacted);
    const tell = (events: readonly StoreEvent<NamedValue>[] | undefined): unknown =>
      events?.map(({ type, revision, stored, previous }) => [type, revision, stored.key, previous?.revision]);
    assert.deepEqual(tell(second.eventsAfter('/configmaps', compacted)), tell(before));
    const deletion = second.eventsAfter('/configmaps', compacted)?.find(({ type }) => type === 'DELETED');
    assert.equal(deletion?.stored.object.metadata?.resourceVersion, String(gone.revision));
    assert.match(deletion.stored.text, new RegExp(`"resourceVersion":"${gone.revision}"`));
    assert.equal(second.eventsAfter('/configmaps', compacted - 1), undefined);
    second.close();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
