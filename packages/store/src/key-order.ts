/**
 * The values of a collection in order of key: sorted when they are first asked for, kept in order by each change
 * after that. Sorting them anew after every change would make a reader that comes between two writes pay for all
 * values, and a burst of such reads grow with the square of the collection.
 */
import { firstIndex } from '@podvisor/base';

interface Keyed {
  readonly key: string;
}

export class KeyOrder<V extends Keyed> {
  #sorted: V[] | undefined;

  /** All `values`, or those whose key begins with `prefix`: a copy, which later changes do not touch. */
  list(values: Iterable<V>, prefix?: string): readonly V[] {
    const sorted = (this.#sorted ??= [...values].sort((a, b) => (a.key < b.key ? -1 : 1)));
    if (prefix === undefined) return sorted.slice();
    const start = firstIndex(sorted, ({ key }) => key >= prefix);
    const end = firstIndex(sorted, ({ key }) => key > prefix && !key.startsWith(prefix));
    return sorted.slice(start, end);
  }

  /** A new value, or another one with the same key. */
  put(value: V): void {
    if (this.#sorted === undefined) return;
    const index = firstIndex(this.#sorted, ({ key }) => key >= value.key);
    this.#sorted.splice(index, this.#sorted[index]?.key === value.key ? 1 : 0, value);
  }

  delete(removed: string): void {
    if (this.#sorted === undefined) return;
    const index = firstIndex(this.#sorted, ({ key }) => key >= removed);
    if (this.#sorted[index]?.key === removed) this.#sorted.splice(index, 1);
  }
}
