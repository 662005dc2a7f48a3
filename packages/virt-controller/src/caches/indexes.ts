/** The keys by which controllers look objects up in the caches, and the look-ups themselves. */
import type { KubernetesObject } from '@podvisor/api';
import { Informer } from '@podvisor/kube';
import { controllerOf } from '../watch/ownership.ts';

/** Index names. */
export const BY_CLAIM = 'claim';

/** By `managerKey` of the owner that manages them. */
export const BY_MANAGER = 'manager';

export const BY_NODE = 'node';

export const BY_NAMESPACE = 'namespace';

/** Migrations by the `namespace/name` of their VMI. */
export const BY_VMI = 'vmi';

/** Migrations that have not ended, under the one key `OPEN`: of those that have, there may be thousands. */
export const BY_STATE = 'state';

export const OPEN = 'open';

/** Key in `BY_MANAGER`: an owner manages objects of its own namespace only, whatever those of others say. */
export const managerKey = (namespace: string | undefined, uid: string | undefined): string =>
  `${namespace}/${uid}`;

/** Key in `BY_MANAGER` of what nobody manages, by namespace. */
export const unmanagedIn = (namespace: string | undefined): string => `unmanaged:${namespace}`;

export function namespaceKeys({ metadata }: KubernetesObject): readonly string[] {
  return [metadata?.namespace ?? ''];
}

export function managed(object: KubernetesObject): readonly string[] {
  const owner = controllerOf(object);
  return owner === undefined ? [] : [managerKey(object.metadata?.namespace, owner.uid)];
}

export function managerKeys(object: KubernetesObject): readonly string[] {
  return controllerOf(object) === undefined ? [unmanagedIn(object.metadata?.namespace)] : managed(object);
}

/** Objects of the cache that `owner` manages, as far as they say. */
export function managedBy<T extends KubernetesObject>(
  informer: Informer<T>,
  { metadata }: KubernetesObject,
): readonly T[] {
  return informer.byIndex(BY_MANAGER, managerKey(metadata?.namespace, metadata?.uid));
}
