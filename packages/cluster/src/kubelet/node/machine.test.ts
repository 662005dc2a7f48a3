import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VERSION } from '../../apiserver/discovery/version.ts';
import { readMachine } from './machine.ts';

test('a node reports the version that the server reports', () => {
  assert.equal(readMachine('/').info.kubeletVersion, VERSION.gitVersion);
});
