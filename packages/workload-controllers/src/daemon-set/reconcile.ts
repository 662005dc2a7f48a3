/** Which nodes a DaemonSet wants a Pod on, which Pods must go, and its status. Pure. */
import {
  type DaemonSet,
  type DaemonSetStatus,
  type Node,
  type Pod,
  type Taint,
  type Toleration,
  isPodEnded,
} from '@podvisor/api';
import { matchesNodeAffinity, NodeState, untolerated } from '@podvisor/scheduler';
import { countOf } from '../workloads/int-or-percent.ts';
import { isAvailable, isReady, isTerminating } from '../workloads/pod-facts.ts';
import { nextAvailableInMs } from '../replica-set/reconcile.ts';
import { controlledBy } from '../workloads/ownership.ts';
import type { OwnedPods } from '../workloads/pod-control.ts';
import { podFromTemplate } from '../workloads/pod-from-template.ts';
import { workloads } from '../workloads/resources.ts';
import {
  planRevision,
  REVISION_LABEL,
  type RevisionPlan,
  surplusRevisions,
} from '../workloads/revision-history.ts';
import type { Revision } from '../workloads/types.ts';

/** Troubles of a node that a daemon stays through. */
export const DAEMON_TOLERATIONS: readonly Toleration[] = [
  ...['not-ready', 'unreachable'].map((name): Toleration => tolerate(name, 'NoExecute')),
  ...['disk-pressure', 'memory-pressure', 'pid-pressure', 'unschedulable'].map(
    (name): Toleration => tolerate(name, 'NoSchedule'),
  ),
];

function tolerate(name: string, effect: Taint['effect']): Toleration {
  return { key: `node.kubernetes.io/${name}`, operator: 'Exists', effect };
}

export interface DaemonSetObservation {
  readonly set: DaemonSet;
  readonly nodes: readonly Node[];
  readonly owned: OwnedPods;
  /** Its revisions, oldest first. */
  readonly history: readonly Revision[];
  /** False while the cache does not show all that was done to the Pods. */
  readonly isUpToDate: boolean;
  readonly now: number;
}

export interface DaemonSetPlan {
  readonly revision: RevisionPlan;
  readonly create: readonly Pod[];
  readonly delete: readonly Pod[];
  /** Revisions that nobody needs. */
  readonly expire: readonly Revision[];
  readonly status: DaemonSetStatus;
  readonly againInMs: number | undefined;
}

/** All that one pass does. While the cache is behind, Pods and revisions stay as they are. */
export function planDaemonSet({
  set,
  nodes,
  owned: { pods },
  history,
  isUpToDate,
  now,
}: DaemonSetObservation): DaemonSetPlan {
  const revision = planRevision(workloads.daemonSets, set, history);
  const { hash } = revision;
  const model = podFromTemplate(set, set.spec.template, controlledBy(workloads.daemonSets, set));
  const desiredByNode = new Map(
    nodes.map((node) => [node.metadata.name ?? '', desiredDaemonOn(model, node)]),
  );
  const daemons = isUpToDate
    ? planDaemons(set, nodes, desiredByNode, pods, hash, now)
    : { create: [], delete: [] };
  const inUse = new Set([hash, ...pods.map(({ metadata }) => metadata.labels?.[REVISION_LABEL] ?? '')]);
  return {
    revision,
    create: daemons.create.map((node) => daemonPod(model, node, hash)),
    delete: daemons.delete,
    expire: isUpToDate ? surplusRevisions(history, inUse, set.spec.revisionHistoryLimit ?? 10) : [],
    status: daemonSetStatus(set, desiredByNode, pods, hash, now),
    againInMs: nextAvailableInMs(pods, set.spec.minReadySeconds ?? 0, now),
  };
}

/** Bound by the scheduler to the one node that it names. */
function daemonPod(model: Pod, node: string, hash: string): Pod {
  const { affinity, tolerations = [] } = model.spec;
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  const here = { key: 'metadata.name', operator: 'In', values: [node] };
  const nodeSelectorTerms =
    required === undefined
      ? [{ matchFields: [here] }]
      : required.map((term) => ({ ...term, matchFields: [here] }));
  return {
    ...model,
    metadata: { ...model.metadata, labels: { ...model.metadata.labels, [REVISION_LABEL]: hash } },
    spec: {
      ...model.spec,
      affinity: {
        ...affinity,
        nodeAffinity: {
          ...affinity?.nodeAffinity,
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms },
        },
      },
      tolerations: [...tolerations, ...DAEMON_TOLERATIONS],
    },
  };
}

export interface DesiredDaemon {
  /** A Pod belongs here. */
  readonly run: boolean;
  /** A Pod that is here may stay. */
  readonly stay: boolean;
}

/** `pod`: as the set would make it. */
export function desiredDaemonOn(pod: Pod, node: Node): DesiredDaemon {
  if (!matchesNodeAffinity(pod, new NodeState(node))) return { run: false, stay: false };
  const taints = node.spec?.taints;
  const tolerations = [...(pod.spec.tolerations ?? []), ...DAEMON_TOLERATIONS];
  return {
    run: untolerated(taints, tolerations, ['NoSchedule', 'NoExecute']) === undefined,
    stay: untolerated(taints, tolerations, ['NoExecute']) === undefined,
  };
}

export interface DaemonPlan {
  /** Names of nodes. */
  readonly create: readonly string[];
  readonly delete: readonly Pod[];
}

/** The node that a daemon's Pod is for, also before it is bound. */
export function targetNode({ spec }: Pod): string {
  if (spec.nodeName !== undefined && spec.nodeName !== '') return spec.nodeName;
  const terms =
    spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const fields = terms.flatMap(({ matchFields = [] }) => matchFields);
  return fields.find(({ key }) => key === 'metadata.name')?.values?.[0] ?? '';
}

/** `hash`: of today's template. */
export function planDaemons(
  set: DaemonSet,
  nodes: readonly Node[],
  desiredByNode: ReadonlyMap<string, DesiredDaemon>,
  pods: readonly Pod[],
  hash: string,
  now: number,
): DaemonPlan {
  const create: string[] = [];
  const remove: Pod[] = [];
  const outdated: Pod[] = [];
  let unavailable = 0;
  const minReady = set.spec.minReadySeconds ?? 0;
  for (const node of nodes) {
    const name = node.metadata.name ?? '';
    const onNode = desiredByNode.get(name) ?? { run: false, stay: false };
    const here = pods.filter((pod) => targetNode(pod) === name);
    const finished = here.filter((pod) => isPodEnded(pod) && !isTerminating(pod));
    const running = here.filter((pod) => !isPodEnded(pod));
    const alive = running.filter((pod) => !isTerminating(pod)).toSorted(byCreation);
    // A failed daemon is replaced by a new Pod.
    remove.push(...finished);
    if (!onNode.stay) remove.push(...alive);
    if (!onNode.run) continue;
    if (running.length === 0 && finished.length === 0) create.push(name);
    remove.push(...alive.slice(1));
    const [current] = alive;
    if (current === undefined || !isAvailable(current, minReady, now)) unavailable += 1;
    if (current !== undefined && current.metadata.labels?.[REVISION_LABEL] !== hash) outdated.push(current);
  }
  // Nodes that are gone: their Pods are the Pod collector's.
  return {
    create,
    delete: [...remove, ...updates(set, nodes, desiredByNode, outdated, unavailable, minReady, now)],
  };
}

/** Outdated Pods that may go now. Broken ones cost no availability. */
function updates(
  { spec }: DaemonSet,
  nodes: readonly Node[],
  desiredByNode: ReadonlyMap<string, DesiredDaemon>,
  outdated: readonly Pod[],
  unavailable: number,
  minReady: number,
  now: number,
): readonly Pod[] {
  if (spec.updateStrategy?.type === 'OnDelete') return [];
  const desired = nodes.filter(({ metadata }) => desiredByNode.get(metadata.name ?? '')?.run === true).length;
  const limit = Math.max(1, countOf(spec.updateStrategy?.rollingUpdate?.maxUnavailable ?? 1, desired, 'up'));
  const broken = outdated.filter((pod) => !isAvailable(pod, minReady, now));
  const working = outdated.filter((pod) => isAvailable(pod, minReady, now));
  return [...broken, ...working.slice(0, Math.max(0, limit - unavailable))];
}

function byCreation(a: Pod, b: Pod): number {
  return (a.metadata.creationTimestamp ?? '') < (b.metadata.creationTimestamp ?? '') ? -1 : 1;
}

export function daemonSetStatus(
  set: DaemonSet,
  desiredByNode: ReadonlyMap<string, DesiredDaemon>,
  pods: readonly Pod[],
  hash: string,
  now: number,
): DaemonSetStatus {
  const byNode = Map.groupBy(
    pods.filter((pod) => !isTerminating(pod)),
    targetNode,
  );
  const wanted = [...desiredByNode].filter(([, { run }]) => run).map(([name]) => name);
  const first = wanted.flatMap((name) => byNode.get(name)?.toSorted(byCreation).slice(0, 1) ?? []);
  const available = first.filter((pod) => isAvailable(pod, set.spec.minReadySeconds ?? 0, now)).length;
  const some = (count: number): number | undefined => (count === 0 ? undefined : count);
  return {
    currentNumberScheduled: first.length,
    numberMisscheduled: [...byNode.keys()].filter((name) => desiredByNode.has(name) && !wanted.includes(name))
      .length,
    desiredNumberScheduled: wanted.length,
    numberReady: first.filter(isReady).length,
    observedGeneration: set.metadata.generation,
    updatedNumberScheduled: some(
      first.filter(({ metadata }) => metadata.labels?.[REVISION_LABEL] === hash).length,
    ),
    numberAvailable: some(available),
    numberUnavailable: some(wanted.length - available),
  };
}
