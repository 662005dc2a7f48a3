import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { KeyIndex } from './key-index.ts';

const change = fc.record({
  kind: fc.constantFrom('add' as const, 'delete' as const),
  value: fc.constantFrom('red', 'blue'),
  key: fc.constantFrom('a', 'b', 'c'),
});

describe('KeyIndex', () => {
  test('has the keys of each value, in their order, and forgets values that have none', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
        const index = new KeyIndex();
        const model = new Map<string, Set<string>>();
        for (const { kind, value, key } of changes) {
          const keys = model.get(value) ?? new Set();
          index[kind](value, key);
          keys[kind](key);
          if (keys.size === 0) model.delete(value);
          else model.set(value, keys);
          for (const each of ['red', 'blue'])
            assert.deepEqual(index.keys(each), [...(model.get(each) ?? [])]);
          assert.equal(index.size, model.size);
        }
      }),
    );
  });
});
