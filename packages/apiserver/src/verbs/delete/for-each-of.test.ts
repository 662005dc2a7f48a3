import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { forEachOf } from './for-each-of.ts';

/** Work that ends when it is told to. */
function work(): {
  readonly begun: string[];
  readonly once: (item: string) => Promise<void>;
  end(item: string, error?: Error): Promise<void>;
} {
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  return {
    begun,
    once: (item) => {
      begun.push(item);
      const deferred = Promise.withResolvers<void>();
      ends.set(item, deferred);
      return deferred.promise;
    },
    end: async (item, error) => {
      if (error === undefined) ends.get(item)?.resolve();
      else ends.get(item)?.reject(error);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe('forEachOf', () => {
  test('begins in order, a few at a time, and ends when all have ended', async () => {
    const { begun, once, end } = work();
    let isOver = false;
    const all = forEachOf(['a', 'b', 'c'], 2, once).then(() => {
      isOver = true;
    });
    assert.deepEqual(begun, ['a', 'b']);
    await end('b');
    assert.deepEqual(begun, ['a', 'b', 'c']);
    await end('c');
    assert.ok(!isOver);
    await end('a');
    await all;
  });

  test('begins none after a failure, waits for what was begun, and throws the first one', async () => {
    const { begun, once, end } = work();
    let thrown: unknown;
    const all = forEachOf(['a', 'b', 'c', 'd'], 3, once).catch((error: unknown) => {
      thrown = error;
    });
    const first = new Error('first');
    await end('b', first);
    await end('a', new Error('second'));
    assert.equal(thrown, undefined);
    await end('c');
    await all;
    assert.equal(thrown, first);
    assert.deepEqual(begun, ['a', 'b', 'c']);
  });

  test('nothing to do', async () => {
    await forEachOf([], 8, () => Promise.reject(new Error('never')));
  });
});
