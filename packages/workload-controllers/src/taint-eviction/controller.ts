/** Deletes Pods that do not tolerate a NoExecute taint of their node, gracefully and at the agreed time. */
import type { Node, Pod } from '@podvisor/api';
import { deepEqual, isStatus } from '@podvisor/base';
import {
  controller,
  EventRecorder,
  type Informer,
  keyOf,
  type ReconcileResult,
  resources,
  splitKey,
  type TableController,
  type Wake,
} from '@podvisor/kube';
import type { ControllerOptions } from '../controller-options.ts';
import { type EvictionObservation, type EvictionPlan, planEviction } from './reconcile.ts';

export interface TaintEvictionOptions extends ControllerOptions {
  readonly pods: Informer<Pod>;
  readonly nodes: Informer<Node>;
}

export function taintEvictionController(options: TaintEvictionOptions): TableController {
  const { client, pods, nodes, clock, log } = options;
  const events = new EventRecorder({ client, component: 'taint-eviction-controller', clock, log });
  const taintsOf = (pod: Pod): NonNullable<Node['spec']>['taints'] =>
    nodes.get(pod.spec.nodeName ?? '')?.spec?.taints;
  const wakes = (wake: Wake): void => {
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
  const observe = (key: string): EvictionObservation | undefined => {
    const pod = pods.get(key);
    if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return undefined;
    return { pod, taints: taintsOf(pod) ?? [], now: clock.now() };
  };
  const apply = async (
    plan: EvictionPlan,
    { pod }: EvictionObservation,
    signal: AbortSignal,
  ): Promise<ReconcileResult> => {
    if (plan.kind === 'stay') return undefined;
    if (plan.kind === 'wait') return { requeueAfterMs: plan.ms };
    const key = keyOf(pod);
    events.event(pod, 'Normal', 'TaintManagerEviction', `Marking for deletion Pod ${key}`);
    try {
      const preconditions = { uid: pod.metadata.uid };
      await client.delete(resources.pods, splitKey(key), { preconditions }, signal);
    } catch (error) {
      // Gone already, or another Pod of this name.
      if (!isStatus(error, 'NotFound') && !isStatus(error, 'Conflict')) throw error;
    }
    return undefined;
  };
  return controller({
    name: 'taint-eviction',
    workers: 2,
    wakes: [wakes],
    steps: { observe, plan: planEviction, apply },
  });
}
