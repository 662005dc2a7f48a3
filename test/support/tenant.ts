/** A tenant: a user with the ClusterRole `edit` in a namespace of his own, and nothing else. */
import assert from 'node:assert/strict';
import type { KubernetesObject } from '@podvisor/api';
import { defineResource, KubeClient, loadKubeconfig } from '@podvisor/kube';
import type { Instance } from './instance.ts';

const namespaces = defineResource<KubernetesObject>('Namespace', 'namespaces', 'v1', 'Cluster');
const serviceAccounts = defineResource<KubernetesObject>('ServiceAccount', 'serviceaccounts', 'v1');
const roleBindings = defineResource<KubernetesObject & { roleRef: object; subjects: object[] }>(
  'RoleBinding',
  'rolebindings',
  'rbac.authorization.k8s.io/v1',
);

/** Makes the namespace and the account, and answers a client that is this account. */
export async function tenantIn(instance: Instance, namespace: string): Promise<KubeClient> {
  const { client } = instance;
  const name = 'mallory';
  await client.create(namespaces, { metadata: { name: namespace } });
  await client.create(serviceAccounts, { metadata: { namespace, name } });
  await client.create(roleBindings, {
    metadata: { namespace, name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'edit' },
    subjects: [{ kind: 'ServiceAccount', namespace, name }],
  });
  const { code, stdout, stderr } = await instance.kubectl('create', 'token', name, '-n', namespace);
  assert.equal(code, 0, stderr);
  const { server, ca } = loadKubeconfig(`${instance.home}/kubeconfig`);
  return KubeClient.fromAccess(
    { server, ...(ca === undefined ? {} : { ca }), token: stdout.trim() },
    'tenant',
  );
}
