import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { applyPatch } from 'rfc6902';
import { diff } from './diff.ts';

test('the patch turns one object into the other', () => {
  // The oracle refuses to touch `__proto__`, and no API object has such a key.
  const keys = fc.string().filter((key) => key !== '__proto__');
  const leaf = fc.jsonValue({ maxDepth: 0 });
  const object = fc.dictionary(keys, fc.oneof(leaf, fc.array(leaf), fc.dictionary(keys, leaf)));
  fc.assert(
    fc.property(object, object, (from, to) => {
      const before: unknown = JSON.parse(JSON.stringify(from));
      const after: unknown = JSON.parse(JSON.stringify(to));
      const result = structuredClone(before);
      const patch = diff(before, after);
      const errors = applyPatch(result, JSON.parse(JSON.stringify(patch)));
      assert.deepEqual(
        errors.filter((error) => error !== null),
        [],
      );
      assert.deepEqual(result, after);
    }),
  );
});

test('what is the same costs nothing', () => {
  assert.deepEqual(diff({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }), []);
});
