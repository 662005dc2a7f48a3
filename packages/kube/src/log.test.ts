import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identityFields, troubleLevel } from './log.ts';

test('an API server that is not there yet is no trouble for a process that has just begun', () => {
  assert.equal(troubleLevel(59_000), 'info');
  assert.equal(troubleLevel(61_000), 'warn');
});

test('an object is named by namespace, name and UID', () => {
  const metadata = { namespace: 'n', name: 'a', uid: 'u', labels: {} };
  assert.deepEqual(identityFields({ apiVersion: 'v1', kind: 'Pod', metadata }), {
    namespace: 'n',
    name: 'a',
    uid: 'u',
  });
});
