/** What the Pods of a Job say: who runs, who has ended how, which indexes are done. Pure. */
import { type Condition, type Job, type Pod, isPodEnded } from '@podvisor/api';
import type { OwnedPods } from '../workloads/pod-control.ts';
import { isActive, isTerminating } from '../workloads/pod-facts.ts';
import { indexesOf } from './index-ranges.ts';

export const INDEX = 'batch.kubernetes.io/job-completion-index';

export interface JobObservation {
  readonly job: Job;
  readonly owned: OwnedPods;
  /** False while the cache does not show all that was done to the Pods. */
  readonly isUpToDate: boolean;
  readonly now: number;
}

export function conditionTrue(job: Job, type: string): Condition | undefined {
  return job.status?.conditions?.find((c) => c.type === type && c.status === 'True');
}

export interface Facts {
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
export function factsOf(job: Job, pods: readonly Pod[]): Facts {
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
    terminating: pods.filter((pod) => isTerminating(pod) && !isPodEnded(pod)),
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
