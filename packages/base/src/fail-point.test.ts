import assert from 'node:assert/strict';
import { test } from 'node:test';
import { betweenFailPoints } from './fail-point.ts';

const HOOK = Symbol.for('podvisor.fail-points');

test('without a hook nothing happens', async () => {
  assert.equal(await betweenFailPoints('work', async () => 7), 7);
});

test('the hook is asked before and after, and may fail the work', async (t) => {
  t.after(() => Reflect.deleteProperty(globalThis, HOOK));
  const log: string[] = [];
  Reflect.set(globalThis, HOOK, async (point: string) => {
    log.push(point);
    if (point === 'two-after') throw new Error('told to');
  });
  assert.equal(await betweenFailPoints('one', async () => log.push('work')), 2);
  await assert.rejects(
    betweenFailPoints('two', async () => log.push('work')),
    /told to/,
  );
  assert.deepEqual(log, ['one-before', 'work', 'one-after', 'two-before', 'work', 'two-after']);
});
