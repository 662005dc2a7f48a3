/** gRPC's framing of messages: a flag byte, four bytes of length, the message. Pure. */
const HEADER_BYTES = 5;

export class FrameError extends Error {
  override readonly name = 'FrameError';
}

export function frame(message: Uint8Array): Buffer {
  const framed = Buffer.allocUnsafe(HEADER_BYTES + message.length);
  framed[0] = 0; // not compressed
  framed.writeUInt32BE(message.length, 1);
  framed.set(message, HEADER_BYTES);
  return framed;
}

/** Cuts a stream of chunks into messages. Throws FrameError for what is too long or compressed. */
export class FrameReader {
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The messages that are complete with this chunk. */
  push(chunk: Buffer): Buffer[] {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    const messages: Buffer[] = [];
    for (let next = this.#take(); next !== undefined; next = this.#take()) messages.push(next);
    return messages;
  }

  /** Bytes of a message that has not come to its end. */
  get pendingBytes(): number {
    return this.#length;
  }

  #take(): Buffer | undefined {
    if (this.#length < HEADER_BYTES) return undefined;
    const header = this.#peek(HEADER_BYTES);
    if (header[0] !== 0) throw new FrameError('compressed messages are not understood');
    const size = header.readUInt32BE(1);
    if (size > this.#maxBytes)
      throw new FrameError(`a message of ${size} bytes is larger than the ${this.#maxBytes} that are taken`);
    if (this.#length < HEADER_BYTES + size) return undefined;
    const all = this.#peek(this.#length);
    this.#chunks = [all.subarray(HEADER_BYTES + size)];
    this.#length -= HEADER_BYTES + size;
    return all.subarray(HEADER_BYTES, HEADER_BYTES + size);
  }

  /** The first bytes in one piece; chunks are joined only when a message needs it. */
  #peek(bytes: number): Buffer {
    const [first = Buffer.alloc(0)] = this.#chunks;
    if (first.length >= bytes) return first;
    const joined = Buffer.concat(this.#chunks);
    this.#chunks = [joined];
    return joined;
  }
}
