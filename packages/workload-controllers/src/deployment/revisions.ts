/** The ReplicaSets of a Deployment as its revisions. Pure. */
import type { Deployment, ReplicaSet } from '@podvisor/api';
import { controlledBy } from '../workloads/ownership.ts';
import { workloads } from '../workloads/resources.ts';
import { HASH_LABEL, sameTemplate, templateHash, withoutHash } from '../workloads/template-hash.ts';

export const REVISION = 'deployment.kubernetes.io/revision';
export const DESIRED = 'deployment.kubernetes.io/desired-replicas';
export const MAX = 'deployment.kubernetes.io/max-replicas';

/** Annotations of a Deployment that its ReplicaSets do not take over. */
const OWN_ANNOTATIONS: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  REVISION,
  'deployment.kubernetes.io/revision-history',
  DESIRED,
  MAX,
  'deprecated.deployment.rollback.to',
]);

export function revisionOf(set: ReplicaSet): number {
  return Number(set.metadata.annotations?.[REVISION] ?? 0) || 0;
}

/** The set that runs the template of today: the oldest one, if there are several. */
export function newReplicaSet(deployment: Deployment, sets: readonly ReplicaSet[]): ReplicaSet | undefined {
  return byAge(sets).find((set) => sameTemplate(set.spec.template, deployment.spec.template));
}

export function byAge(sets: readonly ReplicaSet[]): ReplicaSet[] {
  const created = ({ metadata }: ReplicaSet): string =>
    `${metadata.creationTimestamp ?? ''} ${metadata.name ?? ''}`;
  return sets.toSorted((a, b) => (created(a) < created(b) ? -1 : 1));
}

/** Number of the revision that the newest set must carry. */
export function nextRevision(sets: readonly ReplicaSet[], newest: ReplicaSet | undefined): number {
  const others = sets.filter((set) => set !== newest);
  return Math.max(0, ...others.map(revisionOf)) + 1;
}

/** What a set of this Deployment carries beside numbers of its own. */
export function inheritedAnnotations(deployment: Deployment): Record<string, string> {
  const given = Object.entries(deployment.metadata.annotations ?? {});
  return Object.fromEntries(given.filter(([key]) => !OWN_ANNOTATIONS.has(key)));
}

/** The set for today's template. */
export function renderReplicaSet(
  deployment: Deployment,
  replicas: number,
  revision: number,
  maxReplicas: number,
): ReplicaSet {
  const { metadata, spec, status } = deployment;
  const hash = templateHash(spec.template, status?.collisionCount);
  const template = withoutHash(spec.template);
  return {
    metadata: {
      namespace: metadata.namespace,
      name: `${metadata.name}-${hash}`,
      labels: { ...template.metadata?.labels, [HASH_LABEL]: hash },
      annotations: {
        ...inheritedAnnotations(deployment),
        [REVISION]: String(revision),
        [DESIRED]: String(spec.replicas ?? 1),
        [MAX]: String(maxReplicas),
      },
      ownerReferences: [controlledBy(workloads.deployments, deployment)],
    },
    spec: {
      replicas,
      minReadySeconds: spec.minReadySeconds,
      selector: {
        ...spec.selector,
        matchLabels: { ...spec.selector?.matchLabels, [HASH_LABEL]: hash },
      },
      template: {
        ...template,
        metadata: { ...template.metadata, labels: { ...template.metadata?.labels, [HASH_LABEL]: hash } },
      },
    },
  };
}

/** Old sets without Pods beyond the limit, oldest revision first. */
export function expiredReplicaSets(deployment: Deployment, old: readonly ReplicaSet[]): ReplicaSet[] {
  const limit = deployment.spec.revisionHistoryLimit ?? 10;
  const idle = old.filter(
    ({ spec, status, metadata }) =>
      (spec.replicas ?? 0) === 0 &&
      (status?.replicas ?? 0) === 0 &&
      (metadata.generation ?? 0) <= (status?.observedGeneration ?? 0) &&
      metadata.deletionTimestamp === undefined,
  );
  const surplus = old.length - limit;
  return surplus <= 0 ? [] : idle.toSorted((a, b) => revisionOf(a) - revisionOf(b)).slice(0, surplus);
}
