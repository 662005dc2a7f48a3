/** Sets of characters by name in Go's patterns, as parts of a JavaScript class. */

const POSIX: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7F',
  blank: '\\t ',
  cntrl: '\\x00-\\x1F\\x7F',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`\\{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

/** Of `\d`, `\s`, `\w`; Go's know ASCII alone. */
const PERL: Readonly<Record<string, string>> = { d: '0-9', s: '\\t\\n\\f\\r ', w: '0-9A-Za-z_' };

/** What is in a set, or what is not. */
export interface NamedClass {
  readonly members: string;
  readonly negated: boolean;
}

/** `[:name:]` or `[:^name:]`; undefined for a name that there is not. */
export function posixClass(text: string): NamedClass | undefined {
  const found = /^\[:(\^?)(\w+):\]$/.exec(text);
  const name = found?.[2] ?? '';
  const members = Object.hasOwn(POSIX, name) ? POSIX[name] : undefined;
  return members === undefined ? undefined : { members, negated: found?.[1] === '^' };
}

/** The letter after a backslash. */
export function perlClass(letter: string): NamedClass | undefined {
  const lower = letter.toLowerCase();
  const members = Object.hasOwn(PERL, lower) ? PERL[lower] : undefined;
  return members === undefined ? undefined : { members, negated: letter !== lower };
}

/** `\pL`, `\p{Greek}`, `\P{^Lu}`: categories and scripts of Unicode; undefined for a name that there is not. */
export function unicodeClass(name: string, letter: 'p' | 'P'): string | undefined {
  const plain = name.replace(/^\^/, '');
  const negated = (letter === 'P') !== name.startsWith('^');
  if (plain === 'Any') return negated ? '[^\\s\\S]' : '[\\s\\S]';
  for (const property of [`gc=${plain}`, `sc=${plain}`]) {
    const source = `\\${negated ? 'P' : 'p'}{${property}}`;
    try {
      if (new RegExp(source, 'u').source !== '') return source;
    } catch {
      // Not one of these: the next kind of property is tried.
    }
  }
  return undefined;
}

/** A class of its own. */
export function classOf({ members, negated }: NamedClass): string {
  return `[${negated ? '^' : ''}${members}]`;
}
