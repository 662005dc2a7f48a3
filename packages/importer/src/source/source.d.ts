/** A source of bytes that can be read again from some point on, or not. */
export interface ByteSource {
  /** Length of all bytes, when the other side says so. */
  readonly totalBytes: number | undefined;
  /** Names exactly this content (ETag, date); undefined: bytes must not be mixed with those of another try. */
  readonly version: string | undefined;
  /**
   * The bytes from `offset` on. Survives broken connections. `offset` above 0 needs a version; throws
   * SourceChangedError when the content is another one by now.
   */
  read(offset: number, signal: AbortSignal): AsyncIterable<Uint8Array>;
}
/** The content changed, or the other side cannot go on in the middle: begin again. */
export declare class SourceChangedError extends Error {
  readonly name = 'SourceChangedError';
}
