/** The KubeVirt object, followed by a component also while another one of its kind leads: clients ask every one for its version. */
import { type KubeVirt, type LoggingComponent, type LogLevel, logLevel } from '@podvisor/api';
import type { KubeClient } from './client/client.ts';
import { Informer } from './informer/informer.ts';
import { LiveConfig } from './live-config.ts';
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

/** How much a component logs follows the object, in every process of it, whoever leads. */
export function followLogLevel(
  kubeVirts: Pick<Informer<KubeVirt>, 'on'>,
  component: LoggingComponent,
  log: Log & { level: LogLevel | string },
): void {
  const config = new LiveConfig(log, (current) => {
    log.level = logLevel(current, component);
  });
  const observe = (kubeVirt: KubeVirt): void => config.observe(kubeVirt);
  kubeVirts.on({ add: observe, update: observe });
}

/** Empty until the object was seen. */
export function configVersionOf(kubeVirts: Informer<KubeVirt>): string {
  return kubeVirts.list()[0]?.metadata?.resourceVersion ?? '';
}
