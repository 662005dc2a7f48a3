/**
 * Reads numbers and bytes from a stream that comes in chunks. A reader marks where a unit begins; when the unit is not
 * whole yet `NeedsMore` is thrown, and the reader goes back to the mark and tries again with the next chunk. What is
 * before the mark is forgotten. Whoever reads bounds the size of a unit.
 */

/** Not an error: the next chunk has the rest. One for all, because it is thrown once for each chunk. */
export class NeedsMore extends Error {
  override readonly name = 'NeedsMore';
}
const NEEDS_MORE = new NeedsMore('the unit is not whole yet');

export class Cursor {
  #buffer: Buffer = Buffer.alloc(0);
  #at = 0;
  #mark = 0;

  push(chunk: Buffer): void {
    const left = this.#buffer.subarray(this.#at);
    this.#buffer = left.length === 0 ? chunk : Buffer.concat([left, chunk]);
    this.#at = 0;
    this.#mark = 0;
  }

  mark(): void {
    this.#mark = this.#at;
  }

  reset(): void {
    this.#at = this.#mark;
  }

  sinceMark(): Buffer {
    return this.#buffer.subarray(this.#mark, this.#at);
  }

  u8(): number {
    return this.#buffer.readUInt8(this.#advance(1));
  }

  u16(): number {
    return this.#buffer.readUInt16BE(this.#advance(2));
  }

  u32(): number {
    return this.#buffer.readUInt32BE(this.#advance(4));
  }

  u64(): bigint {
    return this.#buffer.readBigUInt64BE(this.#advance(8));
  }

  text(length: number): string {
    const at = this.#advance(length);
    return this.#buffer.toString('latin1', at, at + length);
  }

  bytes(length: number): Buffer {
    const at = this.#advance(length);
    return this.#buffer.subarray(at, at + length);
  }

  skip(length: number): void {
    this.#advance(length);
  }

  /** The next byte, which stays the next one. */
  peek(): number {
    const at = this.#advance(1);
    this.#at = at;
    return this.#buffer.readUInt8(at);
  }

  takeAll(): Buffer {
    const bytes = this.#buffer.subarray(this.#at);
    this.#at = this.#buffer.length;
    return bytes;
  }

  #advance(length: number): number {
    const at = this.#at;
    if (at + length > this.#buffer.length) throw NEEDS_MORE;
    this.#at = at + length;
    return at;
  }
}
