/** Writes a stream of raw bytes; blocks of zeros become holes where the target is a file. */
import type { FileHandle } from 'node:fs/promises';
export interface SparseWriterOptions {
  readonly offset?: number;
  /** More than this is refused: a small stream may unpack to anything. */
  readonly limitBytes: number;
  /** A device may hold old bytes: zeros are written too. */
  readonly writeZeros: boolean;
}
export declare class SparseWriter {
  #private;
  constructor(handle: FileHandle, options: SparseWriterOptions);
  /** Bytes that are written, from the beginning of the file. */
  get position(): number;
  write(chunk: Uint8Array): Promise<void>;
  /** Writes what was gathered. */
  flush(): Promise<void>;
}
/** The parts of `bytes` that are not blocks of zeros. Pure. */
export declare function dataRanges(bytes: Uint8Array): readonly (readonly [start: number, end: number])[];
