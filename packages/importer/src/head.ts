/** Looks at the beginning of a stream without losing it. */

/** The first `count` bytes (fewer when the stream is shorter), and the whole stream. */
export async function peek(
  stream: AsyncIterable<Uint8Array>,
  count: number,
): Promise<{ readonly head: Uint8Array; readonly whole: AsyncIterable<Uint8Array> }> {
  const iterator = stream[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (length < count) {
    const next = await iterator.next();
    if (next.done === true) break;
    chunks.push(next.value);
    length += next.value.length;
  }
  const head = Buffer.concat(chunks);
  async function* whole(): AsyncIterable<Uint8Array> {
    if (head.length > 0) yield head;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  }
  return { head: head.subarray(0, count), whole: whole() };
}
