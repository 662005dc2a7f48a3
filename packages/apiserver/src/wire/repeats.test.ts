import assert from 'node:assert/strict';
import { test } from 'node:test';
import { repeats } from './repeats.ts';

test('an entry that was there before is told by its place, each time', () => {
  assert.deepEqual([...repeats(['a', 'b', 'a', '', 'a', 'b', ''])], [2, 4, 5, 6]);
  assert.deepEqual([...repeats([])], []);
});
