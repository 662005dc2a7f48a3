/**
 * What to do with one object, given what is known about its owners and dependents. Pure. An owner that
 * cannot be asked about is "unknown" and keeps the object: only proof of absence deletes.
 */
import { type KubernetesObject, type OwnerReference, saidOwners } from '@podvisor/api';

export const FOREGROUND = 'foregroundDeletion';
export const ORPHAN = 'orphan';

/** What is known about an owner. */
export type OwnerState =
  | { readonly kind: 'present' }
  /** Being deleted in the foreground: it waits for its dependents. */
  | { readonly kind: 'waiting' }
  /** Proven: asked for live, and there is none with this UID. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown' };

export type Policy = 'Background' | 'Foreground' | 'Orphan';

export type Action =
  | { readonly kind: 'none' }
  | { readonly kind: 'delete'; readonly policy: Policy }
  | { readonly kind: 'drop-owners'; readonly uids: readonly string[] }
  | { readonly kind: 'delete-dependents'; readonly dependents: readonly KubernetesObject[] }
  | { readonly kind: 'orphan-dependents'; readonly dependents: readonly KubernetesObject[] }
  | { readonly kind: 'remove-finalizer'; readonly finalizer: string };

/** The one thing to do next for `object`. */
export function decideCollection(
  object: KubernetesObject,
  owners: readonly { readonly reference: OwnerReference; readonly state: OwnerState }[],
  referring: readonly KubernetesObject[],
): Action {
  const dependents = referring.filter((other) => mayBelongTo(other, object));
  if (object.metadata?.deletionTimestamp !== undefined) return finishDeletion(object, dependents);
  if (owners.length === 0) return { kind: 'none' };
  const inState = (kind: OwnerState['kind']): string[] =>
    owners.filter(({ state }) => state.kind === kind).map(({ reference }) => reference.uid);
  const gone = [...inState('absent'), ...inState('waiting')];
  if (inState('present').length > 0)
    return gone.length === 0 ? { kind: 'none' } : { kind: 'drop-owners', uids: gone };
  if (inState('unknown').length > 0) return { kind: 'none' };
  return { kind: 'delete', policy: policyFor(object, inState('waiting').length > 0, dependents) };
}

/**
 * Owners are of the same namespace, or of none. Whoever learns a UID of another namespace may write it into an object of
 * his own, with a finalizer that never goes: it must not hold the deletion of what is not his.
 */
function mayBelongTo(dependent: KubernetesObject, owner: KubernetesObject): boolean {
  const namespace = owner.metadata?.namespace;
  return namespace === undefined || dependent.metadata?.namespace === namespace;
}

/** The owner's foreground deletion goes on below; otherwise what the object's own finalizers ask for. */
function policyFor(
  object: KubernetesObject,
  ownerWaits: boolean,
  dependents: readonly KubernetesObject[],
): Policy {
  if (ownerWaits && dependents.length > 0) return 'Foreground';
  const finalizers = object.metadata?.finalizers ?? [];
  if (finalizers.includes(ORPHAN)) return 'Orphan';
  return finalizers.includes(FOREGROUND) ? 'Foreground' : 'Background';
}

function finishDeletion(object: KubernetesObject, dependents: readonly KubernetesObject[]): Action {
  const finalizers = object.metadata?.finalizers ?? [];
  if (finalizers.includes(ORPHAN)) {
    return dependents.length > 0
      ? { kind: 'orphan-dependents', dependents }
      : { kind: 'remove-finalizer', finalizer: ORPHAN };
  }
  if (!finalizers.includes(FOREGROUND)) return { kind: 'none' };
  const uid = object.metadata?.uid;
  const blocking = dependents.filter((dependent) =>
    saidOwners(dependent).some((reference) => reference.uid === uid && reference.blockOwnerDeletion === true),
  );
  if (blocking.length === 0) return { kind: 'remove-finalizer', finalizer: FOREGROUND };
  return { kind: 'delete-dependents', dependents: blocking };
}
