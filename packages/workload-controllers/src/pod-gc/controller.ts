/** Collects Pods of nodes that do not exist any more, Pods deleted before they had a node, and old finished ones. */
import { type Node, type Pod, isPodEnded } from '@podvisor/api';
import { isStatus, rfc3339 } from '@podvisor/base';
import {
  controller,
  type Indexers,
  type Informer,
  type KubeClient,
  keyOf,
  type ReconcileResult,
  resources,
  splitKey,
  type TableController,
  type Wake,
} from '@podvisor/kube';
import type { ControllerOptions } from '../controller-options.ts';
import { type PodGcObservation, type PodGcPlan, planPodGc, surplus } from './reconcile.ts';

export interface PodGcOptions extends ControllerOptions {
  /** With the index `node` and `podGcIndexes`. */
  readonly pods: Informer<Pod>;
  readonly nodes: Informer<Node>;
}

/** Finished Pods that are kept for people to look at. */
const KEPT_FINISHED = 12_500;
/** Index of the Pods that have ended and that nobody has asked to go; all of them have this one value. */
const FINISHED = 'finished';

/** What the cache of Pods needs, from before its first object. */
export const podGcIndexes: Indexers<Pod> = {
  [FINISHED]: (pod) => (isPodEnded(pod) && pod.metadata.deletionTimestamp === undefined ? [FINISHED] : []),
};

export function podGcController({ client, pods, nodes, clock }: PodGcOptions): TableController {
  /** When the Node object of a name was first missed. */
  const missedSince = new Map<string, number>();
  const tooMany = (): readonly Pod[] => surplus(pods.byIndex(FINISHED, FINISHED), KEPT_FINISHED);
  const observe = (key: string): PodGcObservation | undefined => {
    const pod = pods.get(key);
    if (pod === undefined) return undefined;
    const isSurplus = tooMany().includes(pod);
    const nodeName = pod.spec.nodeName ?? '';
    if (nodeName === '' || nodes.get(nodeName) !== undefined) return { pod, node: 'present', isSurplus };
    const since = missedSince.get(nodeName) ?? clock.elapsed();
    missedSince.set(nodeName, since);
    return { pod, node: 'unknown', missedForMs: clock.elapsed() - since, isSurplus };
  };
  const prove = async (
    observed: PodGcObservation,
    plan: PodGcPlan,
    signal: AbortSignal,
  ): Promise<PodGcObservation | undefined> => {
    if (plan.kind !== 'check-node') return undefined;
    const live = await client.find(resources.nodes, { name: observed.pod.spec.nodeName ?? '' }, signal);
    return { ...observed, node: live === undefined ? 'absent' : 'present' };
  };
  const apply = async (
    plan: PodGcPlan,
    { pod }: PodGcObservation,
    signal: AbortSignal,
  ): Promise<ReconcileResult> => {
    if (plan.kind === 'wait') return { requeueAfterMs: plan.ms };
    if (plan.kind !== 'collect' && plan.kind !== 'remove') return undefined;
    if (plan.kind === 'collect' && plan.markFailed)
      await markFailed(client, pod, plan.reason, clock.now(), signal);
    await remove(client, pod, signal);
    return undefined;
  };
  const wakes = (wake: Wake): void => {
    const add = (pod: Pod): void => {
      const node = nodes.get(pod.spec.nodeName ?? '') === undefined ? 'unknown' : 'present';
      if (planPodGc({ pod, node, isSurplus: false }).kind !== 'keep') wake(keyOf(pod));
    };
    pods.on({
      add,
      update: (pod) => {
        for (const old of tooMany()) wake(keyOf(old));
        add(pod);
      },
    });
    nodes.on({
      add: (node) => missedSince.delete(keyOf(node)),
      delete: (node) => {
        for (const pod of pods.byIndex('node', keyOf(node))) add(pod);
      },
    });
  };
  return controller({
    name: 'pod-gc',
    workers: 2,
    wakes: [wakes],
    steps: { observe, plan: planPodGc, prove, apply },
  });
}

async function markFailed(
  client: KubeClient,
  pod: Pod,
  why: string,
  nowMs: number,
  signal: AbortSignal,
): Promise<void> {
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'DeletionByPodGC',
    message: `PodGC: ${why}`,
    lastTransitionTime: rfc3339(nowMs),
  };
  const body = { status: { phase: 'Failed', conditions: [condition] } };
  const patch = { type: 'strategic', body, subresource: 'status' } as const;
  await client.patch(resources.pods, splitKey(keyOf(pod)), patch, signal);
}

async function remove(client: KubeClient, pod: Pod, signal: AbortSignal): Promise<void> {
  try {
    await client.delete(
      resources.pods,
      splitKey(keyOf(pod)),
      { gracePeriodSeconds: 0, preconditions: { uid: pod.metadata.uid } },
      signal,
    );
  } catch (error) {
    // Already gone, or another Pod of this name.
    if (!isStatus(error, 'NotFound') && !isStatus(error, 'Conflict')) throw error;
  }
}
