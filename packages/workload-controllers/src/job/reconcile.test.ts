import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Job, JobStatus } from '@podvisor/api';
import { NOW, podIn, template } from '../testing/pods.ts';
import { expiresInMs } from './status.ts';
import { INDEX } from './facts.ts';
import { indexesOf, ranges } from './index-ranges.ts';
import { planJob, planJobPass, statusAfter } from './reconcile.ts';

const job = (spec: Partial<Job['spec']> = {}, status?: JobStatus): Job => ({
  metadata: { namespace: 'ns', name: 'j', uid: 'u' },
  spec: { completions: 1, parallelism: 1, backoffLimit: 6, template, ...spec },
  status,
});
const conditions = ({ conditions: list = [] }: JobStatus): string =>
  list.map(({ type, reason }) => `${type}:${reason}`).join(' ');

test('as many as may run at once, and as are still missing', () => {
  assert.equal(planJob(job({ completions: 5, parallelism: 3 }), [], NOW).create.length, 3);
  const pods = [podIn('succeeded', 'a'), podIn('succeeded', 'b'), podIn('running')];
  assert.equal(planJob(job({ completions: 4, parallelism: 3 }), pods, NOW).create.length, 1);
});

test('complete', () => {
  const plan = planJob(job(), [podIn('succeeded')], NOW);
  assert.equal(conditions(plan.status), 'SuccessCriteriaMet:CompletionsReached Complete:CompletionsReached');
  assert.equal(plan.status.succeeded, 1);
  assert.equal(plan.event?.reason, 'Completed');
});

test('failed more often than allowed', () => {
  const plan = planJob(job({ backoffLimit: 1 }), [podIn('failed', 'a'), podIn('failed', 'b')], NOW);
  assert.equal(conditions(plan.status), 'FailureTarget:BackoffLimitExceeded Failed:BackoffLimitExceeded');
});

test('a failed Pod is replaced after a while', () => {
  const early = planJob(job(), [podIn('failed')], NOW);
  assert.deepEqual([early.create.length, early.againInMs], [0, 5000]);
  assert.equal(planJob(job(), [podIn('failed')], NOW + 5000).create.length, 1);
});

test('what was counted stays counted when the Pod is gone', () => {
  const plan = planJob(job({ completions: 2 }, { succeeded: 1, failed: 2 }), [], NOW);
  assert.deepEqual([plan.status.succeeded, plan.status.failed, plan.create.length], [1, 2, 1]);
});

test('a deadline ends it', () => {
  const late = job({ activeDeadlineSeconds: 10 }, { startTime: '2026-01-01T00:59:00Z' });
  const plan = planJob(late, [podIn('running')], NOW);
  assert.match(conditions(plan.status), /Failed:DeadlineExceeded/);
  assert.equal(plan.delete.length, 1);
});

test('indexes: each once', () => {
  const at = (state: 'succeeded' | 'running', index: number) =>
    podIn(state, `${state}${index}`, { annotations: { [INDEX]: String(index) } });
  const indexed = job({ completions: 4, parallelism: 4, completionMode: 'Indexed' });
  const plan = planJob(indexed, [at('succeeded', 0), at('running', 2)], NOW);
  assert.deepEqual(plan.create, [1, 3]);
  assert.equal(plan.status.completedIndexes, '0');
});

test('suspended: nothing runs; resumed: it starts anew', () => {
  const plan = planJob(job({ suspend: true }, { startTime: 'x' }), [podIn('running')], NOW);
  assert.deepEqual([plan.delete.length, plan.create.length, plan.status.startTime], [1, 0, undefined]);
  assert.equal(conditions(plan.status), 'Suspended:JobSuspended');
  const resumed = planJob(job({}, plan.status), [], NOW);
  assert.deepEqual([resumed.create.length, resumed.event?.reason], [1, 'Resumed']);
});

test('a finished Job expires', () => {
  const done = planJob(job({ ttlSecondsAfterFinished: 10 }), [podIn('succeeded')], NOW).status;
  assert.equal(expiresInMs(job({ ttlSecondsAfterFinished: 10 }, done), NOW + 4000), 6000);
  assert.equal(expiresInMs(job({}, done), NOW), undefined);
});

test('ranges of indexes and back', () => {
  assert.equal(ranges(new Set([5, 0, 1, 2, 7, 8])), '0-2,5,7,8');
  assert.deepEqual(indexesOf('0-2,5,7,8'), [0, 1, 2, 5, 7, 8]);
});

test('one pass: run, only claim while the cache is behind, and keep or expire what is over', () => {
  const owned = { pods: [], adopt: [], release: [] };
  const pass = (subject: Job, isUpToDate = true, now = NOW) =>
    planJobPass({ job: subject, owned, isUpToDate, now });
  assert.equal(pass(job()).kind, 'run');
  assert.equal(pass(job(), false).kind, 'claim');
  const over = (spec: Partial<Job['spec']>): Job =>
    job(spec, {
      completionTime: '2026-01-01T01:00:00Z',
      conditions: [{ type: 'Complete', status: 'True', lastTransitionTime: '2026-01-01T01:00:00Z' }],
    });
  assert.deepEqual(pass(over({})), { kind: 'wait', ms: undefined });
  assert.deepEqual(pass(over({ ttlSecondsAfterFinished: 10 })), { kind: 'wait', ms: 10_000 });
  assert.deepEqual(pass(over({ ttlSecondsAfterFinished: 10 }), true, NOW + 10_000), { kind: 'expire' });
});

test('the status counts the Pods that were just made, and not those that were deleted', () => {
  const made = planJob(job({ completions: 5, parallelism: 3 }), [podIn('running')], NOW);
  assert.equal(statusAfter(job(), made).active, 3);
  const fewer = planJob(job({ parallelism: 0 }), [podIn('running')], NOW);
  assert.equal(statusAfter(job(), fewer).active, undefined);
});
