/** Changes of an input, as a fuzzer makes them: bits, numbers, lengths, words of the format, pieces of other inputs. */
import type { Random } from './random.ts';

export interface MutationLimits {
  readonly maxBytes: number;
  readonly longBytes: number;
  readonly words: readonly Uint8Array[];
}

const NUMBERS = [0, 1, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x1_0000, 0x7fff_ffff, 0xffff_ffff];
/** One in so many inputs is stretched to find what costs more than its length. */
const LONG_ONE_IN = 400;

/** A changed copy of `input`; `other` is any other input. */
export function mutate(
  input: Uint8Array,
  other: Uint8Array,
  random: Random,
  limits: MutationLimits,
): Uint8Array {
  let out = Uint8Array.from(input);
  for (let left = 1 + random.below(random.once(4) ? 16 : 4); left > 0; left -= 1)
    out = change(out, other, random, limits.words);
  if (random.once(LONG_ONE_IN)) return stretch(out, random, limits.longBytes);
  return out.length > limits.maxBytes ? out.subarray(0, limits.maxBytes) : out;
}

function change(
  input: Uint8Array,
  other: Uint8Array,
  random: Random,
  words: readonly Uint8Array[],
): Uint8Array<ArrayBuffer> {
  const at = random.below(input.length);
  const piece = Math.min(input.length - at, 1 + random.below(random.once(4) ? 256 : 8));
  switch (random.below(11)) {
    case 0:
      return written(input, at, Uint8Array.of((input[at] ?? 0) ^ (1 << random.below(8))));
    case 1:
      return written(input, at, Uint8Array.of(random.word()));
    case 2:
      return written(input, at, number(random));
    case 3:
      return replaced(input, at, piece, new Uint8Array());
    case 4:
      return replaced(input, at, 0, input.subarray(at, at + piece));
    case 5:
      return replaced(input, at, 0, word(random, words));
    case 6:
      return replaced(input, at, piece, word(random, words));
    case 7: {
      const from = random.below(other.length);
      return replaced(input, at, random.once(2) ? 0 : piece, other.subarray(from, from + 64));
    }
    case 8:
      // The beginning of one and the end of another.
      return replaced(input, at, input.length - at, other.subarray(random.below(other.length)));
    case 9:
      return Uint8Array.from(input.subarray(0, random.once(4) ? at : input.length));
    default:
      // A digit or a letter one further: numbers in texts.
      return written(input, at, Uint8Array.of((input[at] ?? 0) + (random.once(2) ? 1 : -1)));
  }
}

/** A piece of the input again and again. */
function stretch(input: Uint8Array, random: Random, longBytes: number): Uint8Array {
  const at = random.below(input.length);
  const piece = input.subarray(at, at + 1 + random.below(24));
  if (piece.length === 0) return input;
  const times = Math.floor(Math.max(0, longBytes - input.length) / piece.length);
  const many = new Uint8Array(piece.length * times);
  for (let i = 0; i < many.length; i += piece.length) many.set(piece, i);
  return replaced(input, at, 0, many);
}

function number(random: Random): Uint8Array {
  const value = random.once(2) ? random.pick(NUMBERS) : random.below(64);
  const view = new DataView(new ArrayBuffer(4));
  const isLittle = random.once(2);
  switch (random.below(3)) {
    case 0:
      return Uint8Array.of(value);
    case 1:
      view.setUint16(0, value, isLittle);
      return new Uint8Array(view.buffer, 0, 2);
    default:
      view.setUint32(0, value, isLittle);
      return new Uint8Array(view.buffer);
  }
}

function word(random: Random, words: readonly Uint8Array[]): Uint8Array {
  return words.length === 0 ? number(random) : random.pick(words);
}

function written(input: Uint8Array, at: number, value: Uint8Array): Uint8Array<ArrayBuffer> {
  const out = Uint8Array.from(input);
  for (let i = 0; i < value.length && at + i < out.length; i += 1) out[at + i] = value[i] ?? 0;
  return out;
}

/** With `count` bytes at `at` replaced. */
export function replaced(
  input: Uint8Array,
  at: number,
  count: number,
  value: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(input.length - count + value.length);
  out.set(input.subarray(0, at));
  out.set(value, at);
  out.set(input.subarray(at + count), at + value.length);
  return out;
}
