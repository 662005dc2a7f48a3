import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoreEvent } from './types.ts';
import type { NamedValue } from './testing/named-values.ts';
import { WatchRing } from './watch-ring.ts';

function event(revision: number, text: string): StoreEvent<NamedValue> {
  const object = { metadata: { name: 'a' } };
  return {
    type: 'MODIFIED',
    revision,
    stored: { key: '/configmaps/ns/a', revision, object, text },
    previous: undefined,
  };
}

const revisions = (ring: WatchRing<NamedValue>, after: number): readonly number[] | undefined =>
  ring.after(after)?.map(({ revision }) => revision);

test('the oldest events go when there are too many', () => {
  const ring = new WatchRing<NamedValue>({ events: 3, characters: 1000 }, 0);
  for (let revision = 1; revision <= 10; revision += 1) ring.push(event(revision, 'x'));
  assert.deepEqual(revisions(ring, 7), [8, 9, 10]);
  assert.equal(revisions(ring, 6), undefined, 'event 7 is forgotten');
  assert.equal(ring.oldest, 7);
  assert.deepEqual(revisions(ring, 9), [10]);
  assert.deepEqual(revisions(ring, 10), []);
});

test('large objects count by their size: what is kept of busy ones is bounded', () => {
  const ring = new WatchRing<NamedValue>({ events: 4096, characters: 100 }, 0);
  for (let revision = 1; revision <= 50; revision += 1) ring.push(event(revision, 'x'.repeat(30)));
  assert.deepEqual(revisions(ring, 47), [48, 49, 50]);
  assert.equal(revisions(ring, 46), undefined);
  ring.push(event(51, 'x'.repeat(500)));
  assert.deepEqual(revisions(ring, 50), [51], 'the newest is always known');
  ring.push(event(52, 'x'));
  assert.deepEqual(revisions(ring, 51), [52]);
  assert.equal(revisions(ring, 50), undefined);
});
