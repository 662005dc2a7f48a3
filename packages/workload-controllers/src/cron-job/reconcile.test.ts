import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CronJob, Job } from '@podvisor/api';
import { jobName, planCronJob } from './reconcile.ts';

const MADE = '2026-01-01T00:00:00Z';
const NOW = Date.parse('2026-01-01T00:05:10Z');

function cronJob(spec: Partial<CronJob['spec']> = {}, status?: CronJob['status']): CronJob {
  return {
    metadata: { name: 'c', namespace: 'n', creationTimestamp: MADE },
    spec: {
      schedule: '* * * * *',
      jobTemplate: { spec: { template: { spec: { containers: [] } } } },
      ...spec,
    },
    ...(status === undefined ? {} : { status }),
  };
}

function job(name: string, finish?: 'Complete' | 'Failed', startTime = MADE): Job {
  return {
    metadata: { name, namespace: 'n', uid: name },
    spec: { template: { spec: { containers: [] } } },
    status: {
      startTime,
      ...(finish === undefined ? {} : { conditions: [{ type: finish, status: 'True' }] }),
    },
  };
}

test('of missed times the latest is started, once', () => {
  const plan = planCronJob(cronJob(), [], NOW);
  assert.equal(plan.start, Date.parse('2026-01-01T00:05:00Z'));
  assert.equal(plan.status.lastScheduleTime, '2026-01-01T00:05:00Z');
  const again = planCronJob(cronJob({}, plan.status), [], NOW + 1000);
  assert.equal(again.start, undefined);
  assert.equal(again.againInMs, 49_050);
  assert.equal(jobName(cronJob(), plan.start ?? 0), 'c-29453765');
});

test('a time that is too long ago is left out', () => {
  const plan = planCronJob(cronJob({ schedule: '0 0 * * *', startingDeadlineSeconds: 60 }), [], NOW);
  assert.equal(plan.start, undefined);
});

test('Forbid waits for the last one, Replace ends it', () => {
  const running = job('r');
  assert.equal(planCronJob(cronJob({ concurrencyPolicy: 'Forbid' }), [running], NOW).start, undefined);
  const replaced = planCronJob(cronJob({ concurrencyPolicy: 'Replace' }), [running], NOW);
  assert.deepEqual(replaced.delete, [running]);
  assert.notEqual(replaced.start, undefined);
  assert.equal(planCronJob(cronJob(), [running], NOW).status.active?.length, 1);
});

test('suspended: nothing starts', () => {
  assert.equal(planCronJob(cronJob({ suspend: true }), [], NOW).start, undefined);
});

test('history beyond its limit goes, oldest first', () => {
  const jobs = [1, 2, 3, 4].map((i) => job(`s${i}`, 'Complete', `2026-01-01T00:0${i}:00Z`));
  const plan = planCronJob(cronJob({ suspend: true, successfulJobsHistoryLimit: 2 }), jobs, NOW);
  assert.deepEqual(
    plan.delete.map(({ metadata }) => metadata.name),
    ['s1', 's2'],
  );
});
