import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedFields } from './changed-fields.ts';

test('fields that differ are named as deep as both sides have the same shape', () => {
  const before = { a: 1, list: [{ name: 'x', port: 1 }], gone: true, same: { deep: [1] } };
  const now = { a: 1, list: [{ name: 'x', port: 2 }], added: {}, same: { deep: [1] } };
  assert.deepEqual(changedFields(before, now, 'spec'), ['spec.added', 'spec.gone', 'spec.list[0].port']);
});

test('a list of another length, or another type, is one change', () => {
  assert.deepEqual(changedFields({ list: [1] }, { list: [1, 2] }, 'spec'), ['spec.list']);
  assert.deepEqual(changedFields({ value: '1' }, { value: { nested: 1 } }, 'spec'), ['spec.value']);
  assert.deepEqual(changedFields(undefined, {}, 'spec'), ['spec']);
  assert.deepEqual(changedFields([1], [1], 'spec'), []);
});
