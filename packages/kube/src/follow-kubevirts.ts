/** The KubeVirt object, followed by a component also while another one of its kind leads: clients ask every one for its version. */
import type { KubeVirt } from '@podvisor/api';
import type { KubeClient } from './client/client.ts';
import { Informer } from './informer/informer.ts';
import type { Log } from './log.ts';
import { resources } from './well-known.ts';

/** Follows the object until the signal ends. */
export function followKubeVirts(
  client: Pick<KubeClient, 'list' | 'watch'>,
  namespace: string,
  log: Log,
  signal: AbortSignal,
): Informer<KubeVirt> {
  const informer = new Informer({ client, log, resource: resources.kubeVirts, namespace });
  informer.start(signal);
  return informer;
}

/** Empty until the object was seen. */
export function configVersionOf(kubeVirts: Informer<KubeVirt>): string {
  return kubeVirts.list()[0]?.metadata?.resourceVersion ?? '';
}
