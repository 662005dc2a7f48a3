/** What a CronJob does now. Pure: time, the CronJob and its Jobs decide. */
import type { CronJob, CronJobStatus, Job, ObjectReference } from '@podvisor/api';
import { lastTime, nextTime, parseSchedule, rfc3339 } from '@podvisor/base';

/** Times missed beyond this many are not counted: the latest one is started, the rest are gone. */
const MAX_MISSED = 100;

export interface CronEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

export interface CronJobObservation {
  readonly cronJob: CronJob;
  /** Those that it controls. */
  readonly jobs: readonly Job[];
  readonly now: number;
}

export interface CronPlan {
  /** Time of the Job to start, in ms. */
  readonly start?: number;
  readonly delete: readonly Job[];
  readonly status: CronJobStatus;
  readonly events: readonly CronEvent[];
  /** When to look again; undefined: only when something changes. */
  readonly againInMs?: number;
}

export function planCronJob(cronJob: CronJob, jobs: readonly Job[], now: number): CronPlan {
  const { spec, metadata, status = {} } = cronJob;
  const active = jobs.filter((job) => finishOf(job) === undefined);
  const kept = { active, delete: oldJobs(cronJob, jobs), status: { ...status, ...timesOf(status, jobs) } };
  if (spec.suspend === true) return result(kept, {});
  const schedule = parseSchedule(spec.schedule);
  const zone = spec.timeZone ?? 'UTC';
  const since = Date.parse(status.lastScheduleTime ?? metadata.creationTimestamp ?? rfc3339(now));
  const deadlineMs =
    spec.startingDeadlineSeconds === undefined ? undefined : spec.startingDeadlineSeconds * 1000;
  const from = deadlineMs === undefined ? since : Math.max(since, now - deadlineMs);
  const { at, count } = lastTime(schedule, from, now, zone, MAX_MISSED);
  const next = nextTime(schedule, now, zone);
  const againInMs = next === undefined ? undefined : next - now + 50;
  const events: CronEvent[] = [];
  if (count >= MAX_MISSED)
    events.push({
      type: 'Warning',
      reason: 'TooManyMissedTimes',
      message: `too many missed start times: ${count}. Set or decrease .spec.startingDeadlineSeconds or check clock skew`,
    });
  if (at === undefined) return result(kept, { againInMs, events });
  if (spec.concurrencyPolicy === 'Forbid' && active.length > 0) {
    events.push({
      type: 'Normal',
      reason: 'JobAlreadyActive',
      message: 'Not starting job because prior execution is running and concurrency policy is Forbid',
    });
    return result(kept, { againInMs, events });
  }
  const replaced = spec.concurrencyPolicy === 'Replace' ? active : [];
  return result(
    {
      active: active.filter((job) => !replaced.includes(job)),
      delete: [...kept.delete, ...replaced],
      status: { ...kept.status, lastScheduleTime: rfc3339(at) },
    },
    { againInMs, events, start: at },
  );
}

interface Kept {
  readonly active: readonly Job[];
  readonly delete: readonly Job[];
  readonly status: CronJobStatus;
}

function result(
  { active, delete: gone, status }: Kept,
  more: { againInMs?: number | undefined; events?: readonly CronEvent[]; start?: number },
): CronPlan {
  const { againInMs, events = [], start } = more;
  return {
    delete: gone,
    status: { ...status, active: active.length === 0 ? undefined : active.map(referenceOf) },
    events,
    ...(start === undefined ? {} : { start }),
    ...(againInMs === undefined ? {} : { againInMs }),
  };
}

export function referenceOf({ metadata }: Job): ObjectReference {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    namespace: metadata.namespace,
    name: metadata.name,
    uid: metadata.uid,
    resourceVersion: metadata.resourceVersion,
  };
}

/** How a Job ended; undefined while it runs. */
export function finishOf(job: Job): 'Complete' | 'Failed' | undefined {
  const ended = job.status?.conditions?.find(
    ({ type, status }) => status === 'True' && (type === 'Complete' || type === 'Failed'),
  );
  return ended === undefined ? undefined : ended.type === 'Complete' ? 'Complete' : 'Failed';
}

/** Finished Jobs beyond the history that is kept, oldest first. */
function oldJobs({ spec }: CronJob, jobs: readonly Job[]): Job[] {
  const beyond = (finish: 'Complete' | 'Failed', limit: number): Job[] => {
    const finished = jobs
      .filter((job) => finishOf(job) === finish && job.metadata.deletionTimestamp === undefined)
      .toSorted((a, b) => (startOf(a) < startOf(b) ? -1 : 1));
    return finished.slice(0, Math.max(0, finished.length - limit));
  };
  return [
    ...beyond('Complete', spec.successfulJobsHistoryLimit ?? 3),
    ...beyond('Failed', spec.failedJobsHistoryLimit ?? 1),
  ];
}

function startOf({ status, metadata }: Job): string {
  return status?.startTime ?? metadata.creationTimestamp ?? '';
}

function timesOf(status: CronJobStatus, jobs: readonly Job[]): Pick<CronJobStatus, 'lastSuccessfulTime'> {
  const times = jobs
    .filter((job) => finishOf(job) === 'Complete')
    .map((job) => job.status?.completionTime ?? '')
    .concat(status.lastSuccessfulTime ?? '');
  const last = times.toSorted().at(-1) ?? '';
  return last === '' ? {} : { lastSuccessfulTime: last };
}

/** Name of the Job for a time: the same for the same time, so that it is never started twice. */
export function jobName(cronJob: CronJob, at: number): string {
  return `${cronJob.metadata.name}-${Math.floor(at / 60_000)}`;
}
