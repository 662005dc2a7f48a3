/**
 * A value at rest. Its text is what is kept; the value is made of it when somebody asks, and is forgotten by the next
 * collection of garbage after nobody holds it any more. Most values of a store rest, and a text is a third of the
 * memory of text and value.
 */
import type { Codec, Stored } from './types.ts';

export class Kept<T extends object> implements Stored<T> {
  readonly key: string;
  readonly revision: number;
  readonly text: string;
  readonly #codec: Codec<T>;
  #value: WeakRef<T> | undefined;
  /** Set while the value must stay the same one. */
  #held: T | undefined;

  constructor(codec: Codec<T>, { key, revision, text }: Omit<Stored<T>, 'object'>, value?: T) {
    this.key = key;
    this.revision = revision;
    this.text = text;
    this.#codec = codec;
    this.#value = value === undefined ? undefined : new WeakRef(value);
  }

  get object(): T {
    const known = this.#held ?? this.#value?.deref();
    if (known !== undefined) return known;
    const value = this.#codec.decode(this.text);
    this.#value = new WeakRef(value);
    return value;
  }

  /** From now on everybody gets the same value. */
  hold(): void {
    this.#held = this.object;
  }
}
