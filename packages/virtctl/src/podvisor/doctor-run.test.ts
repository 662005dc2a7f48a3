import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runDirectoryOf } from './doctor-run.ts';

test('a /run that only root may enter keeps every launcher from starting, and is named', () => {
  assert.equal(runDirectoryOf(0o40755).level, 'PASS');
  const closed = runDirectoryOf(0o40700);
  assert.equal(closed.level, 'FAIL');
  assert.match(closed.found, /\/run has mode 700/);
  assert.equal(closed.fix, 'chmod 755 /run');
});
