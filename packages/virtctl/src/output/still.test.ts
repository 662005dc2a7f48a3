import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whileTelling } from './still.ts';

test('a long wait is told every ten seconds on a terminal, and not after it', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const said: string[] = [];
  const say = (line: string): void => void said.push(line);
  const { promise, resolve } = Promise.withResolvers<string>();
  const waiting = whileTelling('building hello', promise, { isTerminal: true, say });
  t.mock.timers.tick(25_000);
  assert.deepEqual(said, ['  still building hello, 10 s', '  still building hello, 20 s']);
  resolve('done');
  assert.equal(await waiting, 'done');
  t.mock.timers.tick(60_000);
  assert.equal(said.length, 2);
});

test('without a terminal nothing is said, and a failure is the failure', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const say = (): never => assert.fail('nothing is said');
  const { promise, reject } = Promise.withResolvers<string>();
  const waiting = whileTelling('building', promise, { isTerminal: false, say });
  t.mock.timers.tick(60_000);
  reject(new Error('no'));
  await assert.rejects(waiting, /no/);
});
