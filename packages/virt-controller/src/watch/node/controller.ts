/**
 * Takes a node out of scheduling when its virt-handler is silent, and looks again at the VMIs on it. What
 * happens to those is the VMI controller's decision: while their Pods live, nothing.
 */
import { labels, type Node } from '@podvisor/api';
import { type KubeClient, type ReconcileResult, resources, type ControllerSteps } from '@podvisor/kube';
import type { Recorder } from '../recorder.ts';
import type { HandlerLiveness } from './liveness.ts';

export interface NodeControllerOptions {
  readonly client: Pick<KubeClient, 'find' | 'patch'>;
  readonly recorder: Recorder;
  readonly liveness: HandlerLiveness;
  /** Has every VMI of the node reconciled. */
  recheckVmisOn(nodeName: string): void;
}

/** How often VMIs of a silent node are looked at again. */
const RECHECK_MS = 60_000;

export interface NodeObservation {
  /** Until its handler counts as silent. */
  readonly leftMs: number;
  /** Read when that time is over. */
  readonly node: Node | undefined;
}

export type NodePlan =
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'gone' }
  | { readonly kind: 'silent'; readonly node: Node; readonly marks: boolean };

export class NodeController implements ControllerSteps<NodeObservation, NodePlan> {
  readonly #options: NodeControllerOptions;

  constructor(options: NodeControllerOptions) {
    this.#options = options;
  }

  async observe(name: string, signal: AbortSignal): Promise<NodeObservation | undefined> {
    const { client, liveness } = this.#options;
    const leftMs = liveness.leftMs(name);
    if (leftMs === undefined) return undefined;
    return { leftMs, node: leftMs > 0 ? undefined : await client.find(resources.nodes, { name }, signal) };
  }

  plan({ leftMs, node }: NodeObservation): NodePlan {
    if (leftMs > 0) return { kind: 'wait', ms: leftMs };
    return node === undefined ? { kind: 'gone' } : { kind: 'silent', node, marks: isSchedulable(node) };
  }

  async apply(plan: NodePlan, _observed: NodeObservation, signal: AbortSignal): Promise<ReconcileResult> {
    const { client, recorder, recheckVmisOn } = this.#options;
    if (plan.kind === 'gone') return;
    if (plan.kind === 'wait') return { requeueAfterMs: plan.ms };
    const { node } = plan;
    const { name = '' } = node.metadata;
    if (plan.marks) {
      const body = { metadata: { labels: { [labels.schedulable]: 'false' } } };
      await client.patch(resources.nodes, { name }, { type: 'strategic', body }, signal);
      recorder.event(
        node,
        'Normal',
        'NodeUnresponsive',
        'virt-handler is not responsive, marking node as unresponsive',
      );
    }
    recheckVmisOn(name);
    return { requeueAfterMs: RECHECK_MS };
  }
}

function isSchedulable(node: Node): boolean {
  return node.metadata.labels?.[labels.schedulable] === 'true';
}
