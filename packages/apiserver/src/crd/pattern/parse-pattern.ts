/**
 * Regular expressions as Kubernetes reads them: Go's syntax (RE2), read into a tree. What Go does not know is refused in
 * its words: looking around, references back, counts beyond a thousand, groups too deep. Pure.
 */
import { classOf, perlClass, posixClass, unicodeClass } from './pattern-classes.ts';
import { complement, escaped, literal, PatternError, refusedPerl } from './pattern-escapes.ts';
import { assertion, classNode, type PatternNode, type Place } from './pattern-node.ts';

const MAX_REPEAT = 1000;
const MAX_DEPTH = 1000;

const ANCHORS: Readonly<Record<string, Place>> = {
  A: 'text start',
  z: 'text end',
  b: 'word edge',
  B: 'no word edge',
};

/** @throws {PatternError} */
export function parsePattern(pattern: string): PatternNode {
  return new Parser(pattern).parse();
}

interface Count {
  readonly min: number;
  readonly max: number | undefined;
}
const REPEATS: Readonly<Record<'*' | '+' | '?', Count>> = {
  '*': { min: 0, max: undefined },
  '+': { min: 1, max: undefined },
  '?': { min: 0, max: 1 },
};

/** A part that was read last, which `*` and its like repeat. */
interface Atom {
  readonly node: PatternNode;
  /** How often the innermost part is counted, at most: counts multiply. */
  readonly counted: number;
}
interface Group {
  readonly done: PatternNode[];
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
  #done: PatternNode[] = [];
  #atoms: Atom[] = [];
  #counted = 1;
  /** Where the operator begins that repeated the last atom. */
  #repeated: number | undefined;

  readonly #lastPosixEnd: number;

  constructor(pattern: string) {
    this.#pattern = pattern;
    this.#lastPosixEnd = pattern.lastIndexOf(':]');
  }

  parse(): PatternNode {
    while (this.#at < this.#pattern.length) {
      const repeated = this.#repeated;
      this.#repeated = undefined;
      this.#next(repeated);
    }
    if (this.#groups.length > 0) throw new PatternError('missing closing )', this.#pattern);
    return this.#alternatives();
  }

  get #rest(): string {
    return this.#pattern.slice(this.#at);
  }

  #sequence(): PatternNode {
    const parts = this.#atoms.map(({ node }) => node);
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: 'sequence', parts };
  }

  #alternatives(): PatternNode {
    const last = this.#sequence();
    return this.#done.length === 0 ? last : { kind: 'alternatives', options: [...this.#done, last] };
  }

  #push(node: PatternNode, counted = 1): void {
    this.#atoms.push({ node, counted });
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
        this.#done.push(this.#sequence());
        this.#atoms = [];
        this.#at += 1;
        return undefined;
      case '*':
      case '+':
      case '?':
        return this.#repeat(REPEATS[rest[0]], 1, repeated);
      case '{': {
        const count = /^\{(\d+)(?:(,)(\d*))?\}/.exec(rest);
        if (count === null) return this.#literal('{'.codePointAt(0) ?? 0, 1);
        return this.#count(count, repeated);
      }
      case '[':
        return this.#class();
      case '.':
        this.#at += 1;
        return this.#push(classNode(this.#flags.has('s') ? '[\\s\\S]' : '[^\\n]'));
      case '^':
        this.#at += 1;
        return this.#push(assertion(this.#flags.has('m') ? 'line start' : 'text start'));
      case '$':
        this.#at += 1;
        return this.#push(assertion(this.#flags.has('m') ? 'line end' : 'text end'));
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
    this.#push(this.#character(point));
  }

  #character(point: number): PatternNode {
    return this.#flags.has('i') ? this.#folded(literal(point)) : { kind: 'character', point };
  }

  #folded(source: string): PatternNode {
    return classNode(this.#flags.has('i') ? `(?i:${source})` : source);
  }

  #repeat({ min, max }: Count, length: number, repeated: number | undefined): void {
    const begin = this.#at;
    let after = begin + length;
    const lazy = this.#pattern[after] === '?';
    if (lazy) after += 1;
    if (repeated !== undefined)
      throw new PatternError('invalid nested repetition operator', this.#pattern.slice(repeated, after));
    const atom = this.#atoms.pop();
    if (atom === undefined)
      throw new PatternError('missing argument to repetition operator', this.#pattern.slice(begin, after));
    const total = atom.counted * (length === 1 ? 1 : Math.max(1, max ?? min));
    if (total > MAX_REPEAT) throw new PatternError('invalid repeat count', this.#pattern.slice(begin, after));
    this.#at = after;
    const { node } = atom;
    this.#push({ kind: 'repeat', node, min, max, lazy: lazy !== this.#flags.has('U') }, total);
    this.#repeated = begin;
  }

  #count(count: RegExpExecArray, repeated: number | undefined): void {
    const [text, least = '', comma, most = ''] = count;
    const min = Number(least);
    const max = comma === undefined ? min : most === '' ? undefined : Number(most);
    if (min > MAX_REPEAT || (max !== undefined && (max > MAX_REPEAT || min > max)))
      throw new PatternError('invalid repeat count', text);
    this.#repeat({ min, max }, text.length, repeated);
  }

  #open(): void {
    const rest = this.#rest;
    if (!rest.startsWith('(?')) {
      this.#at += 1;
      return this.#enter();
    }
    const named = /^\(\?P?</.exec(rest);
    if (named !== null) return this.#named(rest, named[0]);
    const flags = /^\(\?([imsU]*)(-[imsU]+)?([:)])/.exec(rest);
    if (flags === null) throw new PatternError('invalid or unsupported Perl syntax', refusedPerl(rest));
    const [text, on = '', off = '', end] = flags;
    const before = this.#flags;
    const after = new Set([...before, ...on].filter((flag) => !off.includes(flag)));
    this.#at += text.length;
    if (end === ':') this.#enter(before);
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
    this.#enter();
  }

  #enter(flags = this.#flags): void {
    this.#groups.push({ done: this.#done, atoms: this.#atoms, counted: this.#counted, flags });
    if (this.#groups.length > MAX_DEPTH) throw new PatternError('expression nests too deeply', this.#pattern);
    this.#done = [];
    this.#atoms = [];
    this.#counted = 1;
  }

  #close(): void {
    const group = this.#groups.pop();
    if (group === undefined) throw new PatternError('unexpected )', this.#pattern);
    const node = this.#alternatives();
    const counted = this.#counted;
    this.#at += 1;
    this.#done = group.done;
    this.#atoms = group.atoms;
    this.#counted = group.counted;
    this.#flags = group.flags;
    this.#push(node, counted);
  }

  #escape(): void {
    const rest = this.#rest;
    const letter = rest[1];
    if (letter === undefined) throw new PatternError('trailing backslash at end of expression', '');
    const place = Object.hasOwn(ANCHORS, letter) ? ANCHORS[letter] : undefined;
    if (place !== undefined) {
      this.#at += 2;
      return this.#push(assertion(place));
    }
    if (letter === 'Q') {
      const end = rest.indexOf('\\E');
      const quoted = rest.slice(2, end < 0 ? undefined : end);
      for (const character of quoted) this.#push(this.#character(character.codePointAt(0) ?? 0));
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
    // Looked for once: a pattern of nothing but `[:` would be read to its end for each of them.
    const closes = rest.startsWith('[:') && this.#at + 2 <= this.#lastPosixEnd ? rest.indexOf(':]', 2) : -1;
    if (closes >= 0) {
      const posix = rest.slice(0, closes + 2);
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
