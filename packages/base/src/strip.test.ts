import assert from 'node:assert/strict';
import { test } from 'node:test';
import { strip, stripEnd } from './strip.ts';

test('characters go from the ends, and from nowhere else', () => {
  assert.deepEqual(
    ['a-.-', '-a', '-', '', 'a-b'].map((text) => stripEnd(text, '-.')),
    ['a', '-a', '', '', 'a-b'],
  );
  assert.deepEqual(
    ['//a//b//', '///', 'a', '{}'].map((text) => strip(text, '/')),
    ['a//b', '', 'a', '{}'],
  );
});
