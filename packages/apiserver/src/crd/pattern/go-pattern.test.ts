import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomFrom } from '@podvisor/base';
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
    assert.equal(goPattern(pattern).find(text), match);
  });

const all: readonly [pattern: string, text: string, matches: readonly string[]][] = [
  ['a', 'banana', ['a', 'a', 'a']],
  ['a*', 'baaac', ['', 'aaa', '']],
  ['', '😀b', ['', '', '']],
  ['(?m)^', 'a\nb', ['', '']],
  ['^a', 'aaa', ['a']],
  ['\\b\\w', 'one two', ['o', 't']],
  ['ab|a', 'aba', ['ab', 'a']],
  ['(|a)*', 'aa', ['', '', '']],
  ['(|a)+', 'aa', ['', '', '']],
  ['x{2,3}?', 'xxxxx', ['xx', 'xx']],
  ['x{2,3}', 'xxxxx', ['xxx', 'xx']],
  ['x{0}', 'x', ['', '']],
];

for (const [pattern, text, matches] of all)
  test(`Go's patterns: all of ${pattern} in ${JSON.stringify(text)}`, () => {
    assert.deepEqual(goPattern(pattern).findAll(text), matches);
  });

/** A way through for every subset: JavaScript's own engine would not come back. */
const manyWays: readonly [pattern: string, text: string][] = [
  ['^(a+)+$', `${'a'.repeat(5_000)}!`],
  ['^(a|a)*$', `${'a'.repeat(5_000)}!`],
  ['^(a|b|ab)*c', `${'ab'.repeat(5_000)}`],
  ['(.*)*(.*)*(.*)*x$', 'a'.repeat(5_000)],
  ['^(.*a){20}$', `${'a'.repeat(5_000)}!`],
  ['^(a?){500}a{500}$', `${'a'.repeat(499)}`],
  ['\\s+$', `${' '.repeat(50_000)}x`],
];

for (const [pattern, text] of manyWays)
  test(`Go's patterns: ${pattern} refuses ${text.length} characters in time`, () => {
    const begun = process.cpuUsage();
    assert.equal(goPattern(pattern).test(text), false);
    const { user } = process.cpuUsage(begun);
    assert.ok(user < 2_000_000, `${user} µs`);
  });

test("Go's patterns: what would take longer than a second is refused, not begun for ever", () => {
  const dear = `(${'(a?)'.repeat(90)}){100}$`;
  assert.throws(() => goPattern(dear).test('a'.repeat(1_000_000)), { name: 'PatternCostError' });
});

test("Go's patterns: too large or too deep is refused in Go's words", () => {
  assert.throws(() => goPattern(`(${'ab'.repeat(100)}){1000}`), /expression too large/);
  assert.throws(() => goPattern(`${'('.repeat(1_001)}a${')'.repeat(1_001)}`), /expression nests too deeply/);
  assert.equal(goPattern(`${'('.repeat(1_000)}a${')'.repeat(1_000)}`).test('a'), true);
});

/** Patterns that both languages read alike: what is repeated is never empty, of which JavaScript has its own view. */
test("Go's patterns: find what JavaScript finds", () => {
  const random = randomFrom(7);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const pattern = (depth: number): string => {
    const atom =
      depth === 0 || random() < 0.5
        ? pick(['a', 'b', '[ab]', '[^a]', '.'])
        : `(?:${pick(['a', 'b', '.'])}${pattern(depth - 1)})`;
    const repeated = `${atom}${pick(['', '', '', '*', '+', '?', '*?', '{1,2}'])}`;
    return random() < 0.3
      ? `${repeated}|${pick(['a', 'bc', 'c'])}`
      : `${repeated}${pick(['', 'a', 'b', 'c$'])}`;
  };
  for (let i = 0; i < 3_000; i += 1) {
    const source = `${pick(['', '', '^'])}${pattern(2)}${pattern(1)}`;
    const text = Array.from({ length: Math.floor(random() * 9) }, () => pick(['a', 'b', 'c'])).join('');
    const expected = new RegExp(source, 'u').exec(text)?.[0];
    assert.equal(goPattern(source).find(text), expected, `${source} in ${text}`);
  }
});
