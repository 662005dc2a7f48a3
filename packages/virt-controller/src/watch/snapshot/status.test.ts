import assert from 'node:assert/strict';
import { test } from 'node:test';
import { snapshotStatus } from './status.ts';

test('a snapshot that is done is Ready with the reason that clients wait for', () => {
  const reasons = (progress: Parameters<typeof snapshotStatus>[1]): readonly unknown[] =>
    (snapshotStatus({}, progress, 0).conditions ?? []).map(({ type, reason }) => [type, reason]);
  assert.deepEqual(reasons({ kind: 'done', creationTime: '2026-01-01T00:00:00Z' }), [
    ['Progressing', 'Operation complete'],
    ['Ready', 'Ready'],
  ]);
  assert.deepEqual(reasons({ kind: 'progressing', message: 'waits' }), [
    ['Progressing', 'waits'],
    ['Ready', 'Not ready'],
  ]);
});
