import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Settled } from './settled.ts';

const wanted = { apiVersion: 'v1', kind: 'Role', metadata: { name: 'a' }, rules: ['0.5'] };
const stored = {
  ...wanted,
  metadata: { name: 'a', uid: 'u', generation: 3, resourceVersion: '7' },
  rules: ['500m'],
};

test('what the server normalised is settled until somebody changes it, or something else is wanted', () => {
  const settled = new Settled();
  assert.equal(settled.has(wanted, stored), false);
  settled.note(wanted, stored);
  assert.equal(settled.has(wanted, stored), true);
  const told = { ...stored, metadata: { ...stored.metadata, resourceVersion: '8' } };
  assert.equal(settled.has(wanted, told), true, 'its status changed');
  const changed = { ...stored, metadata: { ...stored.metadata, generation: 4 } };
  assert.equal(settled.has(wanted, changed), false);
  assert.equal(settled.has({ ...wanted, rules: ['1'] }, stored), false);
});
