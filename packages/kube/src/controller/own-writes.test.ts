import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubernetesObject } from '@podvisor/api';
import { OwnWrites } from './own-writes.ts';

const version = (resourceVersion: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'a', name: 'b', resourceVersion },
});

test('a cache is behind until it shows the last of our writes', () => {
  const writes = new OwnWrites();
  assert.equal(writes.isBehind(version('1')), false);
  writes.wrote(version('1'), version('2'));
  writes.wrote(version('1'), version('3'));
  assert.equal(writes.isBehind(version('1')), true);
  assert.equal(writes.isBehind(version('2')), true);
  assert.equal(writes.isBehind(version('3')), false);
});

test('somebody else wrote after us, and our own version was never shown', () => {
  const writes = new OwnWrites();
  writes.wrote(version('1'), version('2'));
  assert.equal(writes.isBehind(version('4')), false);
  assert.equal(writes.isBehind(version('1')), false, 'nothing is kept of what was caught up with');
});

test('a write that changed nothing leaves nothing to wait for', () => {
  const writes = new OwnWrites();
  writes.wrote(version('1'), version('1'));
  assert.equal(writes.isBehind(version('1')), false);
});

test('an object that is gone is forgotten', () => {
  const writes = new OwnWrites();
  writes.wrote(version('1'), version('2'));
  writes.forget('a/b');
  assert.equal(writes.isBehind(version('1')), false);
});
