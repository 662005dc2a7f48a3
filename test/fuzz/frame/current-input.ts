/** The input that is being fed, in memory that the watching thread sees too: it is known even when a thread hangs or dies. */

const HEAD_WORDS = 2;
const MAX_INPUT_BYTES = 1024 * 1024;

export class CurrentInput {
  readonly memory: SharedArrayBuffer;
  readonly #head: Int32Array;
  readonly #bytes: Uint8Array;

  constructor(memory = new SharedArrayBuffer(HEAD_WORDS * 4 + MAX_INPUT_BYTES)) {
    this.memory = memory;
    this.#head = new Int32Array(memory, 0, HEAD_WORDS);
    this.#bytes = new Uint8Array(memory, HEAD_WORDS * 4);
  }

  begin(input: Uint8Array): void {
    this.#bytes.set(input.subarray(0, MAX_INPUT_BYTES));
    Atomics.store(this.#head, 1, input.length);
    Atomics.add(this.#head, 0, 1);
  }

  end(): void {
    Atomics.store(this.#head, 1, -1);
  }

  /** How many inputs have begun. */
  get count(): number {
    return Atomics.load(this.#head, 0);
  }

  /** Whether one has begun and not ended. */
  get isFeeding(): boolean {
    return this.count > 0 && Atomics.load(this.#head, 1) >= 0;
  }

  /** The input that has begun and not ended. */
  get input(): Uint8Array | undefined {
    const length = Atomics.load(this.#head, 1);
    return this.isFeeding ? Uint8Array.from(this.#bytes.subarray(0, length)) : undefined;
  }
}
