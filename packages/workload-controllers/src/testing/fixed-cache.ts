/** A cache with what is put into it, which tells its handlers when the test says so. */
import type { KubernetesObject } from '@podvisor/api';
import type { Informer, InformerHandler } from '@podvisor/kube';

export interface FixedCache<T extends KubernetesObject> {
  readonly informer: Informer<T>;
  add(object: T): void;
}

export function fixedCache<T extends KubernetesObject>(objects: readonly T[] = []): FixedCache<T> {
  const held = [...objects];
  const handlers: InformerHandler<T>[] = [];
  const indexes: Readonly<Record<string, (object: T) => readonly (string | undefined)[]>> = {
    owner: ({ metadata }) => (metadata?.ownerReferences ?? []).map(({ uid }) => uid),
    namespace: ({ metadata }) => [metadata?.namespace],
  };
  const cache = {
    list: () => held,
    get: (key: string) => held.find(({ metadata }) => `${metadata?.namespace}/${metadata?.name}` === key),
    byIndex: (name: string, key: string) => held.filter((object) => indexes[name]?.(object).includes(key)),
    on: (handler: InformerHandler<T>) => handlers.push(handler),
  };
  return {
    informer: cache as unknown as Informer<T>,
    add: (object) => {
      held.push(object);
      for (const handler of handlers) handler.add?.(object, false);
    },
  };
}
