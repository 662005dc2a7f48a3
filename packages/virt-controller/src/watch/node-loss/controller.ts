/** Looks after the guests of nodes that are not heard of: what is known of a node and its guests. Keys are node names. */
import {
  annotations,
  leasePlace,
  type Node,
  type NodeLossTimes,
  type Pod,
  type VirtualMachineInstance,
} from '@podvisor/api';
import type { Clock } from '@podvisor/base';
import { type ControllerSteps, type KubeClient, type ReconcileResult, resources } from '@podvisor/kube';
import type { Recorder } from '../recorder.ts';
import { isPodFinal } from '../vmi/pod-state.ts';
import { applyNodeLossAction } from './apply.ts';
import {
  confirmedOff,
  type GuestView,
  isQuiet,
  type NodeLossPlan,
  type NodeLossView,
  planNodeLoss,
  watchAfterMs,
} from './plan.ts';
import type { NodeSilence } from './silence.ts';
import {
  isWatchPod,
  silentSinceOf,
  watchPod,
  type WatchPodInput,
  watchPodName,
  watchState,
} from './watch-pod.ts';

export interface NodeLossOptions {
  readonly client: Pick<KubeClient, 'find' | 'create' | 'patch' | 'delete'>;
  readonly recorder: Recorder;
  readonly silence: NodeSilence;
  readonly clock: Pick<Clock, 'now' | 'elapsed'>;
  readonly launcherImage: string;
  /** Where Podvisor is installed. */
  readonly namespace: string;
  times(): NodeLossTimes;
  node(name: string): Node | undefined;
  vmisOn(nodeName: string): readonly VirtualMachineInstance[];
  /** Launcher Pods of the VMI, and Pods that hold claims for them. */
  podsOf(vmi: VirtualMachineInstance): {
    readonly launchers: readonly Pod[];
    readonly others: readonly Pod[];
  };
  watcher(namespace: string, name: string): Pod | undefined;
  /** Somebody watches the lease of a guest of this node. */
  isWatched(nodeName: string): boolean;
}

export class NodeLossController implements ControllerSteps<NodeLossView, NodeLossPlan> {
  readonly #options: NodeLossOptions;
  /** When each watcher was first seen to run, by UID. */
  readonly #running = new Map<string, number>();
  /** When a request to fence a node was first seen, by node and text. */
  readonly #requests = new Map<string, { readonly text: string; readonly renewTime: string | undefined }>();

  constructor(options: NodeLossOptions) {
    this.#options = options;
  }

  observe(nodeName: string): NodeLossView | undefined {
    const { silence, clock, node: find, vmisOn, isWatched } = this.#options;
    const times = this.#options.times();
    const heard = this.#heard(nodeName, times);
    const { silentMs, quietMs } = heard;
    const node = find(nodeName);
    const isLost = silentMs === undefined || silentMs >= times.silenceMs;
    const vmis = vmisOn(nodeName);
    // Nobody is heard at the moment, so nothing is known of it; it is looked at again, because nothing else would wake it.
    const isUnknown = silentMs === undefined && confirmedOff(node) === 'no';
    if (isUnknown && silence.renewTime(nodeName) === undefined) return undefined;
    // A node that is well, and was: nothing to look at but the next silence.
    const isOfInterest =
      isLost ||
      isQuiet({ quietMs, times }) ||
      confirmedOff(node) !== 'no' ||
      isWatched(nodeName) ||
      vmis.some(wasLost);
    const guests = isOfInterest && !isUnknown ? vmis.map((vmi) => this.#guest(vmi, nodeName)) : [];
    return {
      nodeName,
      node,
      ...heard,
      times,
      guests,
      isRefuted: this.#isRefuted(nodeName, node),
      nowMs: clock.now(),
    };
  }

  plan(view: NodeLossView): NodeLossPlan {
    return planNodeLoss(view);
  }

  /** Before a guest is given up: the Lease of its virt-handler as the API server has it now, and not as we heard. */
  async prove(
    view: NodeLossView,
    plan: NodeLossPlan,
    signal: AbortSignal,
  ): Promise<NodeLossView | undefined> {
    if (!plan.needsProof) return undefined;
    const { client, namespace, silence } = this.#options;
    const { nodeName, times } = view;
    const key = { namespace, name: `virt-handler-${nodeName}` };
    const lease = await client.find(resources.leases, key, signal);
    if (lease === undefined || !silence.observe(nodeName, lease.spec?.renewTime, times.silenceMs))
      return undefined;
    return { ...view, ...this.#heard(nodeName, times) };
  }

  #heard(
    nodeName: string,
    { silenceMs }: NodeLossView['times'],
  ): Pick<NodeLossView, 'silentMs' | 'quietMs' | 'isAlive'> {
    const { silence } = this.#options;
    return {
      silentMs: silence.silentMs(nodeName, silenceMs),
      quietMs: silence.quietMs(nodeName, silenceMs),
      isAlive: silence.isAlive(nodeName, silenceMs),
    };
  }

  async apply(
    { actions, requeueAfterMs }: NodeLossPlan,
    view: NodeLossView,
    signal: AbortSignal,
  ): Promise<ReconcileResult> {
    const { nodeName } = view;
    const context = {
      ...this.#options,
      nodeName,
      watchPodOf: (vmi: VirtualMachineInstance, launcher: Pod, claim: string) =>
        watchPod(this.#watchInput(vmi, launcher, claim, nodeName)),
      isLost: (name: string | undefined) => this.#isLost(name),
      removed: ({ metadata }: Pod) => void this.#running.delete(metadata.uid ?? ''),
    };
    for (const action of actions) await applyNodeLossAction(action, context, signal);
    return requeueAfterMs === undefined ? undefined : { requeueAfterMs };
  }

  #guest(vmi: VirtualMachineInstance, nodeName: string): GuestView {
    const { podsOf, watcher: find, clock } = this.#options;
    const { launchers, others } = podsOf(vmi);
    const here = launchers.filter((pod) => pod.spec.nodeName === nodeName);
    const pods = [...here, ...others.filter((pod) => pod.spec.nodeName === nodeName)];
    const place = leasePlace(vmi);
    const launcher = here.at(-1);
    const { targetPod } = vmi.status?.migrationState ?? {};
    const target = launchers.find(({ metadata }) => targetPod !== undefined && metadata.name === targetPod);
    const guest = { vmi, pods, hasTargetEnded: target !== undefined && isPodFinal(target) };
    if (launcher === undefined || place.kind === 'none')
      return { ...guest, watcher: undefined, watch: { kind: 'none' } };
    const found = find(vmi.metadata?.namespace ?? '', watchPodName(launcher));
    const input = this.#watchInput(vmi, launcher, place.claim, nodeName);
    if (found !== undefined && !isWatchPod(found, watchPod(input)))
      return { ...guest, watcher: isEarlier(found, input) ? found : undefined, watch: { kind: 'none' } };
    const watcher = found;
    const uid = watcher?.metadata.uid ?? '';
    if (watcher?.status?.phase === 'Running' && !this.#running.has(uid))
      this.#running.set(uid, clock.elapsed());
    const nowMs = clock.elapsed();
    const runsForMs = nowMs - (this.#running.get(uid) ?? nowMs);
    const { leaseMs } = this.#options.times();
    const isLostToo = watcher !== undefined && this.#isLost(watcher.spec.nodeName);
    return { ...guest, watcher, watch: watchState(watcher, runsForMs, leaseMs, isLostToo) };
  }

  /** Who watches in the silence that there is now. */
  #watchInput(vmi: VirtualMachineInstance, launcher: Pod, claim: string, nodeName: string): WatchPodInput {
    const { launcherImage: image, silence, times } = this.#options;
    const silentMs = watchAfterMs(times());
    return { vmi, launcher, claim, nodeName, image, silentMs, silentSince: silence.renewTime(nodeName) };
  }

  #isLost(nodeName: string | undefined): boolean {
    if (nodeName === undefined) return false;
    const { silence, times } = this.#options;
    const { silenceMs } = times();
    return (silence.silentMs(nodeName, silenceMs) ?? 0) >= silenceMs;
  }

  /** The node was heard of after the request was seen. */
  #isRefuted(nodeName: string, node: Node | undefined): boolean {
    const text = node?.metadata.annotations?.[annotations.fence];
    if (text === undefined) {
      this.#requests.delete(nodeName);
      return false;
    }
    const renewTime = this.#options.silence.renewTime(nodeName);
    const known = this.#requests.get(nodeName);
    if (known?.text === text) return known.renewTime !== renewTime;
    this.#requests.set(nodeName, { text, renewTime });
    return false;
  }
}

/** It watched in an earlier silence of the node. */
function isEarlier(found: Pod, input: WatchPodInput): boolean {
  return isWatchPod(found, watchPod({ ...input, silentSince: silentSinceOf(found) }));
}

function wasLost({ status }: VirtualMachineInstance): boolean {
  return status?.conditions?.some(({ type }) => type === 'NodeLost') === true;
}
