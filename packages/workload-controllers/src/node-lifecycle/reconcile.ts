/**
 * What a node's conditions and taints should be. Pure. A node whose kubelet is silent is Unknown: it takes
 * no new Pods, and nothing that runs there is touched.
 */
import type { Condition, Node, Pod, Taint } from '@podvisor/api';
import { deepEqual, rfc3339 } from '@podvisor/base';

export const UNREACHABLE = 'node.kubernetes.io/unreachable';
export const NOT_READY = 'node.kubernetes.io/not-ready';

const WATCHED = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'] as const;
const CONDITION_TAINTS: Readonly<Record<string, string>> = {
  MemoryPressure: 'node.kubernetes.io/memory-pressure',
  DiskPressure: 'node.kubernetes.io/disk-pressure',
  PIDPressure: 'node.kubernetes.io/pid-pressure',
  NetworkUnavailable: 'node.kubernetes.io/network-unavailable',
};
/** Taints that follow from what is observed; all others belong to people. */
const OURS = new Set([
  UNREACHABLE,
  NOT_READY,
  'node.kubernetes.io/unschedulable',
  ...Object.values(CONDITION_TAINTS),
]);

export interface NodeObservation {
  readonly node: Node;
  /** Not heard of for too long. */
  readonly isSilent: boolean;
  /** Those that are bound to it. */
  readonly pods: readonly Pod[];
  readonly againInMs: number;
  readonly now: number;
}

export interface NodePlan {
  readonly conditions?: readonly Condition[];
  /** Pods that are not ready any more, as far as anybody can tell. */
  readonly notReady: readonly Pod[];
  readonly taints?: readonly Taint[];
  readonly againInMs: number;
}

/** A node's conditions are written first: what follows from them is planned when they are read back. */
export function planNode({ node, isSilent, pods, againInMs, now }: NodeObservation): NodePlan {
  const conditions = isSilent ? unknownConditions(node, now) : undefined;
  if (conditions !== undefined) return { conditions, notReady: [], againInMs };
  return { notReady: isSilent ? readyPods(pods) : [], taints: wantedTaints(node, now), againInMs };
}

/** Conditions of a node that has been silent for too long; undefined when they are Unknown already. */
export function unknownConditions(node: Node, now: number): readonly Condition[] | undefined {
  const old = node.status?.conditions ?? [];
  const marked = WATCHED.map((type): Condition => {
    const before = old.find((condition) => condition.type === type);
    if (before?.status === 'Unknown') return before;
    return {
      ...before,
      type,
      status: 'Unknown',
      reason: before === undefined ? 'NodeStatusNeverUpdated' : 'NodeStatusUnknown',
      message:
        before === undefined ? 'Kubelet never posted node status.' : 'Kubelet stopped posting node status.',
      lastTransitionTime: rfc3339(now),
    };
  });
  if (marked.every((condition) => old.includes(condition))) return undefined;
  return [...marked, ...old.filter(({ type }) => !WATCHED.some((watched) => watched === type))];
}

/** The node's taints as its conditions demand; undefined when they are so already. */
export function wantedTaints(node: Node, now: number): readonly Taint[] | undefined {
  const have = node.spec?.taints ?? [];
  const conditions = node.status?.conditions ?? [];
  const ready = conditions.find(({ type }) => type === 'Ready')?.status;
  const wanted: Pick<Taint, 'key' | 'effect'>[] = [];
  const both = (key: string): void => {
    wanted.push({ key, effect: 'NoSchedule' }, { key, effect: 'NoExecute' });
  };
  if (ready === 'Unknown') both(UNREACHABLE);
  // A node that has not reported yet offers nothing, so that nothing has to be kept away from it.
  else if (ready === 'False') both(NOT_READY);
  if (node.spec?.unschedulable === true)
    wanted.push({ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' });
  for (const [type, key] of Object.entries(CONDITION_TAINTS)) {
    if (conditions.some((condition) => condition.type === type && condition.status === 'True'))
      wanted.push({ key, effect: 'NoSchedule' });
  }
  const taints = [
    ...have.filter(({ key }) => !OURS.has(key)),
    ...wanted.map(({ key, effect }): Taint => {
      const before = have.find((taint) => taint.key === key && taint.effect === effect);
      return before ?? { key, effect, timeAdded: rfc3339(now) };
    }),
  ];
  return sameTaints(taints, have) ? undefined : taints;
}

function sameTaints(a: readonly Taint[], b: readonly Taint[]): boolean {
  const sorted = (taints: readonly Taint[]): Taint[] =>
    taints.toSorted((x, y) => (`${x.key}${x.effect}` < `${y.key}${y.effect}` ? -1 : 1));
  return a.length === b.length && deepEqual(sorted(a), sorted(b));
}

/** The Pods of a silent node that still count as ready. Whether they run is unknown; that they serve is not. */
function readyPods(pods: readonly Pod[]): Pod[] {
  return pods.filter(({ status, metadata }) =>
    metadata.deletionTimestamp === undefined
      ? status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True')
      : false,
  );
}
