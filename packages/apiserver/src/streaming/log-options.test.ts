import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StatusError } from '@podvisor/base';
import { logOptions } from './log-options.ts';

const REFUSED: readonly (readonly [string, number, string])[] = [
  ['tailLines=x', 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
  [
    'tailLines=-1',
    422,
    'PodLogOptions "p" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0',
  ],
  ['limitBytes=0', 422, 'PodLogOptions "p" is invalid: limitBytes: Invalid value: 0: must be greater than 0'],
  [
    'sinceSeconds=0',
    422,
    'PodLogOptions "p" is invalid: sinceSeconds: Invalid value: 0: must be greater than 0',
  ],
  ['stream=Stdout', 422, 'PodLogOptions "p" is invalid: stream: Forbidden: may not be specified'],
];
for (const [query, code, message] of REFUSED)
  test(`refused: ${query}`, () =>
    assert.throws(
      () => logOptions(new URLSearchParams(query), 'p'),
      (error) => error instanceof StatusError && error.code === code && error.message === message,
    ));

test('refused: two beginnings', () =>
  assert.throws(
    () => logOptions(new URLSearchParams('sinceSeconds=1&sinceTime=2026-01-01T00:00:00Z'), 'p'),
    /at most one of `sinceTime` or `sinceSeconds` may be specified/,
  ));

test('taken', () =>
  assert.deepEqual(logOptions(new URLSearchParams('tailLines=0&limitBytes=1&follow=true'), 'p'), {
    follow: true,
    previous: false,
    timestamps: false,
    tailLines: 0,
    limitBytes: 1,
  }));
