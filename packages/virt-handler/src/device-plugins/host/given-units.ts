/**
 * Units of USB devices that the kubelet was given for a Pod. A unit of several devices is put together by us, and the
 * kubelet knows its name only: were one of its devices put into another unit, after a restart of ours or because
 * another of them was plugged anew, two Pods would have that device. Kept on the node's disk, for the next life.
 */
import { isRecord } from '@podvisor/base';
import { readJson, writeJsonMakingDirectories } from '@podvisor/sys';

export class GivenUnits {
  readonly #path: string | undefined;
  readonly #ids = new Map<string, ReadonlySet<string>>();

  /** `path`: absent, nothing is kept. */
  constructor(path?: string) {
    this.#path = path;
    const kept = path === undefined ? undefined : readJson(path);
    for (const [resource, ids] of Object.entries(isRecord(kept) ? kept : {}))
      if (Array.isArray(ids)) this.#ids.set(resource, new Set(ids.filter((id) => typeof id === 'string')));
  }

  of(resource: string): ReadonlySet<string> {
    return this.#ids.get(resource) ?? new Set();
  }

  /** Written before the kubelet is told. */
  add(resource: string, id: string): void {
    if (this.of(resource).has(id)) return;
    this.#keep(resource, new Set([...this.of(resource), id]));
  }

  /** Nothing of it is there any more. */
  forget(resource: string, id: string): void {
    if (this.of(resource).has(id))
      this.#keep(resource, new Set([...this.of(resource)].filter((other) => other !== id)));
  }

  #keep(resource: string, ids: ReadonlySet<string>): void {
    this.#ids.set(resource, ids);
    const all = [...this.#ids].flatMap(([name, set]) => (set.size === 0 ? [] : [[name, [...set]] as const]));
    if (this.#path !== undefined) writeJsonMakingDirectories(this.#path, Object.fromEntries(all));
  }
}
