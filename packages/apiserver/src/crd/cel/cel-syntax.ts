/**
 * What cel-go says of an expression that is not CEL. Its parser is made by ANTLR, which tells the token that it met and
 * those that it expected there. Only the first problem is told. Pure.
 */

const TOKEN =
  /\s+|\/\/[^\n]*|(?<text>[bBrR]{0,2}(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'))|(?<number>(?:0x[0-9a-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)u?|\.\d+)|(?<name>[A-Za-z_]\w*)|==|!=|<=|>=|&&|\|\||[[\]{}().,\-!?:+*/%<>]/y;

interface Token {
  readonly text: string;
  readonly at: number;
  readonly kind: 'operand' | 'operator' | 'end' | 'unknown';
}

/** Tokens with which an operand begins, by ANTLR's numbers: brackets, signs, words, kinds of literals. */
const OPERAND = [
  '[',
  '{',
  '(',
  '.',
  '-',
  '!',
  'true',
  'false',
  'null',
  'NUM_FLOAT',
  'NUM_INT',
  'NUM_UINT',
  'STRING',
  'BYTES',
  'IDENTIFIER',
];
const BARE = /^[A-Z_]+$/;

export interface SyntaxProblem {
  readonly message: string;
  readonly at: number;
}

/** `at`: where the parser that reads for us stopped. */
export function syntaxProblem(text: string, at: number): SyntaxProblem {
  const tokens = tokensOf(text);
  const unknown = tokens.find(({ kind }) => kind === 'unknown');
  if (unknown !== undefined)
    return { message: `token recognition error at: '${unknown.text}'`, at: unknown.at };
  const index = Math.max(
    0,
    tokens.findIndex((token) => token.at >= at || token.kind === 'end'),
  );
  const met = tokens[index] ?? { text: '<EOF>', at: text.length, kind: 'end' };
  const expected = expectedAfter(tokens.slice(0, index), met);
  if (expected.length === 1 && expected[0] === ')')
    return { message: `missing ')' at '${met.text}'`, at: met.at };
  const next = tokens[index + 1];
  const isExtra = met.kind !== 'end' && next !== undefined && fits(next, expected);
  return {
    message: `${isExtra ? 'extraneous' : 'mismatched'} input '${met.text}' expecting ${listed(expected)}`,
    at: met.at,
  };
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    if (found === null) {
      // ANTLR tells the character and the one at which it could no longer be a token.
      const more = '=&|'.includes(text[at] ?? '') ? 2 : 1;
      tokens.push({ text: text.slice(at, at + more), at, kind: 'unknown' });
      at += 1;
      continue;
    }
    const { text: literal, number, name } = found.groups ?? {};
    if (/\S/.test(found[0]) && !found[0].startsWith('//'))
      tokens.push({
        text: found[0],
        at,
        kind: (literal ?? number ?? name) === undefined || name === 'in' ? 'operator' : 'operand',
      });
    at += found[0].length;
  }
  tokens.push({ text: '<EOF>', at: text.length, kind: 'end' });
  return tokens;
}

function expectedAfter(before: readonly Token[], met: Token): readonly string[] {
  const last = before.at(-1);
  const isClosed = last?.kind === 'operand' || [')', ']', '}'].includes(last?.text ?? '');
  if (isClosed) return met.kind === 'end' && openParentheses(before) > 0 ? [')'] : ['<EOF>'];
  // A call may have no arguments.
  if (last?.text === '(' && /^[A-Za-z_]/.test(before.at(-2)?.text ?? '') && before.at(-2)?.text !== 'in')
    return OPERAND.toSpliced(3, 0, ')');
  return OPERAND;
}

function openParentheses(tokens: readonly Token[]): number {
  return tokens.reduce((open, { text }) => open + (text === '(' ? 1 : text === ')' ? -1 : 0), 0);
}

function fits({ text, kind }: Token, expected: readonly string[]): boolean {
  if (kind === 'end') return expected.includes('<EOF>');
  return kind === 'operand' ? expected.includes('IDENTIFIER') : expected.includes(text);
}

function listed(expected: readonly string[]): string {
  if (expected.length === 1) return expected[0] ?? '';
  return `{${expected.map((one) => (BARE.test(one) ? one : `'${one}'`)).join(', ')}}`;
}
