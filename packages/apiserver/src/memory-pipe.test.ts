import assert from 'node:assert/strict';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { test } from 'node:test';
import fc from 'fast-check';
import { memoryPipe } from './memory-pipe.ts';

test('what is written arrives, whole and in order, however it is cut', async () => {
  const chunks = fc.array(fc.uint8Array({ minLength: 1, maxLength: 40_000 }), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(chunks, fc.boolean(), async (parts, isCorked) => {
      const [left, right] = memoryPipe();
      const heard = buffer(right);
      if (isCorked) left.cork();
      for (const part of parts) left.write(part);
      left.end();
      assert.ok((await heard).equals(Buffer.concat(parts)));
      right.end('goodbye');
      assert.equal((await buffer(left)).toString(), 'goodbye');
      await Promise.all([finished(left), finished(right)]);
    }),
    { numRuns: 50 },
  );
});

test('nothing arrives within the call', () => {
  const [left, right] = memoryPipe();
  right.resume();
  left.write('a');
  assert.equal(right.readableLength, 0);
});

test('a writer waits for its reader', async () => {
  const [left, right] = memoryPipe();
  const block = Buffer.alloc(left.writableHighWaterMark);
  let written = 0;
  while (left.write(block) || written < 2) written += 1;
  const drained = once(left, 'drain');
  right.resume();
  await drained;
});

test('a reset reaches the other end; a goodbye lets it read to the end', async () => {
  const [left, right] = memoryPipe();
  left.write('half a');
  left.destroy();
  await once(right, 'close');
  assert.equal(right.readableEnded, false);

  const [near, far] = memoryPipe();
  near.end('all');
  far.end();
  far.pause();
  await once(near.resume(), 'close');
  assert.equal((await buffer(far)).toString(), 'all');
});

test('writing to who is gone is an error', async () => {
  const [left, right] = memoryPipe();
  right.resume();
  left.resume();
  right.end();
  left.end();
  await Promise.all([once(left, 'close'), once(right, 'close')]);
  const [near, far] = memoryPipe();
  far.destroy();
  near.write('anybody?', () => undefined);
  await once(near, 'close');
  assert.equal(near.destroyed, true);
});
