/** CEL expressions and patterns of CustomResourceDefinitions and admission policies: read, priced and evaluated. */
import {
  expressionErrors,
  WEBHOOK_SCOPE,
} from '../../../packages/apiserver/src/admission/expression-rules.ts';
import { compile, evaluate } from '../../../packages/apiserver/src/crd/cel/cel.ts';
import {
  goPattern,
  PatternCostError,
  PatternError,
} from '../../../packages/apiserver/src/crd/pattern/go-pattern.ts';
import type { Random } from '../frame/random.ts';
import { bytes, type FuzzTarget, text } from '../frame/target.ts';

const ATOMS = [
  'self',
  'self.a',
  'self.list',
  'self.name',
  '1',
  '2.5',
  '"x"',
  "'y'",
  'true',
  'null',
  '[1,2]',
  '{"k": 1}',
  'b"z"',
  '0x1f',
  '9223372036854775807',
  'r"\\d"',
];
const CALLS = [
  'size',
  'string',
  'int',
  'quantity',
  'url',
  'ip',
  'duration',
  'timestamp',
  'has',
  'type',
  'dyn',
  'isIP',
];
const METHODS = [
  'all(e, e != 1)',
  'exists(e, e > 1)',
  'map(e, e)',
  'filter(e, true)',
  'matches("^a+$")',
  'find("a*")',
  'startsWith("x")',
  'sum()',
  'min()',
  'size()',
  'replace("a","b")',
  'split(",")',
  'isSorted()',
  'charAt(1)',
  'orValue(1)',
];
const BINARY = ['+', '-', '*', '/', '%', '==', '!=', '<', '>=', '&&', '||', ' in '];

function expression(random: Random, depth = 0): string {
  if (depth > 3) return random.pick(ATOMS);
  const inner = (): string => expression(random, depth + 1);
  switch (random.below(7)) {
    case 0:
      return `(${inner()}${random.pick(BINARY)}${inner()})`;
    case 1:
      return `${random.pick(CALLS)}(${inner()})`;
    case 2:
      return `${inner()}.${random.pick(METHODS)}`;
    case 3:
      return `(${inner()} ? ${inner()} : ${inner()})`;
    case 4:
      return `${random.pick(['!', '-'])}${inner()}`;
    case 5:
      return `${inner()}[${inner()}]`;
    default:
      return random.pick(ATOMS);
  }
}

const context = { self: { a: 1n, name: 'aaab', list: [1n, 2n, 3n], map: { k: 'v' } } };

export const target: FuzzTarget = {
  seeds: [
    'self.a > 0 && size(self.name) < 10',
    'self.list.all(e, e in [1, 2, 3]) ? "x" : self.map["k"]',
    'quantity("1Gi").isGreaterThan(quantity("1Mi"))',
  ].map(bytes),
  words: [
    ...ATOMS,
    ...CALLS.map((name) => `${name}(`),
    ...METHODS.map((name) => `.${name}`),
    ...BINARY,
    '(',
    ')',
    '[',
    ']',
    '?',
    ':',
    '__proto__',
    'constructor',
  ],
  generate: (random) => bytes(expression(random)),
  // Compiled expressions are kept, up to a number.
  growthBytes: 48 * 1024 * 1024,
  maxBytes: 512,
  longBytes: 8 * 1024,
  // An expression that is no CEL, or has no value, is an Error with CEL's words: never of the engine below.
  refuses: (error) =>
    error instanceof Error && !/^(TypeError|ReferenceError|RangeError)$/.test(rootOf(error).name),
  feed: (input) => {
    const rule = text(input);
    expressionErrors(rule, 'path', WEBHOOK_SCOPE, ['bool']);
    compile(rule);
    evaluate(rule, context);
  },
};

function rootOf(error: Error): Error {
  return error.cause instanceof Error ? rootOf(error.cause) : error;
}

const PIECES = [
  'a',
  'b',
  '.',
  '[ab]',
  '[^a-c]',
  '\\d',
  '\\b',
  '\\pL',
  '(?i)',
  '(?s:',
  '(',
  ')',
  '|',
  '^',
  '$',
  '{2}',
  '{1,9}',
];
const REPEATS = ['*', '+', '?', '*?', '{0,3}', ''];

/** Patterns of definitions and policies, with a text of a tenant's behind a line feed. */
export const pattern: FuzzTarget = {
  seeds: ['^(a+)+$\naaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!', '(a|a)*b\naaaa', '[[:alpha:]]{2,9}x?\nabc'].map(
    bytes,
  ),
  words: [...PIECES, ...REPEATS, '\n', '[:', ':]', '\\Q', '\\E', '{1000}'],
  generate: (random) => {
    const parts = Array.from(
      { length: 1 + random.below(12) },
      () => random.pick(PIECES) + random.pick(REPEATS),
    );
    return bytes(`${parts.join('')}\n${'ab'.repeat(random.below(200))}`);
  },
  growthBytes: 48 * 1024 * 1024,
  maxBytes: 1024,
  longBytes: 64 * 1024,
  refuses: (error) => error instanceof PatternError || error instanceof PatternCostError,
  feed: (input) => {
    const [source = '', ...rest] = text(input).split('\n');
    const found = goPattern(source);
    const subject = rest.join('\n');
    const first = found.find(subject);
    if ((first !== undefined) !== found.test(subject)) throw new Error('found, and does not match');
    if (first !== found.findAll(subject)[0]) throw new Error('the first of all is another one');
  },
};
