/** Reads a byte stream in pieces of known length. */
import type { Readable } from 'node:stream';

export class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: Readable) {
    this.#chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /** Exactly this many bytes; throws when the stream ends before. */
  async read(length: number): Promise<Buffer> {
    const parts = [this.#rest];
    let have = this.#rest.length;
    while (have < length) {
      const { done, value } = await this.#chunks.next();
      if (done === true) throw new Error('the connection ended in the middle of a message');
      parts.push(value);
      have += value.length;
    }
    const all = parts.length === 1 ? this.#rest : Buffer.concat(parts, have);
    this.#rest = all.subarray(length);
    return all.subarray(0, length);
  }
}
