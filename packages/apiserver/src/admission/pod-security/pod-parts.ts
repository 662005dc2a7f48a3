/** What the checks look at in a Pod or a template of one, and the words that they share. Pure. */
import { arrayAt, at, type Json, type JsonObject, objectAt, stringAt } from '../../wire/json.ts';

/** A Pod, or the template of one: metadata and spec. */
export type PodLike = JsonObject;

/** All containers: init containers first, then the others, then ephemeral ones. */
export function containersOf(pod: PodLike): readonly Json[] {
  return ['initContainers', 'containers', 'ephemeralContainers'].flatMap((key) => arrayAt(pod, 'spec', key));
}

/** Names of the containers for which the rule is broken. */
export function namesWhere(pod: PodLike, isBroken: (container: Json) => boolean): string[] {
  return containersOf(pod)
    .filter(isBroken)
    .map((container) => stringAt(container, 'name'));
}

/** A field of a container's security context. */
export function securityOf(container: Json, ...path: readonly string[]): Json | undefined {
  return at(container, 'securityContext', ...path) ?? undefined;
}

/** A field of the Pod's security context. */
export function podSecurityOf(pod: PodLike, ...path: readonly string[]): Json | undefined {
  return at(pod, 'spec', 'securityContext', ...path) ?? undefined;
}

export function annotationsOf(pod: PodLike): readonly (readonly [string, string])[] {
  return Object.entries(objectAt(pod, 'metadata', 'annotations')).map(([key, value]) => [key, String(value)]);
}

export function isWindows(pod: PodLike): boolean {
  return stringAt(pod, 'spec', 'os', 'name') === 'windows';
}

/** In a user namespace of its own, root is no root of the node. */
export function hasUserNamespace(pod: PodLike): boolean {
  return at(pod, 'spec', 'hostUsers') === false;
}

/** `container "a"`, `containers "a", "b"`. */
export function containersNamed(names: readonly string[]): string {
  return `${plural(names.length, 'container')} ${quoted(names)}`;
}

/** Who set something: the Pod, containers of it, or both. */
export function setters(byPod: boolean, containers: readonly string[]): string {
  return [...(byPod ? ['pod'] : []), ...(containers.length === 0 ? [] : [containersNamed(containers)])].join(
    ' and ',
  );
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? one : many;
}

export function quoted(items: readonly string[]): string {
  return items.map((item) => `"${item}"`).join(', ');
}

/** Each once, in order. */
export function sorted(items: readonly string[]): string[] {
  return [...new Set(items)].toSorted();
}
