import type { Compression } from './formats.ts';
/** The bytes behind a compressed stream. */
export declare function decompress(
  compression: Compression,
  input: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>>;
