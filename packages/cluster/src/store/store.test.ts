import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SqliteLog } from './sqlite-log.ts';
import { Store } from './store.ts';
import type { Stored, StoreEvent } from './types.ts';

function configMap(store: Store, name: string, value: string): Stored {
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
  const store = new Store(new SqliteLog(':memory:'));
  const seen: StoreEvent[] = [];
  store.subscribe('/configmaps', (events) => void seen.push(...events));
  const stored = configMap(store, 'a', '1');
  const committed = store.commit(stored);
  assert.equal(store.latest(stored.key), stored);
  assert.equal(store.get(stored.key), undefined);
  assert.equal(seen.length, 0);
  await committed;
  assert.equal(store.get(stored.key), stored);
  assert.deepEqual(
    seen.map(({ type, revision }) => [type, revision]),
    [['ADDED', stored.revision]],
  );
  store.close();
});

test('a list follows changes and deletions in order of key', async () => {
  const store = new Store(new SqliteLog(':memory:'));
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
