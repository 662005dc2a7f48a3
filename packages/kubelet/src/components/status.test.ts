import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PodStatus } from '@podvisor/api';
import { componentStatus, type ProcessSeen } from './status.ts';

const API = { name: 'virt-api' } as const;
const AT = Date.parse('2026-01-01T00:00:00Z');
const up = (pid: number, ready: boolean): ProcessSeen => ({
  run: { pid, startedAtMs: AT },
  ready,
  message: ready ? '' : '/readyz answers 503',
});
const next = (before: PodStatus | undefined, seen: ProcessSeen, seconds: number): PodStatus =>
  componentStatus(API, before, seen, ['10.0.0.1', 'fd00::1'], AT + seconds * 1000);
const conditionOf = (status: PodStatus, type: string) => status.conditions?.find((c) => c.type === type);

test('the life of a process as a Pod shows it', () => {
  const first = next(undefined, { ready: false, message: 'process virt-api does not run' }, 0);
  assert.equal(first.phase, 'Pending');
  assert.deepEqual(first.containerStatuses?.[0]?.state, { waiting: { reason: 'ContainerCreating' } });

  const started = next(first, up(10, false), 1);
  assert.equal(started.phase, 'Running');
  assert.equal(conditionOf(started, 'Ready')?.message, '/readyz answers 503');
  assert.equal(started.podIP, '10.0.0.1');
  assert.equal(started.podIPs?.length, 2);

  const ready = next(started, up(10, true), 2);
  assert.equal(ready.containerStatuses?.[0]?.ready, true);
  assert.equal(ready.containerStatuses?.[0]?.restartCount, 0);
  assert.deepEqual(next(ready, up(10, true), 60), ready, 'nothing changes while nothing changes');

  const ended = next(ready, { ready: false, message: 'process virt-api does not run' }, 70);
  assert.equal(ended.containerStatuses?.[0]?.state?.waiting?.reason, 'CrashLoopBackOff');
  assert.equal(ended.phase, 'Running');
  const again = next(ended, up(11, true), 80);
  const [container] = again.containerStatuses ?? [];
  assert.equal(container?.restartCount, 1);
  assert.equal(container?.lastState?.terminated?.finishedAt, '2026-01-01T00:01:10Z');
  assert.equal(conditionOf(again, 'Ready')?.status, 'True');

  const unseen = next(again, up(12, true), 90);
  assert.equal(unseen.containerStatuses?.[0]?.restartCount, 2, 'a restart between two looks counts');
});
