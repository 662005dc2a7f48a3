import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Ring } from './ring.ts';

test('holds the last bytes, whatever their pieces', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }),
      fc.array(fc.uint8Array({ maxLength: 60 })),
      (capacity, chunks) => {
        const ring = new Ring(capacity);
        for (const chunk of chunks) ring.push(Buffer.from(chunk));
        const all = Buffer.concat(chunks);
        assert.deepEqual(ring.contents(), all.subarray(Math.max(0, all.length - capacity)));
      },
    ),
  );
});
