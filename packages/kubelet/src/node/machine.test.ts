import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KUBERNETES_BUILD } from '@podvisor/api';
import { readMachine } from './machine.ts';

test('a node reports the version that the server reports', () => {
  assert.equal(readMachine('/').info.kubeletVersion, KUBERNETES_BUILD);
});
