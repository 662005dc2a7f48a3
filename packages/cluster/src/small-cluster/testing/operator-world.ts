/** A small cluster with one node and the manifest of virt-operator, and a client with the rights of its account. */
import { KubeClient, loadKubeconfig, resources } from '@podvisor/kube';
import { operatorObjects, resourceOf } from '@podvisor/virt-operator';
import { addNode, type SmallCluster, startSmallCluster } from './small-cluster.ts';

export const namespace = 'kubevirt';

export interface OperatorWorld {
  readonly cluster: SmallCluster;
  readonly operator: KubeClient;
}

export async function startOperatorWorld(): Promise<OperatorWorld> {
  const cluster = await startSmallCluster({ dataVolumes: false });
  const { client, paths } = cluster;
  await addNode(client, 'node1');
  const labels = { 'kubernetes.io/os': 'linux' };
  await client.patch(resources.nodes, { name: 'node1' }, { type: 'merge', body: { metadata: { labels } } });
  for (const object of operatorObjects({ namespace, registry: 'r', tag: 'v1', replicas: 0 })) {
    const { name = '', namespace: where } = object.metadata ?? {};
    const patch = { type: 'apply', body: object, fieldManager: 'test', force: true } as const;
    await client.patch(resourceOf(object), { namespace: where, name }, patch);
  }
  const { status } = await client.request<{ status: { token: string } }>({
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/serviceaccounts/kubevirt-operator/token`,
    body: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }),
  });
  const { ca } = loadKubeconfig(paths.kubeconfig);
  const access = { server: cluster.url, token: status.token };
  return { cluster, operator: KubeClient.fromAccess({ ...access, ...(ca === undefined ? {} : { ca }) }) };
}
