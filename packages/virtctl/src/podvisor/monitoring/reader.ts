/** The one in the API who may read metrics and nothing else, and tokens of it. */
import { isStatus } from '@podvisor/base';
import { defineResource, KubeClient } from '@podvisor/kube';
import type { InstancePaths } from '@podvisor/sys';
import { READER } from './plan.ts';

const RBAC = 'rbac.authorization.k8s.io/v1';
const serviceAccounts = defineResource('ServiceAccount', 'serviceaccounts', 'v1');
const clusterRoles = defineResource('ClusterRole', 'clusterroles', RBAC, 'Cluster');
const clusterRoleBindings = defineResource('ClusterRoleBinding', 'clusterrolebindings', RBAC, 'Cluster');

/** A token that ends after `seconds`; makes the reader if it is not there. */
export async function readerToken(paths: InstancePaths, seconds: number): Promise<string> {
  const client = KubeClient.fromKubeconfig(paths.kubeconfig, 'podvisor');
  const { namespace, name } = READER;
  const there = (error: unknown): void => {
    if (!isStatus(error, 'AlreadyExists')) throw error;
  };
  const role = { metadata: { name }, rules: [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }] };
  const binding = {
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    subjects: [{ kind: 'ServiceAccount', namespace, name }],
  };
  await client.create(serviceAccounts, { metadata: { namespace, name } }).catch(there);
  await client.create(clusterRoles, role).catch(there);
  await client.create(clusterRoleBindings, binding).catch(there);
  const { body } = await client.raw({
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds: seconds },
    }),
  });
  await client.close();
  const answer = JSON.parse(body.toString('utf8')) as { readonly status?: { readonly token?: string } };
  return answer.status?.token ?? '';
}
