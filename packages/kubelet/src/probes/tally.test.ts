import assert from 'node:assert/strict';
import { test } from 'node:test';
import { count, type Tally } from './tally.ts';

const verdicts = (start: boolean, results: readonly boolean[], probe: object): boolean[] => {
  let tally: Tally = { verdict: start, streak: 0, last: undefined };
  return results.map((ok) => {
    tally = count(tally, ok, probe);
    return tally.verdict;
  });
};

test('a verdict changes after enough equal results in a row', () => {
  assert.deepEqual(verdicts(false, [true, false, false, false, true], {}), [true, true, true, false, true]);
  assert.deepEqual(verdicts(false, [true, false, true, true], { successThreshold: 2 }), [
    false,
    false,
    false,
    true,
  ]);
  assert.deepEqual(verdicts(true, [false], { failureThreshold: 1 }), [false]);
});
