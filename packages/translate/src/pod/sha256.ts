/**
 * SHA-256 of a text (FIPS 180-4), in lower-case hex. For names only: those of secondary network interfaces come from
 * it, and this package may not import Node's crypto.
 */
export function sha256Hex(text: string): string {
  const message = new TextEncoder().encode(text);
  const padded = new Uint8Array(((message.length + 8) >> 6) * 64 + 64);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, message.length * 8);
  let state = fractionalRoots(8, 1 / 2);
  for (let block = 0; block < padded.length; block += 64) state = compress(state, view, block);
  return state.map((word) => word.toString(16).padStart(8, '0')).join('');
}

const ROUND_CONSTANTS = fractionalRoots(64, 1 / 3);

function compress(state: readonly number[], view: DataView, offset: number): number[] {
  const words: number[] = [];
  for (let i = 0; i < 64; i++) {
    if (i < 16) {
      words.push(view.getUint32(offset + i * 4));
      continue;
    }
    const [early, late] = [at(words, i - 15), at(words, i - 2)];
    const s0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const s1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    words.push((at(words, i - 16) + s0 + at(words, i - 7) + s1) >>> 0);
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const first =
      h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + at(ROUND_CONSTANTS, i) + at(words, i);
    const second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) >>> 0, c, b, a, (first + second) >>> 0];
  }
  return [a, b, c, d, e, f, g, h].map((word, i) => (word + at(state, i)) >>> 0);
}

/** First 32 bits of the fractional parts of roots of the first primes: the constants of the standard. */
function fractionalRoots(count: number, exponent: number): number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return primes.map((prime) => {
    const root = prime ** exponent;
    return Math.floor((root - Math.floor(root)) * 2 ** 32);
  });
}

function rotate(word: number, bits: number): number {
  return ((word >>> bits) | (word << (32 - bits))) >>> 0;
}

function at(words: readonly number[], index: number): number {
  return words[index] ?? 0;
}
