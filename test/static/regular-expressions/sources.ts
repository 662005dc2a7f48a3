/** The regular expressions in a file, as they stand there, and those that are made of texts when the program runs. */
import { readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'oxc-parser';

export interface Expression {
  readonly source: string;
  readonly flags: string;
}

export interface Expressions {
  readonly written: readonly Expression[];
  /** Whether some are made of other texts; constants that they may be made of are among the written ones, as wholes. */
  readonly areMade: boolean;
}

export function expressionsOf(file: string): Expressions {
  const text = readFileSync(file, 'utf8');
  const [written, constants]: [Expression[], Expression[]] = [[], []];
  let areMade = false;
  const call = (node: { readonly callee: Node; readonly arguments: readonly Node[] }): void => {
    const [pattern, flags] = node.arguments;
    if (text.slice(node.callee.start, node.callee.end) !== 'RegExp' || pattern === undefined) return;
    const source = textOf(pattern);
    const given = flags === undefined ? '' : textOf(flags);
    if (source === undefined || given === undefined) areMade = true;
    else written.push({ source, flags: given });
  };
  new Visitor({
    Literal: (node) => {
      if (!('regex' in node) || node.regex === null) return;
      written.push({ source: node.regex.pattern.replaceAll('\\/', '/'), flags: node.regex.flags });
    },
    VariableDeclarator: ({ init }) => {
      const source = init === null ? undefined : textOf(init);
      if (source !== undefined) constants.push({ source: `^(?:${source})$`, flags: '' });
    },
    NewExpression: call,
    CallExpression: call,
  }).visit(parseSync(file, text).program);
  return { written: areMade ? [...written, ...constants] : written, areMade };
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly value?: unknown;
}

function textOf(node: Node): string | undefined {
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}

/**
 * JavaScript's expression in Go's words, with the same choices at least: looking around is taken to hold, and a text that is
 * met again is any of what it was.
 */
export function goSource({ source, flags }: Expression): string {
  const modes = ['i', 'm', 's'].filter((mode) => flags.includes(mode)).join('');
  let plain = withoutLooking(source)
    .replace(/\\u([0-9a-fA-F]{4})/g, String.raw`\x{$1}`)
    .replaceAll('[^]', String.raw`[\s\S]`)
    .replace(/\\([1-9])/g, `['"]?`);
  // Sticky ones are held against the place where they are, as those that begin with the text are.
  if (flags.includes('y')) plain = `\\A(?:${plain})`;
  return modes === '' ? plain : `(?${modes})${plain}`;
}

/** `(?=…)`, `(?!…)`, `(?<=…)` and `(?<!…)` become an edge of a word, which may hold or not. */
function withoutLooking(source: string): string {
  const begin = /\(\?<?[=!]/.exec(source);
  if (begin === null) return source;
  let depth = 0;
  for (let i = begin.index; i < source.length; i += 1) {
    const character = source[i];
    if (character === '\\') i += 1;
    else if (character === '[') i = source.indexOf(']', i);
    else if (character === '(') depth += 1;
    else if (character === ')' && (depth -= 1) === 0)
      return withoutLooking(`${source.slice(0, begin.index)}\\b${source.slice(i + 1)}`);
  }
  throw new Error(`${source} does not end`);
}
