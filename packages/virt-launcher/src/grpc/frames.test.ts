import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FrameError, frame, FrameReader } from './frames.ts';

test('messages survive any way of being cut into chunks', () => {
  const messages = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 8 });
  fc.assert(
    fc.property(messages, fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1 }), (sent, cuts) => {
      const bytes = Buffer.concat(sent.map(frame));
      const reader = new FrameReader(100);
      const received: Buffer[] = [];
      for (let at = 0, i = 0; at < bytes.length; i++) {
        const end = at + (cuts[i % cuts.length] ?? 1);
        received.push(...reader.push(bytes.subarray(at, end)));
        at = end;
      }
      assert.deepEqual(
        received.map((message) => [...message]),
        sent.map((message) => [...message]),
      );
      assert.equal(reader.pendingBytes, 0);
    }),
  );
});

test('too long and compressed are refused as soon as the header says so', () => {
  assert.throws(() => new FrameReader(10).push(frame(new Uint8Array(11)).subarray(0, 5)), FrameError);
  assert.throws(() => new FrameReader(10).push(Buffer.from([1, 0, 0, 0, 0])), /compressed/);
});
