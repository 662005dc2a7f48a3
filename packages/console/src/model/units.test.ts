import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesText, secondsText, vmiPath } from './units.ts';

test('bytes, times and paths as people and servers read them', () => {
  assert.deepEqual([0, 1023, 1024, 1536, 250 * 2 ** 20, 2 ** 50].map(bytesText), [
    '0 B',
    '1023 B',
    '1.0 KiB',
    '1.5 KiB',
    '250 MiB',
    '1024 TiB',
  ]);
  assert.deepEqual([1234, 61_000].map(secondsText), ['1.2 s', '61 s']);
  assert.equal(
    vmiPath('a', 'b/../c', 'domainstats'),
    '/apis/subresources.kubevirt.io/v1/namespaces/a/virtualmachineinstances/b%2F..%2Fc/domainstats',
  );
});
