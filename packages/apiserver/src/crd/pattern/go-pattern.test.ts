import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goPattern } from './go-pattern.ts';

const refused: readonly [pattern: string, problem: string][] = [
  ['(', 'missing closing ): `(`'],
  ['a(b', 'missing closing ): `a(b`'],
  [')', 'unexpected ): `)`'],
  ['[a', 'missing closing ]: `[a`'],
  ['x[]', 'missing closing ]: `[]`'],
  ['*a', 'missing argument to repetition operator: `*`'],
  ['a|+?', 'missing argument to repetition operator: `+?`'],
  ['a**', 'invalid nested repetition operator: `**`'],
  ['x{2}{3}', 'invalid nested repetition operator: `{2}{3}`'],
  ['a{2,1}', 'invalid repeat count: `{2,1}`'],
  ['a{1001}', 'invalid repeat count: `{1001}`'],
  ['(a{100}){11}', 'invalid repeat count: `{11}`'],
  ['[z-a]', 'invalid character class range: `z-a`'],
  ['[[:foo:]]', 'invalid character class range: `[:foo:]`'],
  ['\\p{Nothing}', 'invalid character class range: `\\p{Nothing}`'],
  ['\\', 'trailing backslash at end of expression: ``'],
  ['\\1', 'invalid escape sequence: `\\1`'],
  ['\\Z', 'invalid escape sequence: `\\Z`'],
  ['\\u0041', 'invalid escape sequence: `\\u`'],
  ['(?=a)', 'invalid or unsupported Perl syntax: `(?=`'],
  ['(?!a)', 'invalid or unsupported Perl syntax: `(?!`'],
  ['(?z)a', 'invalid or unsupported Perl syntax: `(?z`'],
  ['(?i-)a', 'invalid or unsupported Perl syntax: `(?i-)`'],
  ['(?<=a)b', 'invalid named capture: `(?<=a)b`'],
  ['(?P<n m>a)', 'invalid named capture: `(?P<n m>`'],
  ['(?<n>a)(?<n>b)', 'invalid named capture: `(?<n>`'],
];

for (const [pattern, problem] of refused)
  test(`Go's patterns: ${pattern} is refused`, () => {
    assert.throws(() => goPattern(pattern), {
      name: 'PatternError',
      message: `error parsing regexp: ${problem}`,
    });
  });

const found: readonly [pattern: string, text: string, match: string | undefined][] = [
  ['^[a-z]([-a-z0-9]*[a-z0-9])?$', 'my-name', 'my-name'],
  ['^[a-z]([-a-z0-9]*[a-z0-9])?$', 'My-name', undefined],
  ['(?i)abc', 'xABCx', 'ABC'],
  ['a(?i)b|c', 'C', 'C'],
  ['(?:(?i)b)c', 'BC', undefined],
  ['(?i:b)c', 'Bc', 'Bc'],
  ['a.c', 'a\rc', 'a\rc'],
  ['a.c', 'a\nc', undefined],
  ['(?s)a.c', 'a\nc', 'a\nc'],
  ['^b$', 'a\nb', undefined],
  ['(?m)^b$', 'a\nb', 'b'],
  ['\\Ab\\z', 'b', 'b'],
  ['\\Ab\\z', 'b\n', undefined],
  ['[[:alpha:]_]+', '12ab_', 'ab_'],
  ['[[:^digit:]]+', '12é-3', 'é-'],
  ['[^\\d\\s]+', '12 ab', 'ab'],
  ['\\s', '\u00a0', undefined],
  ['\\pL+', '1éa', 'éa'],
  ['\\P{Greek}+', 'αb', 'b'],
  ['a{,2}', 'a{,2}', 'a{,2}'],
  ['{', '{', '{'],
  ['a+?', 'aaa', 'a'],
  ['(?U)a+', 'aaa', 'a'],
  ['(?U)a+?', 'aaa', 'aaa'],
  ['\\Qa.b\\E+', 'a.bb', 'a.bb'],
  ['\\x41\\x{42}\\103', 'ABC', 'ABC'],
  ['[a\\-z]+', 'b-a', '-a'],
  ['[]a]+', 'x]a', ']a'],
  ['[a-]+', '-a', '-a'],
  ['(?P<year>\\d{4})', 'in 2026', '2026'],
  ['😀+', '😀😀', '😀😀'],
  ['[😀-😂]', '😁', '😁'],
];

for (const [pattern, text, match] of found)
  test(`Go's patterns: ${pattern} in ${JSON.stringify(text)}`, () => {
    assert.equal(goPattern(pattern).exec(text)?.[0], match);
  });
