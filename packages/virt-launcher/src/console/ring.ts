/** The last bytes that went by, in a buffer that never grows. */
export class Ring {
  readonly #buffer: Buffer;
  #end = 0;
  #filled = false;

  constructor(capacityBytes: number) {
    this.#buffer = Buffer.alloc(capacityBytes);
  }

  push(chunk: Buffer): void {
    const capacity = this.#buffer.length;
    const kept = chunk.length > capacity ? chunk.subarray(chunk.length - capacity) : chunk;
    const first = Math.min(kept.length, capacity - this.#end);
    kept.copy(this.#buffer, this.#end, 0, first);
    kept.copy(this.#buffer, 0, first);
    if (this.#end + kept.length >= capacity) this.#filled = true;
    this.#end = (this.#end + kept.length) % capacity;
  }

  /** A copy of what is there, oldest byte first. */
  contents(): Buffer {
    if (!this.#filled) return Buffer.from(this.#buffer.subarray(0, this.#end));
    return Buffer.concat([this.#buffer.subarray(this.#end), this.#buffer.subarray(0, this.#end)]);
  }
}
