/**
 * SHA-1 of a text, in lower-case hex. For names only: KubeVirt derives the ids of long VM names from it, and this
 * package may not import Node's crypto.
 */
export function sha1Hex(text: string): string {
  const message = new TextEncoder().encode(text);
  const padded = new Uint8Array(((message.length + 8) >> 6) * 64 + 64);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, message.length * 8);
  let state: [number, number, number, number, number] = [
    0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0,
  ];
  for (let block = 0; block < padded.length; block += 64) state = compress(state, view, block);
  return state.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

function compress(
  state: [number, number, number, number, number],
  view: DataView,
  offset: number,
): [number, number, number, number, number] {
  const words: number[] = [];
  for (let i = 0; i < 80; i++) {
    words.push(
      i < 16
        ? view.getUint32(offset + i * 4)
        : rotate(at(words, i - 3) ^ at(words, i - 8) ^ at(words, i - 14) ^ at(words, i - 16), 1),
    );
  }
  let [a, b, c, d, e] = state;
  for (let i = 0; i < 80; i++) {
    const [mix, constant] = round(i, b, c, d);
    const next = (rotate(a, 5) + mix + e + constant + at(words, i)) | 0;
    [e, d, c, b, a] = [d, c, rotate(b, 30), a, next];
  }
  return [(state[0] + a) | 0, (state[1] + b) | 0, (state[2] + c) | 0, (state[3] + d) | 0, (state[4] + e) | 0];
}

function round(i: number, b: number, c: number, d: number): readonly [number, number] {
  if (i < 20) return [(b & c) | (~b & d), 0x5a827999];
  if (i < 40) return [b ^ c ^ d, 0x6ed9eba1];
  if (i < 60) return [(b & c) | (b & d) | (c & d), 0x8f1bbcdc];
  return [b ^ c ^ d, 0xca62c1d6];
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

function at(words: readonly number[], index: number): number {
  return words[index] ?? 0;
}
