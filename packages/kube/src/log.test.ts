import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identityFields, tellTrouble, troubleLevel } from './log.ts';

test('an API server that is not there yet is no trouble for a process that has just begun', () => {
  assert.equal(troubleLevel(59_000), 'info');
  assert.equal(troubleLevel(61_000), 'warn');
});

test('that nobody listens yet is for who asked to hear more, for as long as a start may take', () => {
  const refused = new Error('cannot ask', {
    cause: Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:6443'), { code: 'ECONNREFUSED' }),
  });
  const levelOf = (error: unknown, uptimeMs: number): string => {
    let level = '';
    const log = {
      debug: () => void (level = 'debug'),
      info: () => void (level = 'info'),
      warn: () => void (level = 'warn'),
      error: () => void (level = 'error'),
    };
    tellTrouble(log, error, { fields: {}, message: 'a failure' }, uptimeMs);
    return level;
  };
  assert.equal(levelOf(refused, 19_000), 'debug');
  assert.equal(levelOf(refused, 21_000), 'info');
  assert.equal(levelOf(refused, 61_000), 'warn');
  assert.equal(levelOf(new Error('pods is forbidden'), 1_000), 'info');
  assert.equal(levelOf('no error at all', 1_000), 'info');
});

test('an object is named by namespace, name and UID', () => {
  const metadata = { namespace: 'n', name: 'a', uid: 'u', labels: {} };
  assert.deepEqual(identityFields({ apiVersion: 'v1', kind: 'Pod', metadata }), {
    namespace: 'n',
    name: 'a',
    uid: 'u',
  });
});
