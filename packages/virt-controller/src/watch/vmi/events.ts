/** Events of the VMI controller. */

import type { Event } from '../recorder.ts';

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
