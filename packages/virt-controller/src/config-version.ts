/** The KubeVirt object's resource version, also while another virt-controller leads: clients ask every one. */
import { Informer, type KubeClient, type Log, resources } from '@podvisor/kube';

/** Follows the object until the signal ends. The result is empty until it was seen. */
export function followConfigVersion(
  client: Pick<KubeClient, 'list' | 'watch'>,
  namespace: string,
  log: Log,
  signal: AbortSignal,
): () => string {
  const informer = new Informer({ client, log, resource: resources.kubeVirts, namespace });
  informer.start(signal);
  return () => informer.list()[0]?.metadata?.resourceVersion ?? '';
}
