/** Carries out what was decided about the guests of a node that is not heard of. */
import {
  annotations,
  controllerOfKind,
  labels,
  ownerKinds,
  type Pod,
  type VirtualMachineInstance,
  isPodEnded,
} from '@podvisor/api';
import { assertNever, isStatus, messageOf } from '@podvisor/base';
import { type KubeClient, patchGuarded, resources } from '@podvisor/kube';
import type { Recorder } from '../recorder.ts';
import type { NodeLossAction } from './plan.ts';
import { isWatchPod } from './watch-pod.ts';

export interface NodeLossApplyContext {
  readonly client: Pick<KubeClient, 'find' | 'create' | 'patch' | 'delete'>;
  readonly recorder: Recorder;
  readonly nodeName: string;
  /** The Pod that watches the lease of this guest in the silence that there is now. */
  watchPodOf(vmi: VirtualMachineInstance, launcher: Pod, claim: string): Pod;
  /** The node is silent for as long as one that is lost. */
  isLost(nodeName: string | undefined): boolean;
  /** The Pod is gone, or another one has its name. */
  removed(pod: Pod): void;
}

export async function applyNodeLossAction(
  action: NodeLossAction,
  context: NodeLossApplyContext,
  signal: AbortSignal,
): Promise<void> {
  const { client, nodeName, recorder } = context;
  switch (action.kind) {
    case 'patchVmi': {
      const { namespace, name = '' } = action.vmi.metadata ?? {};
      const key = { namespace, name };
      await patchGuarded(client, resources.virtualMachineInstances, key, action.patch, signal);
      return;
    }
    case 'event':
      recorder.event(action.vmi, ...action.event);
      return;
    case 'makeWatcher':
      return makeWatcher(action, context, signal);
    case 'removePod':
      return removePod(action.pod, context, signal);
    case 'rememberLoss':
      return remember(action.vmi, action.nodeName, context, signal);
    case 'closeNode': {
      const body = { metadata: { labels: { [labels.schedulable]: 'false' } } };
      await client.patch(resources.nodes, { name: nodeName }, { type: 'strategic', body }, signal);
      return;
    }
    case 'dropRequest': {
      const body = { metadata: { annotations: { [annotations.fence]: null } } };
      await client.patch(resources.nodes, { name: nodeName }, { type: 'merge', body }, signal);
      const message = `somebody said that the machine of node ${nodeName} is off, and its virt-handler was heard of after that: nothing more is fenced`;
      recorder.event(action.node, 'Warning', 'FenceRefused', message);
      return;
    }
    default:
      return assertNever(action);
  }
}

async function makeWatcher(
  { guest: { vmi, pods }, claim }: Extract<NodeLossAction, { kind: 'makeWatcher' }>,
  context: NodeLossApplyContext,
  signal: AbortSignal,
): Promise<void> {
  const { client, recorder } = context;
  const launcher = pods
    .filter(({ metadata }) => controllerOfKind({ metadata }, ownerKinds.vmi) !== undefined)
    .at(-1);
  if (launcher === undefined) return;
  const pod = context.watchPodOf(vmi, launcher, claim);
  try {
    await client.create(resources.pods, pod, {}, signal);
  } catch (error) {
    if (!isStatus(error, 'AlreadyExists')) {
      const message = `nobody can watch the lease of the guest: ${messageOf(error)}`;
      recorder.event(vmi, 'Warning', 'FailedCreate', message);
      throw error;
    }
    // Ours, which the cache does not show yet, which ended without a word, was lost with a node of its own or is of
    // an earlier silence; or somebody else's, in our way.
    const key = { namespace: pod.metadata.namespace, name: pod.metadata.name ?? '' };
    const found = await client.find(resources.pods, key, signal);
    if (found === undefined) return;
    const isInTheWay = !isWatchPod(found, pod) || isPodEnded(found) || context.isLost(found.spec.nodeName);
    if (!isInTheWay) return;
    await removePod(found, context, signal);
    await client.create(resources.pods, pod, {}, signal).catch((failure: unknown) => {
      if (!isStatus(failure, 'AlreadyExists')) throw failure; // it ends first, and then there is another look
    });
  }
}

async function removePod(
  pod: Pod,
  { client, removed }: NodeLossApplyContext,
  signal: AbortSignal,
): Promise<void> {
  const { namespace, name = '', uid } = pod.metadata;
  const options = { gracePeriodSeconds: 0, preconditions: { uid } };
  await client.delete(resources.pods, { namespace, name }, options, signal).catch((error: unknown) => {
    if (!isStatus(error, 'NotFound') && !isStatus(error, 'Conflict')) throw error; // gone, or another one by now
  });
  removed(pod);
}

async function remember(
  vmi: VirtualMachineInstance,
  nodeName: string,
  { client }: NodeLossApplyContext,
  signal: AbortSignal,
): Promise<void> {
  const owner = controllerOfKind(vmi, ownerKinds.vm);
  if (owner === undefined) return;
  const key = { namespace: vmi.metadata?.namespace, name: owner.name };
  const body = {
    metadata: {
      uid: owner.uid,
      annotations: { [annotations.lostWith]: `${vmi.metadata?.uid} ${nodeName}` },
    },
  };
  await client
    .patch(resources.virtualMachines, key, { type: 'merge', body }, signal)
    .catch((error: unknown) => {
      if (!isStatus(error, 'NotFound') && !isStatus(error, 'Conflict')) throw error; // there is no such VM any more
    });
}
