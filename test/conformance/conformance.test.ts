/** All recorded behaviour that is compared within seconds, and the lists that go with it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assumptions } from './assumptions.ts';
import { mayFail } from './may-fail.ts';
import { recordedTests } from './tests.ts';

test('every known difference and every assumption has its reason, and no case is listed twice', () => {
  assert.ok(mayFail.every(({ reason }) => reason.length > 10));
  assert.ok(assumptions.every(({ words }) => words.length > 10));
  const names = mayFail.map(({ file, id }) => `${file} ${id}`);
  assert.equal(new Set(names).size, names.length);
});

recordedTests((file) => !file.startsWith('apiserver/'));
