import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { firstIndex } from './first-index.ts';

test('the same as looking at each, in a list in order', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 20 })),
      fc.integer({ min: -1, max: 21 }),
      (numbers, limit) => {
        const sorted = numbers.toSorted((a, b) => a - b);
        const found = sorted.findIndex((number) => number >= limit);
        assert.equal(
          firstIndex(sorted, (number) => number >= limit),
          found < 0 ? sorted.length : found,
        );
      },
    ),
  );
});
