/** Carries out the VMI controller's actions. */
import {
  annotations,
  isLauncherOf,
  type PersistentVolumeClaim,
  type Pod,
  unpausedReadinessGate,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { assertNever, isStatus, messageOf, rfc3339 } from '@podvisor/base';
import { type Expectations, type KubeClient, resources, patchGuarded } from '@podvisor/kube';
import { isControlledBy, ownerKinds } from '../ownership.ts';
import type { Recorder } from '../recorder.ts';
import { buildAttachmentPod } from '../volumes/attachment-pod.ts';
import { provisioningPod } from './provisioning-pod.ts';
import { vmiEvents } from './events.ts';
import { NETWORK_INFO } from '@podvisor/translate';
import { POD_NETWORKS } from './pod-networks.ts';
import type { VmiAction } from './plan.ts';

export type VmiClient = Pick<KubeClient, 'find' | 'list' | 'create' | 'update' | 'patch' | 'delete'>;

export interface VmiApplyContext {
  readonly client: VmiClient;
  readonly recorder: Recorder;
  /** By the VMI's UID. */
  readonly expectations: Expectations;
  /** The launcher Pod's manifest, named and owned. Throws when the VMI cannot be translated. */
  renderPod(vmi: VirtualMachineInstance): Pod;
  renderStateClaim(vmi: VirtualMachineInstance): PersistentVolumeClaim;
  readonly launcherImage: string;
  readonly nowMs: number;
  /** The VMI itself was changed, and is this now. */
  wrote(after: VirtualMachineInstance): void;
  /** One of its Pods was changed, and is this now. */
  wrotePod(before: Pod, after: Pod): void;
}

/** Runs one action. Creating the Pod reports its own failure in the VMI's status. */
export async function applyVmiAction(
  vmi: VirtualMachineInstance,
  action: VmiAction,
  context: VmiApplyContext,
  signal: AbortSignal,
): Promise<void> {
  const { client, recorder } = context;
  const key = { namespace: vmi.metadata?.namespace, name: vmi.metadata?.name ?? '' };
  switch (action.kind) {
    case 'createPod':
      return createPod(vmi, context.renderPod(vmi), context, signal);
    case 'createProvisioningPod':
      return createPod(vmi, provisioningPod(context.renderPod(vmi)), context, signal);
    case 'createStateClaim':
      await client
        .create(resources.persistentVolumeClaims, context.renderStateClaim(vmi), {}, signal)
        .catch((error: unknown) => {
          if (!isStatus(error, 'AlreadyExists')) throw error; // the cache will show it
        });
      return;
    case 'createAttachmentPod':
      return createAttachmentPod(vmi, action, context, signal);
    case 'deletePod':
      return deletePod(vmi, action.pod, context, signal);
    case 'setPodNetworks':
      return annotatePod(action.pod, POD_NETWORKS, action.networks || null, context, signal);
    case 'setNetworkInfo':
      return annotatePod(action.pod, NETWORK_INFO, action.info, context, signal);
    case 'markEviction':
      return annotatePod(
        action.pod,
        annotations.evictionInProgress,
        action.leaves ? 'true' : null,
        context,
        signal,
      );
    case 'gatePod':
      return setGate(action.pod, action.unpaused, context, signal);
    case 'update':
      context.wrote(await client.update(resources.virtualMachineInstances, action.vmi, {}, signal));
      return;
    case 'patch':
      context.wrote(await patchGuarded(client, resources.virtualMachineInstances, key, action.patch, signal));
      return;
    case 'event':
      recorder.event(vmi, ...action.event);
      return;
    default:
      return assertNever(action);
  }
}

async function createPod(
  vmi: VirtualMachineInstance,
  pod: Pod,
  { client, recorder, expectations }: Pick<VmiApplyContext, 'client' | 'recorder' | 'expectations'>,
  signal: AbortSignal,
): Promise<void> {
  const uid = vmi.metadata?.uid ?? '';
  expectations.expectCreations(uid, 1);
  try {
    await client.create(resources.pods, pod, {}, signal);
  } catch (error) {
    expectations.creationObserved(uid);
    if (!isStatus(error, 'AlreadyExists')) throw error;
    // Our own earlier attempt, whose answer was lost: the cache will show it.
    const key = { namespace: vmi.metadata?.namespace, name: pod.metadata.name ?? '' };
    const existing = await client.find(resources.pods, key, signal);
    if (existing !== undefined && isLauncherOf(existing, vmi)) return;
    throw error;
  }
  recorder.event(vmi, ...vmiEvents.podCreated(pod.metadata.name ?? ''));
}

async function createAttachmentPod(
  vmi: VirtualMachineInstance,
  action: Extract<VmiAction, { readonly kind: 'createAttachmentPod' }>,
  { client, recorder, launcherImage }: VmiApplyContext,
  signal: AbortSignal,
): Promise<void> {
  const pod = buildAttachmentPod({ ...action, vmi, launcherImage });
  try {
    await client.create(resources.pods, pod, {}, signal);
  } catch (error) {
    if (isStatus(error, 'AlreadyExists')) return; // our own, which the cache does not show yet
    recorder.event(vmi, ...vmiEvents.attachmentPodFailed(messageOf(error)));
    throw error;
  }
  const volumes = action.claims.map(({ volume }) => volume).join(', ');
  recorder.event(vmi, ...vmiEvents.attachmentPodCreated(pod.metadata.name ?? '', volumes));
}

async function deletePod(
  vmi: VirtualMachineInstance,
  pod: Pod,
  { client, recorder }: VmiApplyContext,
  signal: AbortSignal,
): Promise<void> {
  const { namespace, name = '', uid } = pod.metadata;
  try {
    await client.delete(resources.pods, { namespace, name }, { preconditions: { uid } }, signal);
  } catch (error) {
    if (isStatus(error, 'NotFound')) return;
    recorder.event(vmi, ...vmiEvents.podDeleteFailed(name, messageOf(error)));
    throw error;
  }
  const isLauncher = isControlledBy(pod, vmi, ownerKinds.vmi);
  recorder.event(vmi, ...(isLauncher ? vmiEvents.podDeleted(name) : vmiEvents.attachmentPodDeleted(name)));
}

/** One annotation of this very Pod; null removes it. */
async function annotatePod(
  pod: Pod,
  key: string,
  value: string | null,
  { client, wrotePod }: VmiApplyContext,
  signal: AbortSignal,
): Promise<void> {
  const { namespace, name = '', uid } = pod.metadata;
  const body = { metadata: { uid, annotations: { [key]: value } } };
  wrotePod(pod, await client.patch(resources.pods, { namespace, name }, { type: 'merge', body }, signal));
}

/** A strategic merge touches this condition only: the kubelet writes the others at the same time. */
async function setGate(
  pod: Pod,
  unpaused: boolean,
  { client, nowMs, wrotePod }: VmiApplyContext,
  signal: AbortSignal,
): Promise<void> {
  const condition = {
    type: unpausedReadinessGate,
    status: unpaused ? 'True' : 'False',
    reason: unpaused ? 'NotPaused' : 'Paused',
    message: unpaused ? 'the virtual machine is not paused' : 'the virtual machine is paused',
    lastProbeTime: rfc3339(nowMs),
    lastTransitionTime: rfc3339(nowMs),
  };
  const { namespace, name = '' } = pod.metadata;
  const body = { status: { conditions: [condition] } };
  const patch = { type: 'strategic', subresource: 'status', body } as const;
  wrotePod(pod, await client.patch(resources.pods, { namespace, name }, patch, signal));
}
