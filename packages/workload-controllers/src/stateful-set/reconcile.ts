/** The numbered Pods of a StatefulSet: which to make, which to delete, and its status. Pure. */
import {
  type PersistentVolumeClaim,
  type Pod,
  type PodTemplateSpec,
  type StatefulSet,
  type StatefulSetStatus,
  isPodEnded,
} from '@podvisor/api';
import { isAvailable, isReady, isTerminating } from '../workloads/pod-facts.ts';
import { controlledBy } from '../workloads/ownership.ts';
import { podFromTemplate } from '../workloads/pod-from-template.ts';
import { workloads } from '../workloads/resources.ts';
import { nextAvailableInMs } from '../replica-set/reconcile.ts';
import type { OwnedPods } from '../workloads/pod-control.ts';
import {
  planRevision,
  REVISION_LABEL,
  type RevisionPlan,
  surplusRevisions,
} from '../workloads/revision-history.ts';
import type { Revision } from '../workloads/types.ts';

/** Revisions by name (`set-hash`): what ordinals below the partition run, and what is rolled out. */
export interface Revisions {
  readonly current: string;
  readonly update: string;
}

export interface StatefulPlan {
  /** Ordinals. */
  readonly create: readonly number[];
  readonly delete: readonly Pod[];
}

export interface StatefulSetObservation {
  readonly set: StatefulSet;
  readonly owned: OwnedPods;
  /** Its revisions, oldest first. */
  readonly history: readonly Revision[];
  readonly hasClaim: (claim: PersistentVolumeClaim) => boolean;
  /** False while the cache does not show all that was done to the Pods. */
  readonly isUpToDate: boolean;
  readonly now: number;
}

export interface StatefulSetPlan {
  readonly revision: RevisionPlan;
  /** Claims that the new Pods need and that are not there. */
  readonly claims: readonly PersistentVolumeClaim[];
  readonly create: readonly Pod[];
  readonly delete: readonly Pod[];
  /** Revisions that nobody needs. */
  readonly expire: readonly Revision[];
  readonly status: StatefulSetStatus;
  readonly againInMs: number | undefined;
}

/** All that one pass does. While the cache is behind, Pods and revisions stay as they are. */
export function planStatefulSet(observed: StatefulSetObservation): StatefulSetPlan {
  const { set, owned, history, hasClaim, isUpToDate, now } = observed;
  const pods = owned.pods.filter((pod) => ordinalOf(set, pod) !== undefined);
  const revision = planRevision(workloads.statefulSets, set, history);
  const current = set.status?.currentRevision ?? '';
  const names: Revisions = { current: current === '' ? revision.name : current, update: revision.name };
  const numbered = isUpToDate ? planStateful(set, pods, names, now) : { create: [], delete: [] };
  return {
    revision,
    claims: numbered.create.flatMap((ordinal) => claimsFor(set, ordinal)).filter((claim) => !hasClaim(claim)),
    create: numbered.create.map((ordinal) => podFor(set, ordinal, names, history)),
    delete: numbered.delete,
    expire: isUpToDate
      ? surplusRevisions(history, hashesInUse(set, pods, names), set.spec.revisionHistoryLimit ?? 10)
      : [],
    status: statefulSetStatus(set, pods, names, now),
    againInMs: nextAvailableInMs(pods, set.spec.minReadySeconds ?? 0, now),
  };
}

/** Pods of a StatefulSet carry the whole name of their revision, `set-hash`. */
function hashesInUse(set: StatefulSet, pods: readonly Pod[], names: Revisions): ReadonlySet<string> {
  const labels = pods.map(({ metadata }) => metadata.labels?.[REVISION_LABEL] ?? '');
  const prefix = (set.metadata.name ?? '').length + 1;
  return new Set([names.current, names.update, ...labels].map((name) => name.slice(prefix)));
}

/** Below the partition the revision of before is made anew, as long as it is known. */
function podFor(
  set: StatefulSet,
  ordinal: number,
  { current, update }: Revisions,
  history: readonly Revision[],
): Pod {
  const partition = set.spec.updateStrategy?.rollingUpdate?.partition ?? 0;
  const old =
    ordinal < partition && current !== update
      ? history.find(({ metadata }) => metadata.name === current)
      : undefined;
  const template = old === undefined ? undefined : templateOf(old.data);
  if (template === undefined) return statefulPod(set, ordinal, update);
  return statefulPod({ ...set, spec: { ...set.spec, template } }, ordinal, current);
}

/** The parser of what `revisionData` wrote. */
function templateOf(data: unknown): PodTemplateSpec | undefined {
  const spec = (
    data as
      | { readonly spec?: { readonly template?: PodTemplateSpec & { readonly $patch?: string } } }
      | undefined
  )?.spec;
  if (spec?.template === undefined) return undefined;
  const { $patch: _, ...template } = spec.template;
  return template;
}

export function ordinalOf(set: StatefulSet, pod: Pod): number | undefined {
  const prefix = `${set.metadata.name}-`;
  const name = pod.metadata.name ?? '';
  const text = name.startsWith(prefix) ? name.slice(prefix.length) : '';
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

export function planStateful(
  set: StatefulSet,
  pods: readonly Pod[],
  revisions: Revisions,
  now: number,
): StatefulPlan {
  const start = set.spec.ordinals?.start ?? 0;
  const end = start + (set.spec.replicas ?? 1);
  const isOrdered = set.spec.podManagementPolicy !== 'Parallel';
  const byOrdinal = new Map(pods.map((pod) => [ordinalOf(set, pod), pod]));
  const create: number[] = [];
  const remove: Pod[] = [];
  const minReady = set.spec.minReadySeconds ?? 0;
  for (let ordinal = start; ordinal < end; ordinal += 1) {
    const pod = byOrdinal.get(ordinal);
    if (pod === undefined) create.push(ordinal);
    else if (isPodEnded(pod) && !isTerminating(pod)) remove.push(pod);
    // In order: nobody before the one in front of it is there and works.
    if (isOrdered && (pod === undefined || isTerminating(pod) || !isAvailable(pod, minReady, now)))
      return { create, delete: remove };
  }
  const surplus = pods
    .filter((pod) => {
      const ordinal = ordinalOf(set, pod);
      return ordinal !== undefined && (ordinal < start || ordinal >= end);
    })
    .toSorted((a, b) => (ordinalOf(set, b) ?? 0) - (ordinalOf(set, a) ?? 0));
  if (surplus.length > 0) {
    const going = surplus.filter((pod) => !isTerminating(pod));
    if (!isOrdered) remove.push(...going);
    // The last one first, and one at a time.
    else if (going.length === surplus.length) remove.push(...going.slice(0, 1));
    return { create, delete: remove };
  }
  const outdated = nextUpdate(set, byOrdinal, revisions, start, end, minReady, now);
  return { create, delete: outdated === undefined || create.length > 0 ? remove : [...remove, outdated] };
}

/** From the last to the partition, one at a time, each only when all after it work. */
function nextUpdate(
  { spec }: StatefulSet,
  byOrdinal: ReadonlyMap<number | undefined, Pod>,
  revisions: Revisions,
  start: number,
  end: number,
  minReady: number,
  now: number,
): Pod | undefined {
  if (spec.updateStrategy?.type === 'OnDelete') return undefined;
  const first = Math.max(start, spec.updateStrategy?.rollingUpdate?.partition ?? 0);
  for (let ordinal = end - 1; ordinal >= first; ordinal -= 1) {
    const pod = byOrdinal.get(ordinal);
    if (pod === undefined || isTerminating(pod)) return undefined;
    if (pod.metadata.labels?.[REVISION_LABEL] !== revisions.update) return pod;
    if (!isAvailable(pod, minReady, now)) return undefined;
  }
  return undefined;
}

/** Claims of one Pod, named `template-set-ordinal`. They outlive it. */
export function claimsFor(set: StatefulSet, ordinal: number): PersistentVolumeClaim[] {
  return (set.spec.volumeClaimTemplates ?? []).map((template) => ({
    metadata: {
      namespace: set.metadata.namespace,
      name: claimName(template, set, ordinal),
      labels: { ...template.metadata.labels, ...set.spec.selector?.matchLabels },
      annotations: template.metadata.annotations,
    },
    spec: template.spec,
  }));
}

function claimName(template: PersistentVolumeClaim, set: StatefulSet, ordinal: number): string {
  return `${template.metadata.name}-${set.metadata.name}-${ordinal}`;
}

export function statefulPod(set: StatefulSet, ordinal: number, revision: string): Pod {
  const name = `${set.metadata.name}-${ordinal}`;
  const pod = podFromTemplate(set, set.spec.template, controlledBy(workloads.statefulSets, set), { name });
  const templates = set.spec.volumeClaimTemplates ?? [];
  const own = templates.map((template) => ({
    name: template.metadata.name ?? '',
    persistentVolumeClaim: { claimName: claimName(template, set, ordinal) },
  }));
  const names = new Set(own.map((volume) => volume.name));
  const others = (pod.spec.volumes ?? []).filter((volume) => !names.has(volume.name));
  return {
    metadata: {
      ...pod.metadata,
      labels: {
        ...pod.metadata.labels,
        [REVISION_LABEL]: revision,
        'statefulset.kubernetes.io/pod-name': name,
        'apps.kubernetes.io/pod-index': String(ordinal),
      },
    },
    spec: {
      ...pod.spec,
      hostname: name,
      ...(set.spec.serviceName === undefined || set.spec.serviceName === ''
        ? {}
        : { subdomain: set.spec.serviceName }),
      ...(own.length + others.length === 0 ? {} : { volumes: [...own, ...others] }),
    },
  };
}

export function statefulSetStatus(
  set: StatefulSet,
  pods: readonly Pod[],
  { current, update }: Revisions,
  now: number,
): StatefulSetStatus {
  const alive = pods.filter((pod) => !isTerminating(pod));
  const at = (revision: string): number =>
    alive.filter(({ metadata }) => metadata.labels?.[REVISION_LABEL] === revision).length;
  const some = (count: number): number | undefined => (count === 0 ? undefined : count);
  const ready = pods.filter(isReady).length;
  const updated = at(update);
  const replicas = set.spec.replicas ?? 1;
  const isDone = updated === pods.length && updated === replicas && ready === replicas;
  return {
    observedGeneration: set.metadata.generation,
    replicas: pods.length,
    readyReplicas: some(ready),
    currentReplicas: some(isDone ? updated : at(current)),
    updatedReplicas: some(updated),
    availableReplicas: pods.filter((pod) => isAvailable(pod, set.spec.minReadySeconds ?? 0, now)).length,
    currentRevision: isDone ? update : current,
    updateRevision: update,
    collisionCount: 0,
  };
}
