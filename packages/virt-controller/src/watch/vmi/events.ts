/** Events of the VMI controller. */

import type { VirtualMachineInstance } from '@podvisor/api';
import { isStatus, messageOf } from '@podvisor/base';
import type { Event } from '../recorder.ts';
import type { PathProblem } from './container-paths.ts';

/**
 * Why no Pod could be made, in KubeVirt's words. Of a Pod that the level of its namespace refuses (Pod Security),
 * KubeVirt says that it needs a privileged namespace; the rules that it breaks follow.
 */
export function podCreateProblem(
  { metadata }: VirtualMachineInstance,
  error: unknown,
): { readonly message: string; readonly event: Event } {
  const cause = messageOf(error);
  if (!isStatus(error, 'Forbidden') || !cause.includes('violates PodSecurity')) {
    const event = vmiEvents.podCreateFailed(cause);
    return { message: event[2], event };
  }
  const vmi = `${metadata?.namespace}/${metadata?.name}`;
  const message = `failed to create pod for vmi ${vmi}, it needs a privileged namespace to run: ${cause}`;
  return { message, event: ['Warning', 'FailedCreate', `failed to render launch manifest: ${message}`] };
}

export const vmiEvents = {
  podCreated: (name: string): Event => ['Normal', 'SuccessfulCreate', `Created virtual machine pod ${name}`],
  podCreateFailed: (cause: string): Event => ['Warning', 'FailedCreate', `Error creating pod: ${cause}`],
  podDeleted: (name: string): Event => ['Normal', 'SuccessfulDelete', `Deleted virtual machine pod ${name}`],
  podDeleteFailed: (name: string, cause: string): Event => [
    'Warning',
    'FailedDelete',
    `Failed to delete virtual machine pod ${name}: ${cause}`,
  ],
  attachmentPodCreated: (name: string, volumes: string): Event => [
    'Normal',
    'SuccessfulCreate',
    `Created hotplug attachment pod ${name}, for volume ${volumes}`,
  ],
  attachmentPodDeleted: (name: string): Event => [
    'Normal',
    'SuccessfulDelete',
    `Deleted hotplug attachment pod ${name}`,
  ],
  attachmentPodFailed: (cause: string): Event => [
    'Warning',
    'FailedCreate',
    `Error creating hotplug attachment pod: ${cause}`,
  ],
  attachmentPodEnded: (message: string): Event => ['Warning', 'AttachmentPodFailed', message],
  pathsDisabled: ({ message, reason }: PathProblem): Event => [
    'Warning',
    reason,
    `Cannot create pod: ${message}`,
  ],
  pathsNotServed: ({ message, reason }: PathProblem): Event => [
    'Warning',
    reason,
    `Pod sync error: ${message}`,
  ],
  claimMissing: (message: string): Event => ['Warning', 'FailedPvcNotFound', message],
  imageTrouble: (reason: string, message: string): Event => ['Warning', reason, message],
  notGuaranteed: (): Event => [
    'Warning',
    'FailedGuaranteeResources',
    "failed to guarantee pod resources: the VMI asks for dedicated CPUs, but its Pod's QoS class is not Guaranteed",
  ],
  nodeUnresponsive: (node: string): Event => [
    'Warning',
    'NodeUnresponsive',
    `virt-handler on node ${node} does not answer and the virt-launcher pod is gone, marking as failed`,
  ],
} as const;
