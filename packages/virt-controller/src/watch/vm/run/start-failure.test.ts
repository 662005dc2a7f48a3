import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOW_MS, vmiWith, vmWith } from '../../../testing/objects.ts';
import { nextStartFailure, startBackoffSeconds } from './start-failure.ts';

const never = () => 0;
const always = () => 0.999;

test('the wait grows with the square of the failures, by up to half, to five minutes', () => {
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6].map((n) => startBackoffSeconds(n, never)),
    [10, 40, 90, 160, 250, 300],
  );
  assert.deepEqual(
    [1, 2, 3, 4, 5].map((n) => startBackoffSeconds(n, always)),
    [14, 59, 134, 239, 300],
  );
});

const failedEarly = vmiWith({ phase: 'Failed', phaseTransitionTimestamps: [{ phase: 'Pending' }] });
const ranOnce = vmiWith({ phase: 'Failed', phaseTransitionTimestamps: [{ phase: 'Running' }] });
const counted = {
  consecutiveFailCount: 2,
  lastFailedVMIUID: 'vmi-uid',
  retryAfterTimestamp: '2026-01-01T00:02:00Z',
};
const other = { ...counted, lastFailedVMIUID: 'earlier' };

test('a VMI that never ran counts once', () => {
  assert.deepEqual(nextStartFailure(vmWith(), failedEarly, NOW_MS, never), {
    consecutiveFailCount: 1,
    lastFailedVMIUID: 'vmi-uid',
    retryAfterTimestamp: '2026-01-01T00:01:10Z',
  });
  assert.deepEqual(
    nextStartFailure(vmWith({}, { startFailure: counted }), failedEarly, NOW_MS, never),
    counted,
  );
  assert.equal(
    nextStartFailure(vmWith({}, { startFailure: other }), failedEarly, NOW_MS, never)?.consecutiveFailCount,
    3,
  );
});

test('a guest that ran clears the count, also when it crashed', () => {
  assert.equal(nextStartFailure(vmWith({}, { startFailure: counted }), ranOnce, NOW_MS, never), undefined);
});

test('the count survives the time without a VMI, but not a change to a strategy that does not count', () => {
  assert.deepEqual(
    nextStartFailure(vmWith({}, { startFailure: counted }), undefined, NOW_MS, never),
    counted,
  );
  for (const runStrategy of ['Manual', 'Halted']) {
    const vm = vmWith({ runStrategy }, { startFailure: counted });
    assert.equal(nextStartFailure(vm, undefined, NOW_MS, never), undefined);
  }
});
