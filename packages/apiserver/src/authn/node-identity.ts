/**
 * Which node a user speaks for, if any. A kubelet says so by its name. A virt-handler says so by the extra
 * field that Kubernetes gives to tokens of Pods: from the token's claim, or from the organizational unit
 * `node:<name>` of its client certificate.
 */
import { nodeOfUnits } from '@podvisor/api';
import type { UserInfo } from '../core.ts';

const NODE_USER = 'system:node:';
const NODES = 'system:nodes';
const SUPERUSERS = 'system:masters';

/** Extra field with the node of a credential (Kubernetes 1.32). */
export const NODE_NAME_EXTRA = 'authentication.kubernetes.io/node-name';

/** The node of a kubelet; undefined for everybody else. */
export function kubeletNode(user: UserInfo): string | undefined {
  return user.username.startsWith(NODE_USER) && user.groups.includes(NODES)
    ? user.username.slice(NODE_USER.length)
    : undefined;
}

/**
 * Groups of a client certificate. A node is never a superuser: certificates of kubelets said so in older
 * homes, and are good for a year.
 */
export function certificateGroups(username: string, organizations: readonly string[]): readonly string[] {
  return username.startsWith(NODE_USER)
    ? organizations.filter((group) => group !== SUPERUSERS)
    : organizations;
}

/** Extra fields from the organizational units of a client certificate. */
export function unitExtra(units: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const node = nodeOfUnits(units);
  return node === undefined ? {} : { [NODE_NAME_EXTRA]: [node] };
}
