import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goDurationMs, goDurationProblem } from './go-duration.ts';

const READ: readonly (readonly [string, number])[] = [
  ['0', 0],
  ['-0', 0],
  ['1h30m', 5_400_000],
  ['5m0s', 300_000],
  ['1.5h', 5_400_000],
  ['.5s', 500],
  ['1.s', 1000],
  ['+2s', 2000],
  ['-10ms', -10],
  ['10us', 0.01],
  ['10µs', 0.01],
];
for (const [text, ms] of READ)
  test(`${text} is ${ms} ms`, () => {
    assert.equal(goDurationMs(text), ms);
    assert.equal(goDurationProblem(text), undefined);
  });

const PROBLEMS: readonly (readonly [string, string])[] = [
  ['', 'time: invalid duration ""'],
  ['-', 'time: invalid duration "-"'],
  ['soon', 'time: invalid duration "soon"'],
  ['1..2m', 'time: missing unit in duration "1..2m"'],
  ['90', 'time: missing unit in duration "90"'],
  ['1d', 'time: unknown unit "d" in duration "1d"'],
  ['1h ', 'time: unknown unit "h " in duration "1h "'],
];
for (const [text, problem] of PROBLEMS)
  test(`${JSON.stringify(text)} is none`, () => {
    assert.equal(goDurationMs(text), undefined);
    assert.equal(goDurationProblem(text), problem);
  });

test('what is missing has no problem', () => {
  assert.equal(goDurationMs(undefined), undefined);
  assert.equal(goDurationProblem(undefined), undefined);
});
