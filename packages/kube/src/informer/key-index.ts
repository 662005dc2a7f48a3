/**
 * Keys of objects by a value that they have. Most values (a UID, an owner) belong to one object, and a set for a single
 * key takes more memory than the key: only what several objects share has one.
 */
export class KeyIndex {
  readonly #keys = new Map<string, string | Set<string>>();

  add(value: string, key: string): void {
    const present = this.#keys.get(value);
    if (present === undefined) this.#keys.set(value, key);
    else if (typeof present !== 'string') present.add(key);
    else if (present !== key) this.#keys.set(value, new Set([present, key]));
  }

  delete(value: string, key: string): void {
    const present = this.#keys.get(value);
    if (present === key) this.#keys.delete(value);
    if (present === undefined || typeof present === 'string') return;
    present.delete(key);
    if (present.size === 0) this.#keys.delete(value);
  }

  /** In the order in which they came. */
  keys(value: string): readonly string[] {
    const present = this.#keys.get(value);
    if (present === undefined) return [];
    return typeof present === 'string' ? [present] : [...present];
  }

  /** How many values have a key. */
  get size(): number {
    return this.#keys.size;
  }
}
