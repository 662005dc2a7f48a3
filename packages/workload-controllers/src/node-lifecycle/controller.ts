/** Watches the heartbeats of nodes and keeps their conditions and taints honest. Deletes nothing. */
import type { Lease, Node, Pod } from '@podvisor/api';
import { isStatus, rfc3339 } from '@podvisor/base';
import {
  controller,
  EventRecorder,
  type Informer,
  type KubeClient,
  keyOf,
  type ReconcileResult,
  resources,
  type TableController,
  type Wake,
} from '@podvisor/kube';
import type { ControllerOptions } from '../controller-options.ts';
import { Heartbeats } from './heartbeats.ts';
import { type NodeObservation, type NodePlan, planNode } from './reconcile.ts';

export interface NodeLifecycleOptions extends ControllerOptions {
  readonly nodes: Informer<Node>;
  readonly pods: Informer<Pod>;
  readonly leases: Informer<Lease>;
}

const LEASE_NAMESPACE = 'kube-node-lease';

export function nodeLifecycleController(options: NodeLifecycleOptions): TableController {
  const { client, nodes, pods, leases, clock, log } = options;
  const heartbeats = new Heartbeats(clock);
  const events = new EventRecorder({ client, component: 'node-controller', clock, log });
  const wakes = (wake: Wake): void => {
    const beat = (lease: Lease): void => {
      if (lease.metadata?.namespace !== LEASE_NAMESPACE) return;
      heartbeats.heard(lease.metadata.name ?? '', `lease ${lease.metadata.resourceVersion}`);
    };
    leases.on({ add: beat, update: beat });
    const look = (node: Node): void => wake(keyOf(node));
    nodes.on({
      add: look,
      update: (node, old) => {
        // The kubelet's own status writes are signs of life; ours, which say Unknown, are not.
        if (lastHeartbeat(node) !== lastHeartbeat(old))
          heartbeats.heard(keyOf(node), `status ${lastHeartbeat(node)}`);
        look(node);
      },
      delete: (node) => heartbeats.forget(keyOf(node)),
    });
  };
  const observe = (name: string): NodeObservation | undefined => {
    const node = nodes.get(name);
    if (node === undefined) return undefined;
    const { silent, againInMs } = heartbeats.look(name);
    return { node, isSilent: silent, pods: pods.byIndex('node', name), againInMs, now: clock.now() };
  };
  const apply = async (
    { conditions, notReady, taints, againInMs }: NodePlan,
    { node, now }: NodeObservation,
    signal: AbortSignal,
  ): Promise<ReconcileResult> => {
    const { name = '', resourceVersion } = node.metadata;
    if (conditions !== undefined) {
      const patch = { type: 'strategic', body: { status: { conditions } }, subresource: 'status' } as const;
      await client.patch(resources.nodes, { name }, patch, signal);
      events.event(node, 'Normal', 'NodeNotReady', `Node ${name} status is now: NodeNotReady`);
    }
    for (const pod of notReady) await markNotReady(client, pod, rfc3339(now), signal);
    if (taints !== undefined) {
      // Guarded by the version: other taints belong to people, who may be changing them now.
      const body = { metadata: { resourceVersion }, spec: { taints } };
      await client.patch(resources.nodes, { name }, { type: 'merge', body }, signal);
    }
    return { requeueAfterMs: againInMs };
  };
  return controller({
    name: 'node-lifecycle',
    workers: 2,
    wakes: [wakes],
    steps: { observe, plan: planNode, apply },
  });
}

function lastHeartbeat(node: Node): string | undefined {
  const ready = node.status?.conditions?.find(({ type }) => type === 'Ready');
  if (ready === undefined || !('lastHeartbeatTime' in ready)) return undefined;
  return typeof ready.lastHeartbeatTime === 'string' ? ready.lastHeartbeatTime : undefined;
}

/** Services must not send to a Pod that nobody hears of. Its kubelet takes it back when it is heard again. */
async function markNotReady(client: KubeClient, pod: Pod, now: string, signal: AbortSignal): Promise<void> {
  const { namespace, name = '', uid } = pod.metadata;
  const condition = { type: 'Ready', status: 'False', lastTransitionTime: now };
  try {
    await client.patch(
      resources.pods,
      { namespace, name },
      {
        type: 'strategic',
        subresource: 'status',
        body: { metadata: { uid }, status: { conditions: [condition] } },
      },
      signal,
    );
  } catch (error) {
    // Gone, or another Pod of this name.
    if (!isStatus(error, 'NotFound') && !isStatus(error, 'Conflict')) throw error;
  }
}
