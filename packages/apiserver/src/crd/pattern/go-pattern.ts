/**
 * Regular expressions as Kubernetes reads them: Go's syntax (RE2), turned into one of JavaScript's with the same meaning.
 * What Go does not know is refused in its words: looking around, references back, counts beyond a thousand. Pure.
 *
 * Not promised: the linear time of RE2. Patterns come from those who may define kinds and policies.
 */
import { classOf, perlClass, posixClass, unicodeClass } from './pattern-classes.ts';

const MAX_REPEAT = 1000;
const ESCAPES: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };

/** Why a pattern cannot be read. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
  constructor(problem: string, part: string) {
    super(`error parsing regexp: ${problem}: \`${part}\``);
  }
}

const MAX_PATTERNS = 2_000;
const patterns = new Map<string, RegExp>();

/** Finds what Go's would find. Remembers those that it was asked for. @throws {PatternError} */
export function goPattern(pattern: string): RegExp {
  let found = patterns.get(pattern);
  if (found === undefined) {
    found = new RegExp(new Parser(pattern).parse(), 'u');
    if (patterns.size >= MAX_PATTERNS) patterns.clear();
    patterns.set(pattern, found);
  }
  return found;
}

/** A part that was read last, which `*` and its like repeat. */
interface Atom {
  readonly source: string;
  /** How often the innermost part is counted, at most: counts multiply. */
  readonly counted: number;
}
interface Group {
  /** How JavaScript's group begins. */
  readonly opening: string;
  readonly done: string;
  readonly atoms: Atom[];
  readonly counted: number;
  readonly flags: ReadonlySet<string>;
}

class Parser {
  readonly #pattern: string;
  #at = 0;
  #flags: ReadonlySet<string> = new Set();
  #names = new Set<string>();
  readonly #groups: Group[] = [];
  /** Alternatives of the group that are done. */
  #done = '';
  #atoms: Atom[] = [];
  #counted = 1;
  /** Where the operator begins that repeated the last atom. */
  #repeated: number | undefined;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  parse(): string {
    while (this.#at < this.#pattern.length) {
      const repeated = this.#repeated;
      this.#repeated = undefined;
      this.#next(repeated);
    }
    if (this.#groups.length > 0) throw new PatternError('missing closing )', this.#pattern);
    return this.#done + this.#sequence();
  }

  get #rest(): string {
    return this.#pattern.slice(this.#at);
  }

  #sequence(): string {
    return this.#atoms.map(({ source }) => source).join('');
  }

  #push(source: string, counted = 1): void {
    this.#atoms.push({ source, counted });
    this.#counted = Math.max(this.#counted, counted);
  }

  /** One thing of the pattern; a repetition of a repetition is none. */
  #next(repeated: number | undefined): void {
    const rest = this.#rest;
    switch (rest[0]) {
      case '(':
        return this.#open();
      case ')':
        return this.#close();
      case '|':
        this.#done += `${this.#sequence()}|`;
        this.#atoms = [];
        this.#at += 1;
        return undefined;
      case '*':
      case '+':
      case '?':
        return this.#repeat(rest[0], 1, repeated);
      case '{': {
        const count = /^\{(\d+)(?:(,)(\d*))?\}/.exec(rest);
        if (count === null) return this.#literal('{'.codePointAt(0) ?? 0, 1);
        return this.#count(count, repeated);
      }
      case '[':
        return this.#class();
      case '.':
        this.#at += 1;
        return this.#push(this.#flags.has('s') ? '[\\s\\S]' : '[^\\n]');
      case '^':
        this.#at += 1;
        return this.#push(this.#flags.has('m') ? '(?<![^\\n])' : '^');
      case '$':
        this.#at += 1;
        return this.#push(this.#flags.has('m') ? '(?![^\\n])' : '$');
      case '\\':
        return this.#escape();
      default: {
        const point = rest.codePointAt(0) ?? 0;
        return this.#literal(point, point > 0xffff ? 2 : 1);
      }
    }
  }

  #literal(point: number, length: number): void {
    this.#at += length;
    this.#push(this.#folded(literal(point)));
  }

  #folded(source: string): string {
    return this.#flags.has('i') ? `(?i:${source})` : source;
  }

  #repeat(operator: string, length: number, repeated: number | undefined, counted = 1): void {
    const begin = this.#at;
    let after = begin + length;
    const lazy = this.#pattern[after] === '?';
    if (lazy) after += 1;
    if (repeated !== undefined)
      throw new PatternError('invalid nested repetition operator', this.#pattern.slice(repeated, after));
    const atom = this.#atoms.pop();
    if (atom === undefined)
      throw new PatternError('missing argument to repetition operator', this.#pattern.slice(begin, after));
    const total = atom.counted * counted;
    if (total > MAX_REPEAT) throw new PatternError('invalid repeat count', this.#pattern.slice(begin, after));
    this.#at = after;
    this.#push(`(?:${atom.source})${operator}${lazy === this.#flags.has('U') ? '' : '?'}`, total);
    this.#repeated = begin;
  }

  #count(count: RegExpExecArray, repeated: number | undefined): void {
    const [text, least = '', comma, most = ''] = count;
    const min = Number(least);
    const max = comma === undefined ? min : most === '' ? undefined : Number(most);
    if (min > MAX_REPEAT || (max !== undefined && (max > MAX_REPEAT || min > max)))
      throw new PatternError('invalid repeat count', text);
    this.#repeat(text, text.length, repeated, Math.max(1, max ?? min));
  }

  #open(): void {
    const rest = this.#rest;
    if (!rest.startsWith('(?')) {
      this.#at += 1;
      return this.#enter('(');
    }
    const named = /^\(\?P?</.exec(rest);
    if (named !== null) return this.#named(rest, named[0]);
    const flags = /^\(\?([imsU]*)(-[imsU]+)?([:)])/.exec(rest);
    if (flags === null) throw new PatternError('invalid or unsupported Perl syntax', refusedPerl(rest));
    const [text, on = '', off = '', end] = flags;
    const before = this.#flags;
    const after = new Set([...before, ...on].filter((flag) => !off.includes(flag)));
    this.#at += text.length;
    if (end === ':') this.#enter('(?:', before);
    this.#flags = after;
  }

  #named(rest: string, opening: string): void {
    const end = rest.indexOf('>');
    if (end < 0) throw new PatternError('invalid named capture', rest);
    const name = rest.slice(opening.length, end);
    if (!/^\w+$/.test(name) || this.#names.has(name))
      throw new PatternError('invalid named capture', rest.slice(0, end + 1));
    this.#names.add(name);
    this.#at += end + 1;
    this.#enter('(');
  }

  #enter(opening: string, flags = this.#flags): void {
    this.#groups.push({ opening, done: this.#done, atoms: this.#atoms, counted: this.#counted, flags });
    this.#done = '';
    this.#atoms = [];
    this.#counted = 1;
  }

  #close(): void {
    const group = this.#groups.pop();
    if (group === undefined) throw new PatternError('unexpected )', this.#pattern);
    const source = `${group.opening}${this.#done}${this.#sequence()})`;
    const counted = this.#counted;
    this.#at += 1;
    this.#done = group.done;
    this.#atoms = group.atoms;
    this.#counted = group.counted;
    this.#flags = group.flags;
    this.#push(source, counted);
  }

  #escape(): void {
    const rest = this.#rest;
    const letter = rest[1];
    if (letter === undefined) throw new PatternError('trailing backslash at end of expression', '');
    const anchor = { A: '(?<![\\s\\S])', z: '(?![\\s\\S])', b: '\\b', B: '\\B' }[letter];
    if (anchor !== undefined) {
      this.#at += 2;
      return this.#push(anchor);
    }
    if (letter === 'Q') {
      const end = rest.indexOf('\\E');
      const quoted = rest.slice(2, end < 0 ? undefined : end);
      for (const character of quoted) this.#push(this.#folded(literal(character.codePointAt(0) ?? 0)));
      this.#at += end < 0 ? rest.length : end + 2;
      return undefined;
    }
    const named = this.#namedClass();
    if (named !== undefined) return this.#push(this.#folded(named.source));
    const { point, length } = escaped(rest);
    return this.#literal(point, length);
  }

  /** `\d` or `\pL` at this place, past which it goes; the members are for a class around it. */
  #namedClass(): { readonly source: string; readonly members: string } | undefined {
    const rest = this.#rest;
    const perl = perlClass(rest[1] ?? '');
    if (perl !== undefined) {
      this.#at += 2;
      const members = perl.negated ? `\\${rest[1]}` : perl.members;
      return { source: classOf(perl), members };
    }
    if (rest[1] !== 'p' && rest[1] !== 'P') return undefined;
    const [text, long, short] = /^\\[pP](?:\{([^}]*)\}|([\s\S]))/u.exec(rest) ?? [rest];
    const source = unicodeClass(long ?? short ?? '', rest[1]);
    if (source === undefined) throw new PatternError('invalid character class range', text);
    this.#at += text.length;
    return { source, members: source };
  }

  #class(): void {
    const begin = this.#at;
    this.#at += 1;
    const negated = this.#pattern[this.#at] === '^';
    if (negated) this.#at += 1;
    let members = '';
    for (let first = true; first || this.#pattern[this.#at] !== ']'; first = false) {
      if (this.#at >= this.#pattern.length)
        throw new PatternError('missing closing ]', this.#pattern.slice(begin));
      members += this.#member(begin);
    }
    this.#at += 1;
    this.#push(this.#folded(`[${negated ? '^' : ''}${members}]`));
  }

  #member(begin: number): string {
    const rest = this.#rest;
    const posix = /^\[:[\s\S]*?:\]/.exec(rest)?.[0];
    if (posix !== undefined) {
      const known = posixClass(posix);
      if (known === undefined) throw new PatternError('invalid character class range', posix);
      this.#at += posix.length;
      return known.negated ? complement(known.members) : known.members;
    }
    if (rest[0] === '\\') {
      const named = this.#namedClass();
      if (named !== undefined) return named.members;
    }
    const start = this.#at;
    const from = this.#classCharacter(begin);
    if (this.#pattern[this.#at] !== '-' || [undefined, ']'].includes(this.#pattern[this.#at + 1]))
      return literal(from);
    this.#at += 1;
    const to = this.#classCharacter(begin);
    if (to < from)
      throw new PatternError('invalid character class range', this.#pattern.slice(start, this.#at));
    return `${literal(from)}-${literal(to)}`;
  }

  #classCharacter(begin: number): number {
    const rest = this.#rest;
    if (rest === '') throw new PatternError('missing closing ]', this.#pattern.slice(begin));
    if (rest[0] === '\\') {
      if (rest.length === 1) throw new PatternError('trailing backslash at end of expression', '');
      const { point, length } = escaped(rest);
      this.#at += length;
      return point;
    }
    const point = rest.codePointAt(0) ?? 0;
    this.#at += point > 0xffff ? 2 : 1;
    return point;
  }
}

/** One character, so that no mode of JavaScript reads it as anything else. */
function literal(point: number): string {
  const character = String.fromCodePoint(point);
  return /^\w$/.test(character) ? character : `\\u{${point.toString(16)}}`;
}

/** All ASCII and other characters but those. JavaScript has no class in a class without its `v` mode. */
function complement(members: string): string {
  const set = new RegExp(`[${members}]`, 'u');
  const others = Array.from({ length: 0x80 }, (_, point) => point).filter(
    (point) => !set.test(String.fromCodePoint(point)),
  );
  return `${others.map(literal).join('')}\\u{80}-\\u{10ffff}`;
}

/** The character that an escape stands for. */
function escaped(rest: string): { readonly point: number; readonly length: number } {
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
function refusedPerl(rest: string): string {
  const flags = /^\(\?[imsU]*(?:-[imsU]*)?/.exec(rest)?.[0] ?? '(?';
  const next = String.fromCodePoint(rest.codePointAt(flags.length) ?? 0);
  return rest.length > flags.length ? `${flags}${next}` : flags;
}
