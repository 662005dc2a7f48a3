/** Which Pods get a user namespace of their own. Pure. */
import { labels as labelNames, type Pod } from '@podvisor/api';
import { EMBEDDED_IMAGE_GRANT } from '@podvisor/sys';
import type { Refusal } from '../pod/admission.ts';
import { allContainers } from '../pod/types.ts';

/**
 * `required`: the Pod says so, and does not run without one. `preferred`: a VM's launcher, whose guest may take it
 * over; where the node cannot do it the launcher runs without.
 */
export type UserNamespaceWish = 'required' | 'preferred' | 'none';

export function userNamespaceWish(pod: Pod): UserNamespaceWish {
  if (pod.spec.hostUsers === false) return 'required';
  const { labels, annotations } = pod.metadata;
  // The grant is the API server's word: a Pod of a tenant with such a label is not a launcher.
  const isLauncher =
    labels?.[labelNames.app] === 'virt-launcher' && annotations?.[EMBEDDED_IMAGE_GRANT] !== undefined;
  return isLauncher && pod.spec.hostUsers !== true && obstacle(pod) === undefined ? 'preferred' : 'none';
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
