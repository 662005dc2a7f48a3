/** Collects Pods of nodes that do not exist any more, Pods deleted before they had a node, and old finished ones. */
import type { Node, Pod } from '@podvisor/api';
import { type Clock, isStatus, rfc3339 } from '@podvisor/base';
import {
  type Informer,
  type KubeClient,
  keyOf,
  type Log,
  resources,
  splitKey,
  type TableController,
  type Wake,
} from '@podvisor/kube';
import { fateOf, surplus } from './reconcile.ts';

export interface PodGcOptions {
  readonly client: KubeClient;
  readonly pods: Informer<Pod>;
  readonly nodes: Informer<Node>;
  readonly clock: Clock;
  readonly log: Log;
}

/** A Node object that is missing may be about to be registered again. */
const QUARANTINE_MS = 40_000;
/** Finished Pods that are kept for people to look at. */
const KEPT_FINISHED = 12_500;

export function podGcController(options: PodGcOptions): TableController {
  const { client, pods, nodes, clock } = options;
  const suspectSince = new Map<string, number>();
  const connect = (wake: Wake): void => {
    const add = (pod: Pod): void => {
      if (
        fateOf(pod, nodes.get(pod.spec.nodeName ?? '') === undefined ? 'unknown' : 'present').kind !== 'keep'
      )
        wake(keyOf(pod));
    };
    const finished = (pod: Pod): void => {
      for (const old of surplus(pods.size > KEPT_FINISHED ? pods.list() : [], KEPT_FINISHED))
        wake(keyOf(old));
      add(pod);
    };
    pods.on({ add, update: finished });
    nodes.on({
      add: (node) => suspectSince.delete(keyOf(node)),
      delete: (node) => {
        for (const pod of pods.byIndex('node', keyOf(node))) add(pod);
      },
    });
  };
  const reconcile = async (key: string, end: AbortSignal): Promise<{ requeueAfterMs: number } | void> => {
    const pod = pods.get(key);
    if (pod === undefined) return;
    const nodeName = pod.spec.nodeName ?? '';
    const known = nodes.get(nodeName) !== undefined;
    let fate = fateOf(pod, known ? 'present' : 'unknown');
    if (fate.kind === 'check-node') {
      const since = suspectSince.get(nodeName) ?? clock.elapsed();
      suspectSince.set(nodeName, since);
      const waitMs = since + QUARANTINE_MS - clock.elapsed();
      if (waitMs > 0) return { requeueAfterMs: waitMs };
      const live = await client.find(resources.nodes, { name: nodeName }, end);
      fate = fateOf(pod, live === undefined ? 'absent' : 'present');
    }
    if (fate.kind === 'collect') return collect(client, pod, fate, clock.now(), end);
    const old = surplus(pods.size > KEPT_FINISHED ? pods.list() : [], KEPT_FINISHED).includes(pod);
    if (old) await remove(client, pod, end);
  };
  return { name: 'pod-gc', workers: 2, connect, reconcile };
}

async function collect(
  client: KubeClient,
  pod: Pod,
  fate: { readonly markFailed: boolean; readonly reason: string },
  now: number,
  signal: AbortSignal,
): Promise<void> {
  if (fate.markFailed) {
    const condition = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'DeletionByPodGC',
      message: `PodGC: ${fate.reason}`,
      lastTransitionTime: rfc3339(now),
    };
    const body = { status: { phase: 'Failed', conditions: [condition] } };
    await client.patch(
      resources.pods,
      splitKey(keyOf(pod)),
      { type: 'strategic', body, subresource: 'status' },
      signal,
    );
  }
  await remove(client, pod, signal);
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
