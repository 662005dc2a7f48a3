/**
 * Where QEMU's stream ends. QEMU sends all of the guest and then waits for a word of the other side, which a QEMU
 * there says when it has loaded everything. A file says nothing, so we have to know: the stream ends with a mark (0),
 * the mark of the description (6), its length and the description itself, in JSON.
 *
 * A guest may have such bytes in its memory. What it gains is that its own hibernation fails.
 */
const MARKS = [0, 6] as const;
const MAX_DESCRIPTION_BYTES = 4 * 1024 * 1024;
const CLOSING_BRACE = 0x7d;

/** "I have it all": MIG_RP_MSG_SHUT of QEMU's return path, with a length of 4 and the code 0. */
export const RECEIVED = Buffer.from([0, 1, 0, 4, 0, 0, 0, 0]);

export class MemoryEnd {
  #chunks: Buffer[] = [];
  #bytes = 0;

  /** True when the stream is complete with this chunk. */
  completes(chunk: Buffer): boolean {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    while (this.#bytes - (this.#chunks[0]?.length ?? 0) > MAX_DESCRIPTION_BYTES)
      this.#bytes -= this.#chunks.shift()?.length ?? 0;
    return chunk.at(-1) === CLOSING_BRACE && endsWithDescription(Buffer.concat(this.#chunks));
  }
}

function endsWithDescription(tail: Buffer): boolean {
  for (let at = tail.length - 8; at >= 0; at--) {
    if (tail[at] !== MARKS[0] || tail[at + 1] !== MARKS[1]) continue;
    const json = at + 6;
    if (tail.readUInt32BE(at + 2) !== tail.length - json) continue;
    try {
      return typeof JSON.parse(tail.toString('utf8', json)) === 'object';
    } catch {
      return false;
    }
  }
  return false;
}
