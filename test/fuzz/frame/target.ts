/** One parser that meets bytes of strangers, as the fuzzer sees it. */
import type { Random } from './random.ts';

export interface FuzzTarget {
  /** Well-formed inputs: every one of them must be taken by `feed` without an error. */
  readonly seeds: readonly Uint8Array[];
  /** Words of the format; changes put them in. */
  readonly words?: readonly (string | Uint8Array)[];
  /** Inputs by grammar, as a source beside the seeds and what became of them. */
  readonly generate?: (random: Random) => Uint8Array;
  /** Longest usual input; one in a few hundred is up to `longBytes` long, to find what grows too fast. */
  readonly maxBytes?: number;
  readonly longBytes?: number;
  /** Whether an error is the parser's own way to say no. */
  readonly refuses: (error: unknown) => boolean;
  /** Feeds one input, and throws if what comes out breaks a promise of the parser. */
  readonly feed: (input: Uint8Array) => unknown;
  /** Bytes that all inputs together may leave behind; 8 MiB if not said. */
  readonly growthBytes?: number;
}

/** The bytes of a text. */
export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The text of an input, as a body is read: what is no UTF-8 becomes replacement characters. */
export function text(input: Uint8Array): string {
  return Buffer.from(input.buffer, input.byteOffset, input.byteLength).toString('utf8');
}

/** A promise of the parser is broken: this is never a refusal. */
export class Broken extends Error {
  override readonly name = 'Broken';
}

export function expect(holds: boolean, promise: string): void {
  if (!holds) throw new Broken(promise);
}
