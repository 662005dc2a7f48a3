/** Characters of Go's patterns that are written otherwise than as themselves, and why a pattern cannot be read. */

const ESCAPES: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };

/** Why a pattern cannot be read. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
  constructor(problem: string, part: string) {
    super(`error parsing regexp: ${problem}: \`${part}\``);
  }
}

/** One character, so that no mode of JavaScript reads it as anything else. */
export function literal(point: number): string {
  const character = String.fromCodePoint(point);
  return /^\w$/.test(character) ? character : `\\u{${point.toString(16)}}`;
}

/** All ASCII and other characters but those. JavaScript has no class in a class without its `v` mode. */
export function complement(members: string): string {
  const set = new RegExp(`[${members}]`, 'u');
  const others = Array.from({ length: 0x80 }, (_, point) => point).filter(
    (point) => !set.test(String.fromCodePoint(point)),
  );
  return `${others.map(literal).join('')}\\u{80}-\\u{10ffff}`;
}

/** The character that an escape stands for. */
export function escaped(rest: string): { readonly point: number; readonly length: number } {
  const octal = /^\\(?:[1-7][0-7]{1,2}|0[0-7]{0,2})/.exec(rest)?.[0];
  if (octal !== undefined) return { point: Number.parseInt(octal.slice(1), 8), length: octal.length };
  const hex = /^\\x(?:\{([0-9a-fA-F]{1,6})\}|([0-9a-fA-F]{2}))/.exec(rest);
  if (hex !== null) return { point: Number.parseInt(hex[1] ?? hex[2] ?? '', 16), length: hex[0].length };
  const letter = String.fromCodePoint(rest.codePointAt(1) ?? 0);
  const known = Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : undefined;
  if (known !== undefined) return { point: known, length: 2 };
  if (/^[0-9A-Za-z]$/.test(letter) || (rest.codePointAt(1) ?? 0) > 0x7f)
    throw new PatternError('invalid escape sequence', `\\${letter}`);
  return { point: letter.codePointAt(0) ?? 0, length: 2 };
}

/** As far as a group was read before it could not be one. */
export function refusedPerl(rest: string): string {
  const flags = /^\(\?[imsU]*(?:-[imsU]*)?/.exec(rest)?.[0] ?? '(?';
  const next = String.fromCodePoint(rest.codePointAt(flags.length) ?? 0);
  return rest.length > flags.length ? `${flags}${next}` : flags;
}
