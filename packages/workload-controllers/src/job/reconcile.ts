/** What a Job does next, from its Pods. Pure. */
import type { Job, JobStatus, Pod } from '@podvisor/api';
import { conditionTrue, type Facts, factsOf, type JobObservation } from './facts.ts';
import { expiresInMs, finish, statusOf, suspended } from './status.ts';

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
