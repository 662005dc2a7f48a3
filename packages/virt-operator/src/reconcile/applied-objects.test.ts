import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppliedObjects } from './applied-objects.ts';

const wanted = { apiVersion: 'v1', kind: 'Role', metadata: { name: 'a' }, rules: ['0.5'] };
const stored = {
  ...wanted,
  metadata: { name: 'a', uid: 'u', generation: 3, resourceVersion: '7' },
  rules: ['500m'],
};

test('what the server normalised is applied until somebody changes it, or something else is wanted', () => {
  const applied = new AppliedObjects();
  assert.equal(applied.has(wanted, stored), false);
  applied.note(wanted, stored);
  assert.equal(applied.has(wanted, stored), true);
  const told = { ...stored, metadata: { ...stored.metadata, resourceVersion: '8' } };
  assert.equal(applied.has(wanted, told), true, 'its status changed');
  const changed = { ...stored, metadata: { ...stored.metadata, generation: 4 } };
  assert.equal(applied.has(wanted, changed), false);
  assert.equal(applied.has({ ...wanted, rules: ['1'] }, stored), false);
});
