/** Looks at an object whenever it changes, until it is as wanted. */
import type { KubernetesObject } from '@podvisor/api';
import { Informer, type KubeClient, type Resource } from '@podvisor/kube';
import { quietLog } from '../../quiet-log.ts';

export interface FollowObjectOptions<T extends KubernetesObject> {
  readonly client: KubeClient;
  readonly resource: Resource<T>;
  readonly namespace?: string;
  /** Absent: the only one that there is. */
  readonly name?: string;
  /** True: it is as wanted. `undefined`: it is not there. What it throws ends the wait. */
  readonly look: (object: T | undefined) => boolean;
  /** What to say when time is up. */
  readonly late: () => string;
}

export async function followObject<T extends KubernetesObject>(
  options: FollowObjectOptions<T>,
  signal: AbortSignal,
): Promise<void> {
  const { client, resource, namespace, name, look, late } = options;
  const stop = new AbortController();
  const done = Promise.withResolvers<void>();
  const see = (object: T | undefined): void => {
    try {
      if (look(object)) done.resolve();
    } catch (error) {
      done.reject(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const informer = new Informer<T>({
    client,
    resource,
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { fieldSelector: `metadata.name=${name}` }),
    log: quietLog,
  });
  informer.on({ add: see, update: see, delete: () => see(undefined) });
  signal.addEventListener('abort', () => done.reject(new Error(late())), { once: true });
  informer.start(AbortSignal.any([signal, stop.signal]));
  try {
    await Promise.race([informer.synced(), done.promise]);
    if (informer.list().length === 0) see(undefined);
    await done.promise;
  } finally {
    stop.abort();
  }
}
