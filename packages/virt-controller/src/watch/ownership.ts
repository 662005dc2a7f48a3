/** The reference that makes an owner the manager of a new object. Who owns what is judged by `@podvisor/api`. */
import type { KubernetesObject, OwnerReference } from '@podvisor/api';

export {
  controllerOf,
  controllerOfKind,
  foundController,
  isControlledBy,
  isOwnedBy,
  ownerKinds,
  saidOwners,
  withOwner,
  withoutOwner,
} from '@podvisor/api';

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
