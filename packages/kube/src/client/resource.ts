/**
 * Names of API resources and the URL grammar that follows from them. A `Resource<T>` carries the type of
 * its objects, so that `client.get(pods, …)` gives a Pod without a cast.
 */
import type { KubernetesObject } from '@podvisor/api';

/** One resource of the API. `group` is empty for the core group. */
export interface Resource<T extends KubernetesObject = KubernetesObject> {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** Only for the compiler; never set. */
  readonly objectType?: T;
}

/** Names one object; `namespace` is absent for cluster-scoped resources. */
export interface ObjectKey {
  readonly namespace?: string;
  readonly name: string;
}

/** Declares a resource with the type of its objects. */
export function defineResource<T extends KubernetesObject>(
  kind: string,
  plural: string,
  apiVersion: string,
  scope: 'Namespaced' | 'Cluster' = 'Namespaced',
): Resource<T> {
  const slash = apiVersion.indexOf('/');
  return {
    group: slash < 0 ? '' : apiVersion.slice(0, slash),
    version: slash < 0 ? apiVersion : apiVersion.slice(slash + 1),
    plural,
    kind,
    namespaced: scope === 'Namespaced',
  };
}

/** `v1` or `group/version`. */
export function apiVersionOf(resource: Resource): string {
  return resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
}

/** Path of a collection, an object or a subresource. Every segment is escaped. */
export function pathOf(
  resource: Resource,
  where: { readonly namespace?: string; readonly name?: string; readonly subresource?: string } = {},
): string {
  const parts = [resource.group === '' ? `/api/${resource.version}` : `/apis/${apiVersionOf(resource)}`];
  if (resource.namespaced && where.namespace !== undefined && where.namespace !== '') {
    parts.push('namespaces', encodeURIComponent(where.namespace));
  }
  parts.push(resource.plural);
  if (where.name !== undefined) parts.push(encodeURIComponent(where.name));
  if (where.subresource !== undefined) parts.push(where.subresource);
  return parts.join('/');
}

/** The key of an object in caches and queues: `namespace/name`, or `name` for cluster-scoped objects. */
export function keyOf(object: KubernetesObject): string {
  const { namespace, name = '' } = object.metadata ?? {};
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;
}

/** The inverse of `keyOf`. */
export function splitKey(key: string): ObjectKey {
  const slash = key.indexOf('/');
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
