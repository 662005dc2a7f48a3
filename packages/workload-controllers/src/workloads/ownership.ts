/** Who controls an object, and which ones a selector makes ours. Pure. */
import {
  type KubernetesObject,
  type LabelSelector,
  type ObjectMeta,
  type OwnerReference,
  controllerOf,
  isControlledBy,
  matchesSelector,
} from '@podvisor/api';
import { apiVersionOf, type Informer, type Resource } from '@podvisor/kube';

type Owned = KubernetesObject & { readonly metadata: ObjectMeta };

/** What `owner` manages, of all that names its UID: another namespace, name or kind is somebody else's word. */
export function managedBy<T extends KubernetesObject>(
  objects: Informer<T>,
  resource: Resource,
  owner: Owned,
): readonly T[] {
  return objects
    .byIndex('owner', owner.metadata.uid ?? '')
    .filter((object) => isControlledBy(object, owner, resource));
}

/** The reference that makes `owner` the controller of another object. */
export function controlledBy(resource: Resource, owner: Owned): OwnerReference {
  return {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    name: owner.metadata.name ?? '',
    uid: owner.metadata.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  };
}

export interface Claims<T> {
  /** Ours already. */
  readonly owned: readonly T[];
  /** Nobody's, and selected: to be adopted. */
  readonly adopt: readonly T[];
  /** Ours, and selected no more: to be let go. */
  readonly release: readonly T[];
}

/** Sorts candidates of the owner's namespace. An owner that is being deleted adopts nothing. */
export function claim<T extends Owned>(
  resource: Resource,
  owner: Owned,
  selector: LabelSelector | undefined,
  candidates: readonly T[],
): Claims<T> {
  const owned: T[] = [];
  const adopt: T[] = [];
  const release: T[] = [];
  const isGoing = owner.metadata.deletionTimestamp !== undefined;
  for (const object of candidates) {
    const isManaged = controllerOf(object) !== undefined;
    const selected = matchesSelector(selector, object.metadata.labels);
    if (isManaged) {
      if (!isControlledBy(object, owner, resource)) continue;
      if (selected || isGoing) owned.push(object);
      else release.push(object);
    } else if (selected && !isGoing && object.metadata.deletionTimestamp === undefined) adopt.push(object);
  }
  return { owned, adopt, release };
}
