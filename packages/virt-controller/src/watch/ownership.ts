/**
 * Who owns what, by UID only. Labels and names prove nothing: anyone may put them on a Pod of their own
 * (CVE-2025-64435), and a new object may carry an old name.
 */
import type { KubernetesObject, OwnerReference } from '@podvisor/api';

/** The owner that manages this object, if any. */
export function controllerOf(object: KubernetesObject): OwnerReference | undefined {
  return object.metadata?.ownerReferences?.find((ref) => ref.controller === true);
}

/** True when `owner` manages `object`. */
export function isControlledBy(object: KubernetesObject, owner: KubernetesObject): boolean {
  const uid = owner.metadata?.uid;
  return uid !== undefined && controllerOf(object)?.uid === uid;
}

/** The reference that makes `owner` the manager of a new object. */
export function controllerReference(
  owner: KubernetesObject,
  apiVersion: string,
  kind: string,
): OwnerReference {
  return {
    apiVersion,
    kind,
    name: owner.metadata?.name ?? '',
    uid: owner.metadata?.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  };
}
