/** The status of a Deployment, as `kubectl rollout status` reads it. Pure. */
import type { Condition, Deployment, DeploymentStatus, ReplicaSet } from '@podvisor/api';
import { rfc3339 } from '@podvisor/base';
import { limitsOf } from './rollout.ts';

export interface StatusFacts {
  readonly newest: ReplicaSet | undefined;
  readonly old: readonly ReplicaSet[];
  readonly now: number;
  /** Made in this round. */
  readonly created?: string;
}

const sum = (sets: readonly ReplicaSet[], of: (set: ReplicaSet) => number | undefined): number =>
  sets.reduce((total, set) => total + (of(set) ?? 0), 0);

export function deploymentStatus(deployment: Deployment, facts: StatusFacts): DeploymentStatus {
  const { newest, old } = facts;
  const all = [...old, ...(newest === undefined ? [] : [newest])];
  const available = sum(all, ({ status }) => status?.availableReplicas);
  const wanted = sum(all, ({ spec }) => spec.replicas);
  const counts = {
    replicas: some(sum(all, ({ status }) => status?.replicas)),
    updatedReplicas: some(newest?.status?.replicas ?? 0),
    readyReplicas: some(sum(all, ({ status }) => status?.readyReplicas)),
    availableReplicas: some(available),
    unavailableReplicas: some(Math.max(0, wanted - available)),
  };
  return {
    observedGeneration: deployment.metadata.generation,
    ...counts,
    ...(deployment.status?.collisionCount === undefined
      ? {}
      : { collisionCount: deployment.status.collisionCount }),
    conditions: conditionsOf(deployment, counts, available, facts, all),
  };
}

function some(count: number): number | undefined {
  return count === 0 ? undefined : count;
}

type Counts = Pick<DeploymentStatus, 'replicas' | 'updatedReplicas' | 'availableReplicas'>;

export function isComplete({ spec }: Deployment, counts: Counts): boolean {
  const wanted = spec.replicas ?? 1;
  return (
    (counts.updatedReplicas ?? 0) === wanted &&
    (counts.replicas ?? 0) === wanted &&
    (counts.availableReplicas ?? 0) === wanted
  );
}

function conditionsOf(
  deployment: Deployment,
  counts: Counts,
  available: number,
  facts: StatusFacts,
  all: readonly ReplicaSet[],
): readonly Condition[] {
  const now = rfc3339(facts.now);
  const { replicas, maxUnavailable } = limitsOf(deployment);
  const isAvailable = available >= replicas - maxUnavailable;
  let conditions = set(deployment.status?.conditions ?? [], now, {
    type: 'Available',
    status: isAvailable ? 'True' : 'False',
    reason: isAvailable ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
    message: isAvailable
      ? 'Deployment has minimum availability.'
      : 'Deployment does not have minimum availability.',
  });
  const failure = all
    .flatMap(({ status }) => status?.conditions ?? [])
    .find(({ type }) => type === 'ReplicaFailure');
  conditions =
    failure === undefined
      ? conditions.filter(({ type }) => type !== 'ReplicaFailure')
      : set(conditions, now, {
          type: 'ReplicaFailure',
          status: failure.status,
          reason: failure.reason ?? '',
          message: failure.message ?? '',
        });
  const progress = progressOf(deployment, counts, facts, conditions);
  return progress === undefined ? conditions : set(conditions, now, progress.draft, progress.touch);
}

type Draft = Pick<Condition, 'type' | 'status'> & {
  readonly reason: string;
  readonly message: string;
};

/** `touch`: something moved, so the time of the last progress starts anew. */
function progressOf(
  deployment: Deployment,
  counts: Counts,
  { newest, now, created }: StatusFacts,
  conditions: readonly Condition[],
): { readonly draft: Draft; readonly touch: boolean } | undefined {
  const { spec, status, metadata } = deployment;
  const type = 'Progressing';
  const old = conditions.find((c) => c.type === type);
  const subject =
    newest === undefined ? `Deployment "${metadata.name}"` : `ReplicaSet "${newest.metadata.name}"`;
  const draft = (value: 'True' | 'False' | 'Unknown', reason: string, message: string, touch = false) => ({
    draft: { type, status: value, reason, message },
    touch,
  });
  if (spec.paused === true) return draft('Unknown', 'DeploymentPaused', 'Deployment is paused');
  if (old?.reason === 'DeploymentPaused')
    return draft('Unknown', 'DeploymentResumed', 'Deployment is resumed');
  if (created !== undefined)
    return draft('True', 'NewReplicaSetCreated', `Created new replica set "${created}"`, true);
  if (isComplete(deployment, counts))
    return draft('True', 'NewReplicaSetAvailable', `${subject} has successfully progressed.`);
  const moved =
    (counts.updatedReplicas ?? 0) > (status?.updatedReplicas ?? 0) ||
    (counts.availableReplicas ?? 0) > (status?.availableReplicas ?? 0) ||
    (counts.replicas ?? 0) - (counts.updatedReplicas ?? 0) <
      (status?.replicas ?? 0) - (status?.updatedReplicas ?? 0);
  if (moved) return draft('True', 'ReplicaSetUpdated', `${subject} is progressing.`, true);
  if (isOverdue(deployment, old, now))
    return draft('False', 'ProgressDeadlineExceeded', `${subject} has timed out progressing.`);
  if (old === undefined) return draft('True', 'ReplicaSetUpdated', `${subject} is progressing.`, true);
  // A finished rollout whose Pods are short again goes on from here.
  if (old.reason === 'NewReplicaSetAvailable' && status?.observedGeneration !== metadata.generation)
    return draft('True', 'ReplicaSetUpdated', `${subject} is progressing.`, true);
  return undefined;
}

function isOverdue({ spec }: Deployment, progressing: Condition | undefined, now: number): boolean {
  if (progressing === undefined || progressing.reason === 'NewReplicaSetAvailable') return false;
  if (progressing.reason === 'ProgressDeadlineExceeded') return true;
  return now >= deadlineOf(spec, progressing);
}

function deadlineOf(spec: Deployment['spec'], { lastUpdateTime = '' }: Condition): number {
  return Date.parse(lastUpdateTime) + (spec.progressDeadlineSeconds ?? 600) * 1000;
}

/** When to look again whether a rollout is stuck. */
export function deadlineInMs(
  deployment: Deployment,
  status: DeploymentStatus,
  now: number,
): number | undefined {
  const progressing = status.conditions?.find(({ type }) => type === 'Progressing');
  const isMoving = [
    'NewReplicaSetCreated',
    'ReplicaSetUpdated',
    'DeploymentResumed',
    'FoundNewReplicaSet',
  ].includes(progressing?.reason ?? '');
  if (progressing === undefined || !isMoving) return undefined;
  return Math.max(1000, deadlineOf(deployment.spec, progressing) - now + 1000);
}

function set(
  conditions: readonly Condition[],
  now: string,
  draft: Draft,
  touch = false,
): readonly Condition[] {
  const old = conditions.find(({ type }) => type === draft.type);
  const isSame = old?.status === draft.status && old.reason === draft.reason && old.message === draft.message;
  if (old !== undefined && isSame && !touch) return conditions;
  const lastTransitionTime = old !== undefined && old.status === draft.status ? old.lastTransitionTime : now;
  const changed = { ...draft, lastUpdateTime: now, lastTransitionTime };
  // The changed condition moves to the end, as clients know it.
  return [...conditions.filter((c) => c !== old), changed];
}
