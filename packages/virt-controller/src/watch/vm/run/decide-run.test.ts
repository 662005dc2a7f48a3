import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VMStatus } from '@podvisor/api';
import { deleting, NOW_MS, vmiWith, vmWith } from '../../../testing/objects.ts';
import { decideRun } from './decide-run.ts';

const START = { stateChangeRequests: [{ action: 'Start' }] };
const STOP = { stateChangeRequests: [{ action: 'Stop', uid: 'vmi-uid' }] };
const STOP_OTHER = { stateChangeRequests: [{ action: 'Stop', uid: 'an-earlier-vmi' }] };
const BACKOFF = { startFailure: { consecutiveFailCount: 1, retryAfterTimestamp: '2026-01-01T00:01:05Z' } };
const KNOWN = { runStrategy: 'RerunOnFailure' };

const none = undefined;
const running = vmiWith({ phase: 'Running' });
const failed = vmiWith({ phase: 'Failed' });
const succeeded = vmiWith({ phase: 'Succeeded' });
const failedAndGoing = vmiWith({ phase: 'Failed' }, { metadata: deleting });

const stop = { kind: 'stop', queueStart: false };
const start = { kind: 'start' };
const nothing = { kind: 'nothing' };

const table: readonly [
  strategy: string,
  vmi: typeof running | undefined,
  status: VMStatus,
  expected: unknown,
][] = [
  ['Always', none, {}, start],
  ['Always', none, BACKOFF, { kind: 'backOff', ms: 5000 }],
  ['Always', running, {}, nothing],
  ['Always', running, STOP, stop],
  ['Always', running, STOP_OTHER, nothing],
  ['Always', running, START, nothing],
  ['Always', failed, {}, stop],
  ['Always', succeeded, {}, stop],
  ['RerunOnFailure', none, {}, start],
  ['RerunOnFailure', none, KNOWN, nothing],
  ['RerunOnFailure', none, { ...KNOWN, ...START }, start],
  ['RerunOnFailure', none, { ...KNOWN, ...START, ...BACKOFF }, { kind: 'backOff', ms: 5000 }],
  ['RerunOnFailure', running, KNOWN, nothing],
  ['RerunOnFailure', running, STOP, stop],
  ['RerunOnFailure', failed, KNOWN, { kind: 'stop', queueStart: true }],
  ['RerunOnFailure', succeeded, KNOWN, stop],
  ['RerunOnFailure', failedAndGoing, KNOWN, nothing],
  ['Manual', none, {}, nothing],
  ['Manual', none, START, start],
  ['Manual', none, { ...START, ...BACKOFF }, start],
  ['Manual', running, {}, nothing],
  ['Manual', running, STOP, stop],
  ['Manual', running, STOP_OTHER, nothing],
  ['Manual', failed, {}, nothing],
  ['Manual', succeeded, STOP, stop],
  ['Halted', none, {}, nothing],
  ['Halted', none, START, { kind: 'setToRun' }],
  ['Halted', running, {}, stop],
  ['Halted', succeeded, {}, stop],
  ['Once', none, {}, start],
  ['Once', running, {}, nothing],
  ['Once', succeeded, {}, nothing],
  ['Once', failed, {}, nothing],
];

for (const [runStrategy, vmi, status, expected] of table) {
  const name = `${runStrategy}, VMI ${vmi?.status?.phase ?? 'absent'}, status ${JSON.stringify(status)}`;
  test(name, () => {
    assert.deepEqual(decideRun(vmWith({ runStrategy }, status), vmi, NOW_MS), expected);
  });
}

test('running: true and false mean Always and Halted', () => {
  assert.deepEqual(decideRun(vmWith({ runStrategy: undefined, running: true }), none, NOW_MS), start);
  assert.deepEqual(decideRun(vmWith({ runStrategy: undefined, running: false }), running, NOW_MS), stop);
});
