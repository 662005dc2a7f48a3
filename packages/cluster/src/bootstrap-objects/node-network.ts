/** Rights of the node agent, which keeps the machine's network: it follows, and it writes events. Pure. */
import {
  clusterRole,
  clusterRoleBinding,
  EVENTS,
  FOLLOW,
  type Manifest,
  type PolicyRule,
  RBAC_GROUP,
  rule,
} from '@podvisor/virt-operator';

const NAME = 'podvisor:node-network';

/** Services, policies, addresses. */
export const NODE_NETWORK_RULES: readonly PolicyRule[] = [
  rule('', ['services', 'pods', 'namespaces', 'nodes'], FOLLOW),
  rule('discovery.k8s.io', ['endpointslices'], FOLLOW),
  rule('networking.k8s.io', ['networkpolicies'], FOLLOW),
  EVENTS,
];

export function nodeNetworkRights(): Manifest[] {
  const subject = { kind: 'User', name: 'system:kube-proxy', apiGroup: RBAC_GROUP };
  return [{ ...clusterRole(NAME, NODE_NETWORK_RULES) }, { ...clusterRoleBinding(NAME, subject) }];
}
