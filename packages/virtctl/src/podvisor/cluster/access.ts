/** How a cluster is reached, for all commands on one. */
import { KubeClient } from '@podvisor/kube';

export interface ClusterFlags {
  /** Absent: `$KUBECONFIG`, or `~/.kube/config`. */
  readonly kubeconfig?: string;
  readonly namespace: string;
}

export function clusterClient({ kubeconfig }: Pick<ClusterFlags, 'kubeconfig'>): KubeClient {
  const path = kubeconfig ?? process.env['KUBECONFIG'] ?? `${process.env['HOME'] ?? ''}/.kube/config`;
  return KubeClient.fromKubeconfig(path, 'podvisor');
}

/** The flag to repeat in a command that is named to people; empty when the environment says the same. */
export function kubeconfigFlag({ kubeconfig }: Pick<ClusterFlags, 'kubeconfig'>): string {
  return kubeconfig === undefined ? '' : ` --kubeconfig ${kubeconfig}`;
}
