import assert from 'node:assert/strict';
import { test } from 'node:test';
import { merged } from './merge.ts';

const BASE = { metadata: { resourceVersion: '1' }, spec: { cores: 1, memory: '1Gi' } };

test('what each changed alone is kept, and of the same field mine', () => {
  const mine = { metadata: { resourceVersion: '1' }, spec: { cores: 2, memory: '1Gi' } };
  const theirs = {
    metadata: { resourceVersion: '2', annotations: { by: 'another' } },
    spec: { cores: 4, memory: '2Gi' },
  };
  assert.deepEqual(merged(BASE, mine, theirs), {
    metadata: { resourceVersion: '2', annotations: { by: 'another' } },
    spec: { cores: 2, memory: '2Gi' },
  });
});

test('what one took away stays away, and what both made is there', () => {
  assert.deepEqual(merged({ a: 1, b: 2 }, { b: 2, mine: 1 }, { a: 1, theirs: 1 }), { theirs: 1, mine: 1 });
});

test('named parts of a list are taken one by one, other lists whole', () => {
  const [root, data] = [
    { name: 'root', bus: 'virtio' },
    { name: 'data', bus: 'sata' },
  ];
  assert.deepEqual(merged([root], [{ ...root, bus: 'scsi' }], [root, data]), [
    { ...root, bus: 'scsi' },
    data,
  ]);
  assert.deepEqual(merged([root, data], [root], [root, data]), [root]);
  assert.deepEqual(merged(['a'], ['a', 'mine'], ['a', 'theirs']), ['a', 'mine']);
  assert.deepEqual(merged([], [root, root], [data]), [root, root], 'names that are no names');
});

test('nobody changed anything', () => {
  assert.equal(merged(BASE, structuredClone(BASE), BASE), BASE);
});
