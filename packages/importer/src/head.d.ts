/** Looks at the beginning of a stream without losing it. */
/** The first `count` bytes (fewer when the stream is shorter), and the whole stream. */
export declare function peek(
  stream: AsyncIterable<Uint8Array>,
  count: number,
): Promise<{
  readonly head: Uint8Array;
  readonly whole: AsyncIterable<Uint8Array>;
}>;
