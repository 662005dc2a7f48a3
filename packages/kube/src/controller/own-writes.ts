/**
 * Which versions of an object a controller has itself replaced. Its cache shows them for a moment after the write; a
 * pass over such a version would write again, be refused with a conflict, and come once more. Versions are only
 * compared for being the same, never for which is newer.
 */
import type { KubernetesObject } from '@podvisor/api';
import { keyOf } from '../client/resource.ts';

export class OwnWrites<T extends KubernetesObject> {
  /** By key of the object: versions, each replaced by the next. */
  readonly #versions = new Map<string, readonly string[]>();

  /** `after` is what the server answered to a write by someone who had seen `before`. */
  wrote(before: T, after: T): void {
    const key = keyOf(before);
    const versions = this.#versions.get(key) ?? [versionOf(before)];
    // A write that changed nothing has made no version.
    if (versions.at(-1) === versionOf(after)) return;
    this.#versions.set(key, [...versions, versionOf(after)]);
  }

  /** True while the cache shows what we have replaced: the event that ends this is under way. */
  isBehind(cached: T): boolean {
    const key = keyOf(cached);
    const versions = this.#versions.get(key);
    if (versions === undefined) return false;
    if (versions.slice(0, -1).includes(versionOf(cached))) return true;
    this.#versions.delete(key);
    return false;
  }

  /** The object is gone. */
  forget(key: string): void {
    this.#versions.delete(key);
  }
}

function versionOf({ metadata }: KubernetesObject): string {
  return metadata?.resourceVersion ?? '';
}
