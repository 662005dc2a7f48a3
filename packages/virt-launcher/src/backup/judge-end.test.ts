import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeEnd } from './judge-end.ts';

const CANCELLED = { isSuccess: true, message: 'Operation canceled' };

test('a copy succeeds only when it came to its end', () => {
  assert.deepEqual(judgeEnd('Push', { isSuccess: true }, false), {});
  // Asked to stop too late: everything is there.
  assert.deepEqual(judgeEnd('Push', { isSuccess: true }, true), {});
  assert.deepEqual(judgeEnd('Push', CANCELLED, true), { failed: true, message: 'backup aborted' });
  assert.deepEqual(judgeEnd('Push', CANCELLED, false), { failed: true, message: 'backup aborted' });
  assert.deepEqual(judgeEnd('Push', { isSuccess: false, message: 'No space left on device' }, false), {
    failed: true,
    message: 'No space left on device',
  });
  assert.equal(judgeEnd('Push', { isSuccess: false }, false).failed, true);
});

test('what is pulled ends well when it was ended', () => {
  assert.deepEqual(judgeEnd('Pull', CANCELLED, true), {});
  assert.equal(judgeEnd('Pull', CANCELLED, false).failed, true);
  assert.deepEqual(judgeEnd('Pull', { isSuccess: false, message: 'No space left on device' }, true), {
    failed: true,
    message: 'No space left on device',
  });
});
