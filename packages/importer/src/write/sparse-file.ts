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

/** Gathers and writes side by side: while one piece goes to the disk, the next one arrives. */
export class SparseWriter {
  readonly #handle: FileHandle;
  readonly #options: SparseWriterOptions;
  #gathered: Uint8Array[] = [];
  #gatheredBytes = 0;
  /** Where the next piece goes. */
  #next: number;
  /** Everything before this is written. */
  #position: number;
  #writing: Promise<void> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;

  constructor(handle: FileHandle, options: SparseWriterOptions) {
    this.#handle = handle;
    this.#options = options;
    this.#next = options.offset ?? 0;
    this.#position = this.#next;
  }

  /** Bytes that are written, from the beginning of the file. */
  get position(): number {
    return this.#position;
  }

  async write(chunk: Uint8Array): Promise<void> {
    const { limitBytes } = this.#options;
    if (this.#next + this.#gatheredBytes + chunk.length > limitBytes)
      throw new Error(
        `Virtual image size is larger than the reported available storage ${limitBytes}. A larger PVC is required.`,
      );
    this.#gathered.push(chunk);
    this.#gatheredBytes += chunk.length;
    if (this.#gatheredBytes >= GATHER) await this.#hand();
  }

  /** Resolves when everything is written. */
  async flush(): Promise<void> {
    await this.#hand();
    await this.#settled();
  }

  /** Hands over what was gathered, once the piece before is written: at most two are in memory. */
  async #hand(): Promise<void> {
    await this.#settled();
    if (this.#gatheredBytes === 0) return;
    const [first] = this.#gathered;
    const bytes = this.#gathered.length === 1 && first !== undefined ? first : Buffer.concat(this.#gathered);
    this.#gathered = [];
    this.#gatheredBytes = 0;
    const start = this.#next;
    this.#next += bytes.length;
    this.#writing = this.#store(bytes, start).catch((error: unknown) => {
      this.#failure = { error };
    });
  }

  async #settled(): Promise<void> {
    await this.#writing;
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  async #store(bytes: Uint8Array, position: number): Promise<void> {
    const ranges = this.#options.writeZeros ? [[0, bytes.length] as const] : dataRanges(bytes);
    for (const [start, end] of ranges)
      for (let at = start; at < end; ) {
        const { bytesWritten } = await this.#handle.write(bytes, at, end - at, position + at);
        at += bytesWritten;
      }
    this.#position = position + bytes.length;
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
