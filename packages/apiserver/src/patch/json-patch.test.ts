import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonPatch } from './json-patch.ts';

const object = () => ({ status: { a: 1 } });

test('a test for null holds where nothing is, as KubeVirt asks before it queues a request', () => {
  const patch = [
    { op: 'test', path: '/status/stateChangeRequests', value: null },
    { op: 'add', path: '/status/stateChangeRequests', value: [{ action: 'Start' }] },
  ];
  assert.deepEqual(jsonPatch(JSON.stringify(patch))(object()), {
    status: { a: 1, stateChangeRequests: [{ action: 'Start' }] },
  });
});

test('a test for null does not hold where something is, and a test for a value not where nothing is', () => {
  for (const operation of [
    { op: 'test', path: '/status/a', value: null },
    { op: 'test', path: '/status/b', value: 1 },
  ])
    assert.throws(() => jsonPatch(JSON.stringify([operation]))(object()), { reason: 'Invalid' });
});
