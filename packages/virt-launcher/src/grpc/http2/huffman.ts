/** Text that HPACK has compressed by its fixed Huffman code (RFC 7541, section 5.2 and appendix B). Pure. */

/**
 * Bits of each symbol's code, one letter a symbol from 0 to 256: `a` is 5 bits, `b` is 6, and so on. The code is
 * canonical: codes of one length follow each other in the order of their symbols, so the lengths are all of it.
 */
const LENGTHS = [
  'isxxxxxxxtzxxzxxxxxxxxzxxxxxxxxx',
  'bffhibdgffdgdbbbaaabbbbbbbcdkbhf',
  'ibccccccccccccccccccccccdcdioijb',
  'kabababbbaccbbbabcbaabccccckgjix',
  'prpprrrsrssssststtrstssssqrsrsst',
  'rqprrssqsrrtqrssqqrqsrssprrrsrrs',
  'vvporsruvvvwwvtuoqvwwvwtqqvvxwww',
  'ptpqrqqsrruuttvsvwvvwwwwwxwwwwwv',
  'z',
].join('');
const SHORTEST = 5;
const LONGEST = 30;
const END_OF_STRING = 256;

interface CodeLength {
  /** The first code of this length, and how many there are. */
  readonly first: number;
  readonly count: number;
  /** Where its symbols begin in `SYMBOLS`. */
  readonly at: number;
}

const lengthOf = (symbol: number): number => LENGTHS.charCodeAt(symbol) - 'a'.charCodeAt(0) + SHORTEST;
/** All symbols, those of short codes first. */
const SYMBOLS: readonly number[] = Array.from({ length: LENGTHS.length }, (_, symbol) => symbol).toSorted(
  (a, b) => lengthOf(a) - lengthOf(b) || a - b,
);
const CODES: readonly CodeLength[] = codesByLength();

function codesByLength(): readonly CodeLength[] {
  const codes: CodeLength[] = [];
  let [next, at] = [0, 0];
  for (let bits = 0; bits <= LONGEST; bits += 1) {
    const count = SYMBOLS.filter((symbol) => lengthOf(symbol) === bits).length;
    codes.push({ first: next, count, at });
    next = (next + count) * 2;
    at += count;
  }
  return codes;
}

/** Throws for what no encoder writes: a code for the end, or an end in the middle of a symbol. */
export function huffmanDecoded(bytes: Uint8Array): string {
  const symbols: number[] = [];
  let [code, bits] = [0, 0];
  for (const byte of bytes)
    for (let bit = 7; bit >= 0; bit -= 1) {
      code = code * 2 + ((byte >> bit) & 1);
      bits += 1;
      const { first, count, at } = CODES[bits] ?? { first: 0, count: 0, at: 0 };
      if (code - first >= count) continue;
      const symbol = SYMBOLS[at + code - first] ?? END_OF_STRING;
      if (symbol === END_OF_STRING) throw new Error('a Huffman code that stands for no character');
      symbols.push(symbol);
      [code, bits] = [0, 0];
    }
  // What is left over fills the last byte: fewer than eight bits, all ones.
  if (bits > 7 || code !== 2 ** bits - 1) throw new Error('a Huffman code that ends too early');
  return String.fromCharCode(...symbols);
}
