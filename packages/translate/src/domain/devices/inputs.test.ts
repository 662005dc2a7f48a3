import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convertOf } from '../../testing/vmi.ts';

test('a tablet is the only input that can be asked for', () => {
  assert.throws(
    () => convertOf({ devices: { inputs: [{ name: 'k', type: 'keyboard' }] } }),
    /unsupported type keyboard/,
  );
});
