/** The status of a Job: counts, conditions, and how it ends. Pure. */
import type { Condition, Job, JobStatus } from '@podvisor/api';
import { rfc3339 } from '@podvisor/base';
import { isReady } from '../workloads/pod-facts.ts';
import { conditionTrue, type Facts } from './facts.ts';
import { ranges } from './index-ranges.ts';
import type { JobPlan } from './reconcile.ts';

export function statusOf(job: Job, facts: Facts, now: number): JobStatus {
  const some = (count: number): number | undefined => (count === 0 ? undefined : count);
  const ready = facts.active.filter(isReady).length;
  return {
    ...job.status,
    active: some(facts.active.length),
    ready,
    terminating: facts.terminating.length,
    succeeded: some(facts.succeeded),
    failed: some(facts.failed),
    startTime: job.spec.suspend === true ? job.status?.startTime : (job.status?.startTime ?? rfc3339(now)),
    uncountedTerminatedPods: {},
    ...(job.spec.completionMode === 'Indexed' ? { completedIndexes: ranges(facts.doneIndexes) } : {}),
    ...(conditionTrue(job, 'Suspended') !== undefined && job.spec.suspend !== true
      ? {
          conditions: conditions(job, now, {
            type: 'Suspended',
            status: 'False',
            reason: 'JobResumed',
            message: 'Job resumed',
          }),
        }
      : {}),
  };
}

export function suspended(job: Job, facts: Facts, now: number): JobPlan {
  const condition = {
    type: 'Suspended',
    status: 'True',
    reason: 'JobSuspended',
    message: 'Job suspended',
  } as const;
  const known = conditionTrue(job, 'Suspended') !== undefined;
  const status = { ...statusOf(job, facts, now), startTime: undefined };
  return {
    create: [],
    delete: facts.active,
    status: known ? status : { ...status, conditions: conditions(job, now, condition) },
    ...(known ? {} : { event: { type: 'Normal', reason: 'Suspended', message: 'Job suspended' } }),
  };
}

export function finish(
  job: Job,
  facts: Facts,
  now: number,
  type: 'Complete' | 'Failed',
  reason: string,
  message: string,
): JobPlan {
  const interim = type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget';
  const first = {
    ...job,
    status: {
      ...job.status,
      conditions: conditions(job, now, { type: interim, status: 'True', reason, message }),
    },
  };
  const status = statusOf(job, { ...facts, active: [] }, now);
  return {
    create: [],
    delete: facts.active,
    status: {
      ...status,
      ready: 0,
      conditions: conditions(first, now, { type, status: 'True', reason, message }),
      ...(type === 'Complete' ? { completionTime: rfc3339(now) } : {}),
    },
    event:
      type === 'Complete'
        ? { type: 'Normal', reason: 'Completed', message: 'Job completed' }
        : { type: 'Warning', reason, message },
  };
}

type Draft = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

function conditions(job: Job, now: number, draft: Draft): readonly Condition[] {
  const time = rfc3339(now);
  const others = (job.status?.conditions ?? []).filter(({ type }) => type !== draft.type);
  return [...others, { ...draft, lastProbeTime: time, lastTransitionTime: time }];
}

/** Milliseconds until a finished Job may be deleted; undefined: never. */
export function expiresInMs(job: Job, now: number): number | undefined {
  const ttl = job.spec.ttlSecondsAfterFinished;
  const over = conditionTrue(job, 'Complete') ?? conditionTrue(job, 'Failed');
  if (ttl === undefined || over === undefined) return undefined;
  return Math.max(0, Date.parse(over.lastTransitionTime ?? '') + ttl * 1000 - now);
}
