import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@podvisor/base';
import * as fc from 'fast-check';
import { WorkQueue } from './work-queue.ts';

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a key that waits is handed out once', async () => {
  const queue = new WorkQueue({ clock: new FakeClock() });
  queue.add('a');
  queue.add('b');
  queue.add('a');
  assert.equal(queue.length, 2);
  assert.equal(await queue.take(), 'a');
  assert.equal(await queue.take(), 'b');
  assert.equal(queue.length, 0);
});

test('a key that is added while it runs comes again after done, and not before', async () => {
  const queue = new WorkQueue({ clock: new FakeClock() });
  queue.add('a');
  await queue.take();
  queue.add('a');
  let second: string | undefined;
  const taking = queue.take().then((key) => {
    second = key;
  });
  await settle();
  assert.equal(second, undefined);
  queue.done('a');
  await taking;
  assert.equal(second, 'a');
});

test('failures wait 5, 10, 20 ms …, at most a minute; success starts over', () => {
  const clock = new FakeClock();
  const queue = new WorkQueue({ clock });
  const waits: number[] = [];
  for (let i = 0; i < 16; i += 1) {
    queue.addRateLimited('a');
    let waited = 0;
    while (queue.length === 0) {
      clock.advance(5);
      waited += 5;
    }
    waits.push(waited);
    void queue.take();
    queue.done('a');
  }
  assert.deepEqual(waits.slice(0, 4), [5, 10, 20, 40]);
  assert.equal(waits.at(-1), 60_000);
  queue.forget('a');
  queue.addRateLimited('a');
  clock.advance(5);
  assert.equal(queue.length, 1);
});

test('of several delays the earliest counts', () => {
  const clock = new FakeClock();
  const queue = new WorkQueue({ clock });
  queue.addAfter('a', 100);
  queue.addAfter('a', 10);
  queue.addAfter('a', 50);
  clock.advance(10);
  assert.equal(queue.length, 1);
  void queue.take();
  queue.done('a');
  clock.advance(1000);
  assert.equal(queue.length, 0);
});

test('close ends the takers and forgets the rest', async () => {
  const clock = new FakeClock();
  const queue = new WorkQueue({ clock });
  const waiting = queue.take();
  queue.addAfter('a', 10);
  queue.close();
  clock.advance(100);
  queue.add('b');
  assert.equal(await waiting, undefined);
  assert.equal(await queue.take(), undefined);
});

/** What a program of adds, delays, takes and dones may do to the queue. */
const step = fc.oneof(
  fc.record({ op: fc.constant('add' as const), key: fc.constantFrom('a', 'b', 'c') }),
  fc.record({
    op: fc.constant('addAfter' as const),
    key: fc.constantFrom('a', 'b', 'c'),
    ms: fc.integer({ min: 0, max: 20 }),
  }),
  fc.record({ op: fc.constant('fail' as const), key: fc.constantFrom('a', 'b', 'c') }),
  fc.record({ op: fc.constant('take' as const) }),
  fc.record({ op: fc.constant('done' as const) }),
  fc.record({ op: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 30 }) }),
);

test('property: never the same key twice at once, and every add is followed by a hand-out', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (program) => {
      const clock = new FakeClock();
      const queue = new WorkQueue({ clock });
      const running: string[] = [];
      /** Keys added and not handed out since. */
      const owed = new Set<string>();
      const take = async (): Promise<void> => {
        const key = await queue.take();
        if (key === undefined) return;
        assert.ok(!running.includes(key), `${key} twice at once`);
        running.push(key);
        owed.delete(key);
      };
      for (const action of program) {
        if (action.op === 'add' || action.op === 'addAfter' || action.op === 'fail') owed.add(action.key);
        if (action.op === 'add') queue.add(action.key);
        else if (action.op === 'addAfter') queue.addAfter(action.key, action.ms);
        else if (action.op === 'fail') queue.addRateLimited(action.key);
        else if (action.op === 'pass') clock.advance(action.ms);
        else if (action.op === 'take' && queue.length > 0) await take();
        else if (action.op === 'done') {
          const key = running.shift();
          if (key !== undefined) queue.done(key);
        }
      }
      clock.advance(120_000);
      while (running.length > 0 || queue.length > 0) {
        if (queue.length > 0) await take();
        const key = running.shift();
        if (key !== undefined) queue.done(key);
      }
      assert.deepEqual([...owed], []);
    }),
    { numRuns: 300 },
  );
});
