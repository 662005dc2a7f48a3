/** Which Pods get a user namespace of their own. Pure. */
import { labels as labelNames, type Pod } from '@podvisor/api';
import type { Refusal } from '../pod/admission.ts';
import { allContainers } from '../pod/types.ts';

/**
 * `required`: the Pod says so, and does not run without one. `preferred`: a Pod of a VM that meets bytes of strangers;
 * where the node cannot do it the Pod runs without.
 */
export type UserNamespaceNeed = 'required' | 'preferred' | 'none';

/**
 * Launchers, whose guest may take them over; what reads images from anywhere, or a lease from a tenant's claim; what
 * serves disks to anybody. Not Pods that hold plugged disks: virt-handler maps their claims with the launcher's
 * namespace, and the kernel maps no mount that is mapped already. The labels
 * are enough, whatever image they run from: whoever puts one on a Pod of his own gets less of the node, and what
 * `hostUsers: false` would have given him.
 */
const PREFERRED: readonly (readonly [label: string, value: string])[] = [
  [labelNames.app, 'virt-launcher'],
  [labelNames.app, 'virt-export'],
  [labelNames.app, 'lease-watch'],
  ['cdi.kubevirt.io', 'importer'],
  ['cdi.kubevirt.io', 'cdi-upload-server'],
];

export function userNamespaceNeed(pod: Pod): UserNamespaceNeed {
  if (pod.spec.hostUsers === false) return 'required';
  if (pod.spec.hostUsers === true || obstacle(pod) !== undefined) return 'none';
  const { labels } = pod.metadata;
  return PREFERRED.some(([label, value]) => labels?.[label] === value) ? 'preferred' : 'none';
}

/** Why the Pod cannot have the namespace that it asks for; undefined: it can, or asks for none. */
export function userNamespaceRefusal(pod: Pod): Refusal | undefined {
  if (pod.spec.hostUsers !== false) return undefined;
  const why = obstacle(pod);
  if (why === undefined) return undefined;
  return {
    reason: 'UserNamespacesNotSupported',
    message: `Pod was rejected: a user namespace (hostUsers: false) cannot go with ${why}`,
  };
}

/** What belongs to the machine is of no use to somebody who is nobody on it. */
function obstacle(pod: Pod): string | undefined {
  const { hostNetwork, hostPID, hostIPC } = pod.spec;
  if (hostNetwork === true) return 'hostNetwork: true';
  if (hostPID === true) return 'hostPID: true';
  if (hostIPC === true) return 'hostIPC: true';
  const privileged = allContainers(pod).find((c) => c.securityContext?.privileged === true);
  return privileged === undefined ? undefined : `the privileged container ${privileged.name}`;
}
