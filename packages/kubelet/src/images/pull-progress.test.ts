import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pullText } from './pull-progress.ts';

test('a pull is told by bytes, rate and time left', () => {
  const MiB = 1024 * 1024;
  assert.equal(
    pullText({ bytes: 12 * MiB, totalBytes: 80 * MiB, elapsedMs: 3000 }),
    '12.0 MiB of 80.0 MiB (15 %), 4.0 MiB/s, 17 s left',
  );
  assert.equal(pullText({ bytes: MiB, totalBytes: undefined, elapsedMs: 2000 }), '1.0 MiB, 0.5 MiB/s');
  assert.equal(pullText({ bytes: 0, totalBytes: MiB, elapsedMs: 0 }), '0.0 MiB of 1.0 MiB (0 %), 0.0 MiB/s');
});
