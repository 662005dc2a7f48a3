/**
 * Takes a node out of scheduling when its virt-handler is silent, and looks again at the VMIs on it. What
 * happens to those is the VMI controller's decision: while their Pods live, nothing.
 */
import { labels, type Node } from '@podvisor/api';
import { type KubeClient, type ReconcileResult, resources } from '@podvisor/kube';
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

export class NodeController {
  readonly #options: NodeControllerOptions;

  constructor(options: NodeControllerOptions) {
    this.#options = options;
  }

  async reconcile(nodeName: string, signal: AbortSignal): Promise<ReconcileResult> {
    const { client, recorder, liveness, recheckVmisOn } = this.#options;
    const leftMs = liveness.leftMs(nodeName);
    if (leftMs === undefined) return;
    if (leftMs > 0) return { requeueAfterMs: leftMs };
    const node = await client.find(resources.nodes, { name: nodeName }, signal);
    if (node === undefined) return;
    if (isSchedulable(node)) {
      const body = { metadata: { labels: { [labels.schedulable]: 'false' } } };
      await client.patch(resources.nodes, { name: nodeName }, { type: 'strategic', body }, signal);
      recorder.event(
        node,
        'Normal',
        'NodeUnresponsive',
        'virt-handler is not responsive, marking node as unresponsive',
      );
    }
    recheckVmisOn(nodeName);
    return { requeueAfterMs: RECHECK_MS };
  }
}

function isSchedulable(node: Node): boolean {
  return node.metadata.labels?.[labels.schedulable] === 'true';
}
