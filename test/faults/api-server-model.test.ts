/**
 * The API server against its model, in short form: clients write, list and watch while it is killed, stopped,
 * and its disk stalls or is full. The long form: `node test/robustness/main.ts --seconds 600`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../robustness/run.ts';

const SECONDS = 15;

test('no write lost, no event lost, repeated or out of order, whatever fails', {
  timeout: 180_000,
}, async () => {
  const { problems, acknowledged, deleted, events, lists, faults } = await run({
    seconds: SECONDS,
    seed: 4711,
    tell: () => undefined,
  });
  assert.deepEqual(problems, []);
  // A run in which nothing happened would prove nothing.
  assert.ok(
    acknowledged > 50 && deleted > 10 && events > 100 && lists > 10,
    JSON.stringify({ acknowledged, deleted, events, lists }),
  );
  assert.ok(
    Object.values(faults).every((count) => count > 0),
    JSON.stringify(faults),
  );
});
