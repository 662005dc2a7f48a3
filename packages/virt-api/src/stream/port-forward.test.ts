import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unreachable } from './port-forward.ts';

for (const [code, words] of [
  ['EHOSTUNREACH', /the guest cannot be reached at 10\.0\.0\.2: it has no network yet, or still boots/],
  ['ECONNREFUSED', /nothing listens on port 22 of the guest/],
] as const)
  test(`${code} is told as what it means for a guest`, () => {
    const error = Object.assign(new Error(`connect ${code} 10.0.0.2:22`), { code });
    assert.match(unreachable(error, '10.0.0.2', 22).message, words);
  });
