import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { sha256Hex } from './sha256.ts';

test('the same as the platform says', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300, unit: 'binary' }), (text) => {
      assert.equal(sha256Hex(text), createHash('sha256').update(text).digest('hex'));
    }),
  );
});
