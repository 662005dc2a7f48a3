/**
 * Which objects belong to a set: those that name it whole as their manager. One that has no manager and fits the selector is
 * adopted; one that does not fit any more is let go. Pure.
 */
import { type KubernetesObject, type LabelSelector, matchesSelector, type OwnerKind } from '@podvisor/api';
import { controllerOf, isControlledBy } from '../ownership.ts';

export interface Claims<T> {
  readonly owned: readonly T[];
  readonly adopt: readonly T[];
  readonly release: readonly T[];
}

/** `candidates`: objects of the namespace that the set owns, and those that nobody manages. */
export function claim<T extends KubernetesObject>(
  set: KubernetesObject & { readonly spec: { readonly selector: LabelSelector } },
  kind: OwnerKind,
  candidates: readonly T[],
): Claims<T> {
  const fits = (object: T): boolean => matchesSelector(set.spec.selector, object.metadata?.labels);
  const isDeleting = (object: KubernetesObject): boolean => object.metadata?.deletionTimestamp !== undefined;
  const mine = candidates.filter((object) => isControlledBy(object, set, kind));
  if (isDeleting(set)) return { owned: mine, adopt: [], release: [] };
  return {
    owned: mine.filter(fits),
    release: mine.filter((object) => !fits(object) && !isDeleting(object)),
    adopt: candidates.filter(
      (object) => controllerOf(object) === undefined && fits(object) && !isDeleting(object),
    ),
  };
}
