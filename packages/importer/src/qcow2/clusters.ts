/** A stream cut into clusters; the last one may be shorter. */

/** Chunks that hold whole clusters, as few and as large as they come. */
export async function* wholeClusters(
  stream: AsyncIterable<Uint8Array>,
  clusterBytes: number,
): AsyncIterable<Uint8Array> {
  let rest: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    rest.push(chunk);
    length += chunk.length;
    if (length < clusterBytes) continue;
    const all = rest.length === 1 ? chunk : Buffer.concat(rest, length);
    const whole = length - (length % clusterBytes);
    yield all.subarray(0, whole);
    length -= whole;
    rest = length === 0 ? [] : [all.subarray(whole)];
  }
  if (length > 0) yield Buffer.concat(rest, length);
}
