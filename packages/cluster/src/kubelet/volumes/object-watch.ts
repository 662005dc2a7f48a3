/**
 * Hears of changed config maps and secrets, so that volumes follow at once. Two watches per node, whatever
 * the number of Pods; of each object only its name and version are kept in memory.
 */
import type { KubernetesObject } from '@podvisor/api';
import type { Clock } from '@podvisor/base';
import { Informer, keyOf, type ListWatcher, type Log, type Resource, resources } from '@podvisor/kube';

export interface ObjectWatchOptions {
  readonly client: ListWatcher;
  readonly clock: Clock;
  readonly log: Log;
  /** `configmaps/namespace/name` has changed, appeared or gone. */
  onChange(object: string): void;
}

/** Watches until the signal ends it. */
export function watchShownObjects(options: ObjectWatchOptions, signal: AbortSignal): void {
  for (const resource of [resources.configMaps, resources.secrets] as readonly Resource[]) {
    const { client, clock, log } = options;
    const informer = new Informer<KubernetesObject>({
      client,
      clock,
      log,
      resource,
      transform: nameAndVersion,
    });
    const tell = (object: KubernetesObject): void => options.onChange(`${resource.plural}/${keyOf(object)}`);
    informer.on({ add: (object, initial) => initial || tell(object), update: tell, delete: tell });
    informer.start(signal);
  }
}

function nameAndVersion({
  metadata: { namespace, name, uid, resourceVersion } = {},
}: KubernetesObject): KubernetesObject {
  return { metadata: { namespace, name, uid, resourceVersion } };
}
