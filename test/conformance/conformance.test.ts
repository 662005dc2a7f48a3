/** All recorded behaviour that is compared within seconds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exceptions } from './exceptions.ts';
import { recordedTests } from './tests.ts';

test('exceptions are few and each has a reason', () => {
  assert.ok(exceptions.length <= 10, `${exceptions.length} exceptions`);
  assert.ok(exceptions.every(({ reason }) => reason.length > 10));
});

recordedTests((file) => !file.startsWith('apiserver/'));
