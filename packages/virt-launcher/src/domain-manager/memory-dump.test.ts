import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileNameOf } from './memory-dump.ts';

test('the name of a dump says whose it is and when it was made', () => {
  assert.equal(
    fileNameOf('web', 'claim', Date.parse('2026-01-02T03:04:05.678Z')),
    'web-claim-20260102-030405.memory.dump',
  );
});
