/** Writes a stream of raw bytes; blocks of zeros become holes where the target is a file. */
import type { FileHandle } from 'node:fs/promises';

const BLOCK = 64 * 1024;
const ZEROS = Buffer.alloc(BLOCK);
/** Chunks of a socket are small: this much is gathered before it is written. */
const GATHER = 4 * 1024 * 1024;

export interface SparseWriterOptions {
  readonly offset?: number;
  /** More than this is refused: a small stream may unpack to anything. */
  readonly limitBytes: number;
  /** A device may hold old bytes: zeros are written too. */
  readonly writeZeros: boolean;
}

export class SparseWriter {
  readonly #handle: FileHandle;
  readonly #options: SparseWriterOptions;
  #gathered: Uint8Array[] = [];
  #gatheredBytes = 0;
  #position: number;

  constructor(handle: FileHandle, options: SparseWriterOptions) {
    this.#handle = handle;
    this.#options = options;
    this.#position = options.offset ?? 0;
  }

  /** Bytes that are written, from the beginning of the file. */
  get position(): number {
    return this.#position;
  }

  async write(chunk: Uint8Array): Promise<void> {
    const { limitBytes } = this.#options;
    if (this.#position + this.#gatheredBytes + chunk.length > limitBytes)
      throw new Error(
        `Virtual image size is larger than the reported available storage ${limitBytes}. A larger PVC is required.`,
      );
    this.#gathered.push(chunk);
    this.#gatheredBytes += chunk.length;
    if (this.#gatheredBytes >= GATHER) await this.flush();
  }

  /** Writes what was gathered. */
  async flush(): Promise<void> {
    if (this.#gatheredBytes === 0) return;
    const [first] = this.#gathered;
    const bytes = this.#gathered.length === 1 && first !== undefined ? first : Buffer.concat(this.#gathered);
    this.#gathered = [];
    this.#gatheredBytes = 0;
    for (const [start, end] of this.#options.writeZeros ? [[0, bytes.length] as const] : dataRanges(bytes))
      await this.#writeAll(bytes.subarray(start, end), this.#position + start);
    this.#position += bytes.length;
  }

  async #writeAll(bytes: Uint8Array, position: number): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await this.#handle.write(bytes, done, bytes.length - done, position + done);
      done += bytesWritten;
    }
  }
}

/** The parts of `bytes` that are not blocks of zeros. Pure. */
export function dataRanges(bytes: Uint8Array): readonly (readonly [start: number, end: number])[] {
  const ranges: [number, number][] = [];
  for (let start = 0; start < bytes.length; start += BLOCK) {
    const end = Math.min(start + BLOCK, bytes.length);
    if (ZEROS.compare(bytes, start, end, 0, end - start) === 0) continue;
    const last = ranges.at(-1);
    if (last?.[1] === start) last[1] = end;
    else ranges.push([start, end]);
  }
  return ranges;
}
