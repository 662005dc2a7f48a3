/** What a Job does next, from its Pods. Pure. */
import type { Condition, Job, JobStatus, Pod } from '@podvisor/api';
import { rfc3339 } from '@podvisor/base';
import { isActive, isFinished, isReady, isTerminating } from '../workloads/pod-facts.ts';
import type { OwnedPods } from '../workloads/pod-control.ts';

export const INDEX = 'batch.kubernetes.io/job-completion-index';

export interface JobObservation {
  readonly job: Job;
  readonly owned: OwnedPods;
  /** False while the cache does not show all that was done to the Pods. */
  readonly isUpToDate: boolean;
  readonly now: number;
}

/** What one pass does. */
export type JobPass =
  /** It is over; it is kept for so long, or for ever. */
  | { readonly kind: 'wait'; readonly ms: number | undefined }
  /** It was kept for as long as it asked for. */
  | { readonly kind: 'expire' }
  /** Its Pods are written down as its own, and nothing else while the cache is behind. */
  | { readonly kind: 'claim' }
  | { readonly kind: 'run'; readonly plan: JobPlan };

export function planJobPass({ job, owned, isUpToDate, now }: JobObservation): JobPass {
  if (isOver(job)) {
    const ms = expiresInMs(job, now);
    return ms !== undefined && ms <= 0 ? { kind: 'expire' } : { kind: 'wait', ms };
  }
  return isUpToDate ? { kind: 'run', plan: planJob(job, owned.pods, now) } : { kind: 'claim' };
}

/** The plan's status with the Pods that it made and deleted. */
export function statusAfter(job: Job, plan: JobPlan): JobStatus {
  const isEnd = isOver({ ...job, status: plan.status });
  const active = (plan.status.active ?? 0) + plan.create.length - (isEnd ? 0 : plan.delete.length);
  return { ...plan.status, active: active > 0 ? active : undefined };
}

export interface JobPlan {
  /** Completion indexes of new Pods; undefined where the Job does not count them. */
  readonly create: readonly (number | undefined)[];
  readonly delete: readonly Pod[];
  readonly status: JobStatus;
  readonly event?: { readonly type: 'Normal' | 'Warning'; readonly reason: string; readonly message: string };
  /** Look again then, although nothing changes. */
  readonly againInMs?: number;
}

/** The first retry waits so long, then twice, at most the last. */
const FIRST_BACKOFF_MS = 10_000;
const MAX_BACKOFF_MS = 600_000;

export function conditionTrue(job: Job, type: string): Condition | undefined {
  return job.status?.conditions?.find((c) => c.type === type && c.status === 'True');
}

export function isOver(job: Job): boolean {
  return conditionTrue(job, 'Complete') !== undefined || conditionTrue(job, 'Failed') !== undefined;
}

export function planJob(job: Job, pods: readonly Pod[], now: number): JobPlan {
  const facts = factsOf(job, pods);
  if (isOver(job)) return { create: [], delete: [], status: statusOf(job, facts, now) };
  if (job.spec.suspend === true) return suspended(job, facts, now);
  const failure = failureOf(job, facts, now);
  if (failure !== undefined) return finish(job, facts, now, 'Failed', failure.reason, failure.message);
  if (isComplete(job, facts))
    return finish(
      job,
      facts,
      now,
      'Complete',
      'CompletionsReached',
      'Reached expected number of succeeded pods',
    );
  const missing = wantedActive(job, facts) - facts.active.length;
  const deadline = deadlineInMs(job, now);
  const resumed =
    conditionTrue(job, 'Suspended') === undefined
      ? {}
      : { event: { type: 'Normal' as const, reason: 'Resumed', message: 'Job resumed' } };
  const base = {
    status: statusOf(job, facts, now),
    ...resumed,
    ...(deadline === undefined ? {} : { againInMs: deadline }),
  };
  if (missing < 0) return { ...base, create: [], delete: facts.active.slice(missing) };
  const waitMs = backoffInMs(facts, now);
  if (missing > 0 && waitMs > 0)
    return { ...base, create: [], delete: [], againInMs: Math.min(waitMs, deadline ?? waitMs) };
  return { ...base, create: newIndexes(job, facts, missing), delete: [] };
}

interface Facts {
  readonly active: readonly Pod[];
  readonly terminating: readonly Pod[];
  readonly succeeded: number;
  readonly failed: number;
  /** Finished badly, with the times of their ends. */
  readonly failures: readonly number[];
  readonly lastSuccess: number;
  readonly doneIndexes: ReadonlySet<number>;
  readonly activeIndexes: ReadonlySet<number>;
  /** Restarts of containers in Pods that restart on failure. */
  readonly restarts: number;
}

/** Pods that were counted and then deleted stay counted: the status never goes back. */
function factsOf(job: Job, pods: readonly Pod[]): Facts {
  const succeeded = pods.filter(({ status }) => status?.phase === 'Succeeded');
  const failed = pods.filter(
    (pod) => pod.status?.phase === 'Failed' || (isTerminating(pod) && pod.status?.phase !== 'Succeeded'),
  );
  const active = pods.filter(isActive);
  const isIndexed = job.spec.completionMode === 'Indexed';
  const doneIndexes = new Set([
    ...indexesOf(job.status?.completedIndexes),
    ...(isIndexed ? succeeded.flatMap(indexOf) : []),
  ]);
  return {
    active,
    terminating: pods.filter((pod) => isTerminating(pod) && !isFinished(pod)),
    succeeded: isIndexed ? doneIndexes.size : Math.max(job.status?.succeeded ?? 0, succeeded.length),
    failed: Math.max(job.status?.failed ?? 0, failed.length),
    failures: failed.map(endOf),
    lastSuccess: Math.max(0, ...succeeded.map(endOf)),
    doneIndexes,
    activeIndexes: new Set(active.flatMap(indexOf)),
    restarts: active.reduce(
      (sum, { status }) => sum + (status?.containerStatuses ?? []).reduce((n, c) => n + c.restartCount, 0),
      0,
    ),
  };
}

function indexOf(pod: Pod): readonly number[] {
  const text = pod.metadata.annotations?.[INDEX];
  return text === undefined ? [] : [Number(text)];
}

function endOf({ status, metadata }: Pod): number {
  const ends = (status?.containerStatuses ?? []).map(({ state }) =>
    Date.parse(state?.terminated?.finishedAt ?? ''),
  );
  const known = ends.filter((ms) => !Number.isNaN(ms));
  return known.length > 0 ? Math.max(...known) : Date.parse(metadata.creationTimestamp ?? '') || 0;
}

function failureOf(
  job: Job,
  facts: Facts,
  now: number,
): { readonly reason: string; readonly message: string } | undefined {
  const limit = job.spec.backoffLimit ?? 6;
  const restarting = job.spec.template.spec.restartPolicy === 'OnFailure';
  const tries = restarting ? facts.restarts : facts.failed;
  if (restarting ? limit > 0 && tries >= limit : tries > limit)
    return { reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' };
  const deadline = deadlineInMs(job, now);
  if (deadline !== undefined && deadline <= 0)
    return { reason: 'DeadlineExceeded', message: 'Job was active longer than specified deadline' };
  return undefined;
}

function deadlineInMs({ spec, status }: Job, now: number): number | undefined {
  if (spec.activeDeadlineSeconds === undefined || status?.startTime === undefined) return undefined;
  return Date.parse(status.startTime) + spec.activeDeadlineSeconds * 1000 - now;
}

function isComplete({ spec }: Job, { succeeded, active }: Facts): boolean {
  if (spec.completions === undefined) return succeeded > 0 && active.length === 0;
  return succeeded >= spec.completions;
}

function wantedActive({ spec }: Job, facts: Facts): number {
  const parallelism = spec.parallelism ?? 1;
  // A work queue: once one Pod succeeded, no new ones start.
  if (spec.completions === undefined)
    return facts.succeeded > 0 ? Math.min(facts.active.length, parallelism) : parallelism;
  return Math.min(parallelism, Math.max(0, spec.completions - facts.succeeded));
}

/** A failed Pod is replaced after a growing while; a success starts it over. */
function backoffInMs({ failures, lastSuccess }: Facts, now: number): number {
  const recent = failures.filter((at) => at > lastSuccess);
  if (recent.length === 0) return 0;
  const wait = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (recent.length - 1));
  return Math.max(0, Math.max(...recent) + wait - now);
}

function newIndexes(
  { spec }: Job,
  { doneIndexes, activeIndexes }: Facts,
  count: number,
): (number | undefined)[] {
  if (spec.completionMode !== 'Indexed') return Array.from({ length: count }, () => undefined);
  const free: number[] = [];
  for (let i = 0; i < (spec.completions ?? 0) && free.length < count; i += 1)
    if (!doneIndexes.has(i) && !activeIndexes.has(i)) free.push(i);
  return free;
}

function statusOf(job: Job, facts: Facts, now: number): JobStatus {
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

function suspended(job: Job, facts: Facts, now: number): JobPlan {
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

function finish(
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

/** `0-2,5` */
export function ranges(numbers: ReadonlySet<number>): string {
  const sorted = [...numbers].toSorted((a, b) => a - b);
  const parts: [number, number][] = [];
  for (const n of sorted) {
    const last = parts.at(-1);
    if (last !== undefined && last[1] === n - 1) last[1] = n;
    else parts.push([n, n]);
  }
  return parts
    .map(([from, to]) => (from === to ? `${from}` : `${from}${to === from + 1 ? ',' : '-'}${to}`))
    .join(',');
}

export function indexesOf(text: string | undefined): number[] {
  return (text ?? '')
    .split(',')
    .filter((part) => part !== '')
    .flatMap((part) => {
      const [from = 0, to = from] = part.split('-').map(Number);
      return Array.from({ length: to - from + 1 }, (_, i) => from + i);
    });
}
