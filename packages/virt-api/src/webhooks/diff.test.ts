import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyJsonPatch } from '@podvisor/base';
import * as fc from 'fast-check';
import { diff } from './diff.ts';

test('the patch turns one object into the other', () => {
  const keys = fc.string();
  const leaf = fc.jsonValue({ maxDepth: 0 });
  const object = fc.dictionary(keys, fc.oneof(leaf, fc.array(leaf), fc.dictionary(keys, leaf)));
  fc.assert(
    fc.property(object, object, (from, to) => {
      const before: unknown = JSON.parse(JSON.stringify(from));
      const after: unknown = JSON.parse(JSON.stringify(to));
      const result = structuredClone(before);
      const patch = diff(before, after);
      applyJsonPatch(result as object, JSON.parse(JSON.stringify(patch)) as object[]);
      assert.deepEqual(result, after);
    }),
  );
});

test('what is the same costs nothing', () => {
  assert.deepEqual(diff({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }), []);
});
