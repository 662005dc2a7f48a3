/** Deletes Pods that do not tolerate a NoExecute taint of their node, gracefully and at the agreed time. */
import type { Node, Pod } from '@podvisor/api';
import { deepEqual, isStatus } from '@podvisor/base';
import {
  EventRecorder,
  type Informer,
  keyOf,
  resources,
  splitKey,
  type TableController,
  type Wake,
} from '@podvisor/kube';
import type { ControllerOptions } from '../controller-options.ts';
import { evictionTime } from './reconcile.ts';

export interface TaintEvictionOptions extends ControllerOptions {
  readonly pods: Informer<Pod>;
  readonly nodes: Informer<Node>;
}

export function taintEvictionController(options: TaintEvictionOptions): TableController {
  const { client, pods, nodes, clock, log } = options;
  const events = new EventRecorder({ client, component: 'taint-eviction-controller', clock, log });
  const taintsOf = (pod: Pod): NonNullable<Node['spec']>['taints'] =>
    nodes.get(pod.spec.nodeName ?? '')?.spec?.taints;
  const connect = (wake: Wake): void => {
    const add = (pod: Pod): void => {
      if ((taintsOf(pod)?.length ?? 0) > 0) wake(keyOf(pod));
    };
    pods.on({ add, update: add });
    const allOn = (node: Node): void => {
      for (const pod of pods.byIndex('node', keyOf(node))) wake(keyOf(pod));
    };
    nodes.on({
      add: allOn,
      update: (node, old) => {
        if (!deepEqual(node.spec?.taints, old.spec?.taints)) allOn(node);
      },
    });
  };
  const reconcile = async (key: string, end: AbortSignal): Promise<{ requeueAfterMs: number } | void> => {
    const pod = pods.get(key);
    if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return;
    const at = evictionTime(pod, taintsOf(pod) ?? [], clock.now());
    if (at === undefined) return;
    const waitMs = at - clock.now();
    if (waitMs > 0) return { requeueAfterMs: waitMs };
    events.event(pod, 'Normal', 'TaintManagerEviction', `Marking for deletion Pod ${key}`);
    try {
      await client.delete(resources.pods, splitKey(key), { preconditions: { uid: pod.metadata.uid } }, end);
    } catch (error) {
      // Gone already, or another Pod of this name.
      if (!isStatus(error, 'NotFound') && !isStatus(error, 'Conflict')) throw error;
    }
  };
  return { name: 'taint-eviction', workers: 2, connect, reconcile };
}
